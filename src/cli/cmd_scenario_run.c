/* tactus scenario run SCENARIO -- PROGRAM ARGS... */
#include "base/data/alloc.h"
#include "cli/command.h"
#include "network/network.h"
#include <jansson.h>

static json_t *count_json(const tac_network_count *count)
{
    return json_pack(
        "{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "packets", (json_int_t)count->packets, "bytes",
        (json_int_t)count->bytes, "lost_packets", (json_int_t)count->lost_packets, "lost_bytes",
        (json_int_t)count->lost_bytes, "queue_packets", (json_int_t)count->queue_packets,
        "queue_bytes", (json_int_t)count->queue_bytes, "arrived_packets",
        (json_int_t)count->arrived_packets, "arrived_bytes", (json_int_t)count->arrived_bytes);
}

static void print_count(const char *way, const tac_network_count *count)
{
    fprintf(stderr,
            "%s: %llu packets, %llu bytes sent; %llu packets lost, %llu dropped at a full queue\n",
            way, (unsigned long long)count->packets, (unsigned long long)count->bytes,
            (unsigned long long)count->lost_packets, (unsigned long long)count->queue_packets);
}

static int scenario_run(struct invocation *in)
{
    tac_error err;
    tac_network *network = NULL;
    tac_network_state state = {0};
    int code = 0;
    const char **argv = tac_calloc(in->arg_count + 1, sizeof *argv);
    for (size_t i = 1; argv && i < in->arg_count; i++)
        argv[i - 1] = in->args[i];
    tac_status status =
        tac_network_open(in->args[0], (uint64_t)option_number(in, "seed", 1), &network, &err);
    if (status == TAC_OK && argv)
        status = tac_network_run(network, argv, in->watch, &code, &err);
    if (status == TAC_OK)
        status = tac_network_look(network, &state, &err);
    free(argv);
    json_t *document = json_pack("{s:s,s:i,s:f,s:o,s:o}", "scenario", in->args[0], "exit_code",
                                 code, "seconds", state.since, "down",
                                 count_json(&state.down_count), "up", count_json(&state.up_count));
    tac_network_free(network);
    if (status != TAC_OK) {
        json_decref(document);
        return fail(in, &err);
    }
    if (in->output) /* standard output is the program's */
        return finish_json(in, document, code);
    json_decref(document);
    print_count("down", &state.down_count);
    print_count("up", &state.up_count);
    return code;
}

static const struct option scenario_run_options[] = {
    NUMBER("seed", "N", 1, INT64_MAX, "seed of the losses; default 1",
           .meaning = "seed of all randomness"),
    {0},
};

const struct command cmd_scenario_run = {
    .noun = "scenario",
    .verb = "run",
    .group = GROUP_TEST,
    .args = "SCENARIO -- PROGRAM [ARG...]",
    .summary = "run a program in a network that behaves so",
    .description = "Runs a program in a network namespace of its own, whose only way out is a link "
                   "with the rates, delays and losses of a scenario: pedestrian, festival, cafe, "
                   "train, ideal, a file, or MS,DOWN,UP (round trip in ms, kbit/s). Inside, this "
                   "host's loopback is 198.18.77.1; other addresses are themselves. Needs root or "
                   "a user who may make namespaces and open /dev/net/tun.\n\n"
                   "Ends with the program, with its exit code; what it left running there is ended "
                   "too. Packets and bytes of each way, as the sender's interface sent them, are "
                   "said on standard error, or written to -o as a JSON document.",
    .example = "tactus scenario run cafe -- true || echo \"this account may not make networks\"",
    .options = scenario_run_options,
    .common = HAS_OUTPUT,
    .run = scenario_run,
};
