/* tactus serve [DIR] */
#include "base/process/process.h"
#include "cli/serve_folder.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* The desktop's own way to open an address; not having one is no error of the server. */
static void open_page(const char *address)
{
    const char *const command[] = {"xdg-open", address, NULL};
    char *output = NULL;
    size_t size;
    int code = 1;
    if (tac_process_run(command, "xdg-utils", NULL, 0, 20, &output, &size, &code, NULL) != TAC_OK ||
        code)
        complain("no browser could be opened; open the address yourself");
    free(output);
}

/* Until a signal: without one this thread sleeps. */
static void wait_for_the_end(struct invocation *in)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t watched, old;
    sigemptyset(&watched);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        sigaddset(&watched, stops[i]);
    pthread_sigmask(SIG_BLOCK, &watched, &old);
    while (tac_watch_tick(in->watch, "requests", 0, 0))
        sigsuspend(&old);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

int serve_folder(struct invocation *in, const tac_portal_options *options, bool open)
{
    tac_portal *portal;
    tac_error err;
    if (tac_portal_start(options, &portal, &err) != TAC_OK)
        return fail(in, &err);
    in->stop_is_end = true;
    printf("serving %s until Ctrl-C; open %s\n", options->folder, tac_portal_address(portal));
    fflush(stdout);
    if (open)
        open_page(tac_portal_address(portal));
    wait_for_the_end(in);
    tac_portal_stop(portal);
    return 0;
}

static int serve_run(struct invocation *in)
{
    tac_portal_options options = {.folder = in->arg_count ? in->args[0] : ".",
                                  .port = (uint16_t)option_number(in, "port", 0),
                                  .listen = option_text(in, "listen"),
                                  .password_file = option_text(in, "password-file"),
                                  .certificate_file = option_text(in, "tls-cert"),
                                  .key_file = option_text(in, "tls-key"),
                                  .program = "/proc/self/exe"};
    bool all = options.password_file && options.certificate_file && options.key_file;
    bool any = options.password_file || options.certificate_file || options.key_file;
    if (options.listen && !all)
        return fail_usage(in, "--listen needs --password-file, --tls-cert and --tls-key: whoever "
                              "can reach the page can run programs as you");
    if (!options.listen && any)
        return fail_usage(in, "--password-file, --tls-cert and --tls-key belong to --listen");
    return serve_folder(in, &options, option_flag(in, "open"));
}

static const struct option serve_options[] = {
    NUMBER("port", "N", 0, 65535, "port to serve on (default: any free one)",
           .meaning = "port on loopback (default: any free one)"),
    FLAG("open", "open the page in the browser",
         .meaning = "show the page in the browser when it is written"),
    TEXT("listen", "ADDRESS",
         "be reached from other hosts, by this address or name of this one; with a password and "
         "TLS"),
    PATH("password-file", "FILE",
         "with --listen: the password, in a file that only its owner can read"),
    PATH("tls-cert", "FILE", "with --listen: the certificate, PEM"),
    PATH("tls-key", "FILE", "with --listen: the certificate's key, PEM"),
    {0},
};

const struct command cmd_serve = {
    .noun = "serve",
    .group = GROUP_CAMPAIGNS,
    .args = "[DIR]",
    .summary = "the portal: models, flows, campaigns and reports of a folder in a browser",
    .description =
        "Serves a page on loopback that shows what is in DIR (default: this folder) and works on "
        "it: edits\nmodels, chooses flows, explores apps and executes campaigns, draws reports and "
        "traces, checks\nproperties, rules and recordings. Every change is a file in DIR, as the "
        "commands write it.\n\nThe printed address holds a secret; whoever has it can do what you "
        "can. Nothing outside of DIR is\nshown or written. Campaigns and explorations run in "
        "processes of their own: they go on when the\nserver ends and are found again by the next. "
        "Ends at Ctrl-C.",
    .example = "timeout 1 tactus serve examples || true",
    .options = serve_options,
    .run = serve_run,
};
