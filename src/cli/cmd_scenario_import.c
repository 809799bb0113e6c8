/* tactus scenario import FILE.csv */
#include "cli/command.h"
#include "network/network.h"

static void write_text(FILE *out, void *context)
{
    const tac_scenario_imported *imported = context;
    fprintf(out, "%s\n", imported->text);
}

static int scenario_import_run(struct invocation *in)
{
    tac_error err;
    tac_scenario_imported imported;
    tac_scenario_import options = {.name = option_text(in, "name"),
                                   .columns = option_text(in, "columns"),
                                   .delay = option_real(in, "delay", 0.02),
                                   .loss = option_real(in, "loss", 0)};
    if (options.delay < 0 || options.delay > 60 || options.loss < 0 || options.loss > 1)
        return fail_usage(in, "--delay is 0 to 60 seconds, --loss a share from 0 to 1");
    if (tac_scenario_import_csv(in->args[0], &options, &imported, &err) != TAC_OK)
        return fail(in, &err);
    int code = finish_text(in, write_text, &imported, 0);
    if (!code)
        fprintf(stderr, "%zu segments, %.1f s, mean %.3f Mbit/s down, %.3f Mbit/s up\n%s",
                imported.segments, imported.length, imported.mean_down / 1e6,
                imported.mean_up / 1e6, imported.notes);
    tac_scenario_imported_free(&imported);
    return code;
}

static const struct option scenario_import_options[] = {
    TEXT("name", "NAME", "name of the scenario; default the file's",
         .meaning = "a name for the result"),
    TEXT("columns", "LIST",
         "ROLE=NAME,... where names are unusual; roles: time, down, up, delay, loss, name"),
    REAL("delay", "SECONDS", "one-way delay where the file has none; default 0.02"),
    REAL("loss", "SHARE", "share of lost packets where the file has none; default 0"),
    {0},
};

const struct command cmd_scenario_import = {
    .noun = "scenario",
    .verb = "import",
    .group = GROUP_TEST,
    .args = "FILE.csv",
    .summary = "make a network scenario of a recording",
    .description = "Reads a CSV with a header and a row per moment: a time (seconds, or date and "
                   "time) and a down rate, and up rate, delay and loss where it has them. Each row "
                   "becomes a segment that lasts until the next. Columns are found by their usual "
                   "names, units by the ends of the names (_mbps, _kbps, _ms, _percent; rates "
                   "without one are in kbit/s, delays in seconds, loss is a share).\n\n"
                   "What was assumed is said on standard error and written into the file.",
    .example = "printf 'time,down,up,delay_ms,loss\\n0,8000,2000,30,0.01\\n5,900,200,80,0.05\\n' > "
               "walk.csv\n"
               "tactus scenario import walk.csv -o walk.json",
    .options = scenario_import_options,
    .common = HAS_OUTPUT,
    .run = scenario_import_run,
};
