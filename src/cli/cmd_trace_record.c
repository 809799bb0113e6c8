/* tactus trace record --methods PATTERN -o TRACE -- java ... */
#include "base/data/text.h"
#include "base/describe/describe.h"
#include "base/io/output.h"
#include "cli/trace_options.h"
#include "jvm/host/jvm.h"
#include <string.h>

static const struct option record_options[] = {
    TRACE_OUTPUT,
    TEXT("methods", "PATTERN",
         "record the methods whose class and name match, such as 'Player.play', "
         "'com.example.*.load' or '*.save*'; may be repeated"),
    TRACE_TO,
    {.name = NULL}};

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_record(const struct jvm_recorded *recorded, const char *path)
{
    char states[32];
    fprintf(stderr, "%s: %s state%s of %llu method%s; the program ended with exit code %d\n",
            path ? path : "-", tac_thousands(recorded->states, states, sizeof states),
            plural(recorded->states), (unsigned long long)recorded->methods,
            plural(recorded->methods), recorded->exit_code);
    if (!recorded->methods)
        complain("warning: no method of a class that was loaded matches");
    if (recorded->lost)
        complain("warning: %llu record%s lost: no room on the disk, or over 8 GiB",
                 (unsigned long long)recorded->lost, recorded->lost == 1 ? " was" : "s were");
    if (recorded->left_alone)
        complain("warning: %u method%s could not be given probes", recorded->left_alone,
                 plural(recorded->left_alone));
    if (!recorded->ended_in_order)
        complain(
            "warning: the virtual machine did not end in order; everything up to there was kept");
}

static int trace_record_run(struct invocation *in)
{
    const char *path = option_text(in, "output");
    size_t patterns;
    const char *const *list = option_values(in, "methods", &patterns);
    if (!patterns)
        return fail_usage(in, "name the methods with --methods PATTERN");
    if (in->json && (!path || !strcmp(path, "-")))
        return fail_usage(in, "--json needs -o: the trace itself would share standard output");
    struct jvm_order order = {.words = in->args,
                              .word_count = in->arg_count,
                              .patterns = list,
                              .pattern_count = patterns};
    const char *format = trace_format_to_write(in, path);
    tac_output output;
    tac_error err;
    struct jvm_recorded recorded;
    tac_status status = strcmp(format, "binary") ? tac_output_open(&output, path, &err)
                                                 : tac_output_open_binary(&output, path, &err);
    if (!status) {
        status = tac_jvm_record_methods(&order, format, output.file,
                                        in->json || !path || !strcmp(path, "-"), in->watch,
                                        &recorded, &err);
        status = tac_output_close(&output, status, &err);
    }
    if (status)
        return fail(in, &err);
    in->output = NULL; /* the trace is there; the document goes to standard output */
    if (in->json)
        return finish_json(in, describe_json(&jvm_recorded_described, &recorded), 0);
    print_record(&recorded, path);
    return 0;
}

const struct command cmd_trace_record = {
    .noun = "trace",
    .verb = "record",
    .group = GROUP_ANALYSE,
    .args = "-- COMMAND...",
    .summary = "run a Java program and record when methods are entered and left",
    .description =
        "Runs the command with an agent in its Java virtual machine. Each entry of a method that "
        "--methods names becomes a state with the event enter:Class.method, each exit (by a return "
        "or an exception) one with exit:Class.method; 'method' has the full name and 'thread' "
        "tells threads apart. Times count from the start of the virtual machine.\n\n"
        "A pattern is matched against package.Class.method and against Class.method; '*' stands "
        "for any text, '?' for one character. Methods of the program's own classes are recorded, "
        "not those of the JDK.\n\n"
        "The program has its own standard streams. 'java' gets the agent as an argument; any other "
        "command through JAVA_TOOL_OPTIONS. The trace is complete also when the program crashes.",
    .example = "tactus trace record --help",
    .options = record_options,
    .documents = DOCUMENTS(&jvm_recorded_described),
    .common = HAS_JSON,
    .drives_devices = true,
    .run = trace_record_run,
};
