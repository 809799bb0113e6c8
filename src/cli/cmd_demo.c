/* tactus demo [DIR] */
#include "cli/report_advice.h"
#include "cli/run_command.h"
#include "cli/serve_folder.h"
#include "demo/demo.h"
#include "demo/described.h"

static void tell(void *context, const char *sentence)
{
    (void)context;
    puts(sentence);
    fflush(stdout);
}

static int demo_run(struct invocation *in)
{
    const char *folder = in->arg_count ? in->args[0] : "tactus-demo";
    tac_demo_story *story;
    tac_error err;
    bool serve = option_flag(in, "serve");
    if (serve && in->json)
        return fail_usage(in, "--serve lasts until Ctrl-C: leave out --json");
    tac_demo_options options = {.browser = option_flag(in, "browser"),
                                .tell = in->json ? NULL : tell,
                                .describe = run_command_line,
                                .reproduce = reproduce_command_line,
                                .watch = in->watch};
    if (tac_demo(folder, &options, &story, &err) != TAC_OK)
        return fail(in, &err);
    int code = 0;
    if (in->json)
        code = finish_json(in, tac_demo_story_json(story), 0);
    else
        printf("The whole report: %s\n", story->report);
    tac_demo_story_free(story);
    tac_portal_options portal = {.folder = folder, .program = "/proc/self/exe"};
    return serve ? serve_folder(in, &portal, option_flag(in, "open")) : code;
}

static const struct option demo_options[] = {
    FLAG("browser", "drive a web player in Debian's Chromium instead of the built-in phone"),
    FLAG("serve", "then open the folder in the portal, as 'tactus serve' does"),
    FLAG("open", "with --serve: open the page in the browser",
         .meaning = "show the page in the browser when it is written"),
    {0},
};

const struct command cmd_demo = {
    .noun = "demo",
    .group = GROUP_SETUP,
    .first = true,
    .args = "[DIR]",
    .summary = "the whole pipeline on the built-in phone, ending with a report",
    .description =
        "Explores a music player, generates flows, executes them in three network scenarios and "
        "checks what\nplayback may cost; lets a monkey loose on an app with planted bugs and mines "
        "the crashes; analyses a\nset of adaptation rules and a recording of an app. Everything "
        "goes into DIR (default tactus-demo),\nending with DIR/report.html. Needs no device, no "
        "network and no privileges.",
    .example = "tactus demo tour",
    .options = demo_options,
    .documents = DOCUMENTS(&demo_story_described),
    .common = HAS_JSON,
    .drives_devices = true,
    .run = demo_run,
};
