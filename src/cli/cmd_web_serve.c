/* tactus web serve DIR */
#include "cli/command.h"
#include "demo/web_server.h"
#include <unistd.h>

static int web_serve_run(struct invocation *in)
{
    tac_web_server *server;
    tac_error err;
    uint16_t port = (uint16_t)option_number(in, "port", 0);
    double seconds = option_real(in, "seconds", 0);
    if (tac_web_server_start(in->args[0], port, &server, &err) != TAC_OK)
        return fail(in, &err);
    printf("serving %s on http://127.0.0.1:%u/ until Ctrl-C\n", in->args[0],
           tac_web_server_port(server));
    fflush(stdout);
    for (double waited = 0; seconds <= 0 || waited < seconds; waited += 0.1) {
        if (!tac_watch_tick(in->watch, "requests answered", tac_web_server_requests(server), 0))
            break;
        usleep(100000);
    }
    printf("%llu requests, %llu bytes\n", (unsigned long long)tac_web_server_requests(server),
           (unsigned long long)tac_web_server_sent(server));
    tac_web_server_stop(server);
    return 0;
}

static const struct option web_serve_options[] = {
    NUMBER("port", "N", 0, 65535, "port on loopback (default: any free one)"),
    REAL("seconds", "S", "end by itself after S seconds (default: at Ctrl-C)"),
    {0},
};

const struct command cmd_web_serve = {
    .noun = "web",
    .verb = "serve",
    .group = GROUP_TEST,
    .args = "DIR",
    .summary = "serve the files of a web app on loopback",
    .description = "Serves the files below DIR on 127.0.0.1, for driving a web app that is just "
                   "files. '/bytes/N'\nanswers with N bytes, for apps that stream. Ends at Ctrl-C "
                   "and says what was sent.",
    .example = "tactus web serve examples/web/player --seconds 0.2",
    .options = web_serve_options,
    .run = web_serve_run,
};
