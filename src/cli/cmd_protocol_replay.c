/* tactus protocol replay --device URI | -- PROGRAM, --witness VERIFY.json REC */
#include "base/io/json.h"
#include "cli/protocol_cases.h"
#include "cli/replay_io.h"
#include "replay/described.h"

enum { MOST_WITNESS = 256 << 20 };

static void write_replay(FILE *out, void *context)
{
    tac_replay_text(context, out);
}

static tac_answer answer_of(tac_replay_result result)
{
    return result == TAC_REPLAY_CONFIRMED      ? TAC_VIOLATED
           : result == TAC_REPLAY_UNCONTROLLED ? TAC_INCONCLUSIVE
                                               : TAC_HOLDS;
}

static int replay(struct invocation *in, const tac_protocol_witness *witness)
{
    tac_subject *subject = NULL;
    int code = replay_open(in, &subject);
    if (code)
        return code;
    tac_replay_options options = {.attempts = (uint32_t)option_number(in, "attempts", 3),
                                  .deadline = option_real(in, "deadline", 10),
                                  .seed = (uint64_t)option_number(in, "seed", 1),
                                  .watch = in->watch};
    tac_replay replayed = {.step_count = 0};
    tac_error err;
    if (tac_replay_witness(subject, witness, in->args[0], &options, &replayed, &err) != TAC_OK) {
        code = fail(in, &err);
    } else if (pipeline_wanted(in) &&
               protocol_cases_replayed(in, witness, &replayed, &err) != TAC_OK) {
        code = fail(in, &err);
    } else {
        code = tac_exit_code(TAC_OK, answer_of(replayed.result));
        code = in->json ? finish_json(in, tac_replay_json(&replayed), code)
                        : finish_text(in, write_replay, &replayed, code);
    }
    tac_replay_free(&replayed);
    tac_subject_free(subject);
    return code;
}

static int protocol_replay_run(struct invocation *in)
{
    tac_json witness;
    tac_error err;
    if (tac_json_load(option_text(in, "witness"), MOST_WITNESS, &witness, &err) != TAC_OK)
        return fail(in, &err);
    tac_protocol_result predicted = {0};
    int code = 0;
    if (tac_protocol_witness_read(witness.root, &predicted, &err) != TAC_OK) {
        tac_json_fail(&witness, "", &err,
                      "there is no witness in it: write one with 'tactus protocol verify --json'");
        code = fail(in, &err);
    } else {
        code = replay(in, predicted.witness);
    }
    tac_protocol_result_free(&predicted);
    tac_json_free(&witness);
    return code;
}

static const struct option protocol_replay_options[] = {
    REPLAY_DEVICE,
    PATH("witness", "VERIFY.json",
         "the witness: what 'tactus protocol verify --json' wrote about the recording",
         .required = true),
    REPLAY_ATTEMPTS,
    REPLAY_SEED,
    REPLAY_STAY,
    REPLAY_DEADLINE,
    REPLAY_JVM_MODE,
    PIPELINE_OPTIONS,
    {0},
};

const struct command cmd_protocol_replay = {
    .noun = "protocol",
    .verb = "replay",
    .group = GROUP_ANALYSE,
    .args = "REC [-- PROGRAM ARGS]",
    .summary = "replay a predicted violation on the running app",
    .description =
        "Starts the app with everything that can wait held back, and lets happen what the witness "
        "names, one callback at a time: user events are performed, timers, responses and messages "
        "are released by their labels, and time goes on with them. Prints CONFIRMED with what was "
        "thrown, NOT REPRODUCED with the step at which the app went another way, or UNCONTROLLED "
        "with the step that cannot be brought about.\n\n"
        "Exit 1 CONFIRMED, 0 NOT REPRODUCED, 3 UNCONTROLLED.",
    .example = "tactus protocol replay --device chromium:http://127.0.0.1:8000/search.html "
               "--witness hunted/witness-1.json hunted/recording.jsonl",
    .options = protocol_replay_options,
    .documents = DOCUMENTS(&replay_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .takes_program = true,
    .drives_devices = true,
    .run = protocol_replay_run,
};
