/* The case study for real: the sample web player, served on loopback, in Debian's Chromium. The
 * bytes are those that the browser received. */
#include "demo/steps.h"
#include "demo/web_server.h"
#include "report/report.h"
#include "run/run.h"

static tac_status explore_and_run(struct demo *demo, const char *uri, tac_error *err)
{
    /* Unhindered, and half a second away at 300 kbit/s. */
    static const char *const networks[] = {"ideal", "500,300,300"};
    uint64_t listed;
    tac_status status = demo_explore(demo, uri, "a web player in Chromium", "web.model.xml", err);
    if (status == TAC_OK)
        status = demo_list_flows(demo, "web.model.xml", "inputs/listen.req.xml", 5, 1,
                                 "web-flows.jsonl", &listed, err);
    if (status != TAC_OK)
        return status;
    tac_run_options options = {.devices = &(tac_run_device){.uri = uri},
                               .device_count = 1,
                               .folder = demo_path(demo, "browser"),
                               .model = demo_path(demo, "web.model.xml"),
                               .flows = demo_path(demo, "web-flows.jsonl"),
                               .properties = demo_path(demo, "inputs/listen.props"),
                               .scenarios = networks,
                               .scenario_count = 2,
                               .repeat = 2,
                               .sample = 0.25,
                               .think = 0.25,
                               .seed = 1,
                               .describe = demo->options->describe,
                               .watch = demo->watch};
    status = tac_run_campaign(&options, &demo->player, err);
    if (status == TAC_OK)
        demo_say(demo, "Executed a flow twice in two networks: %lld runs in a real browser.",
                 (long long)demo->player->runs);
    return status;
}

tac_status demo_in_browser(struct demo *demo, tac_error *err)
{
    tac_web_server *server;
    tac_status status = tac_web_server_start(demo_path(demo, "inputs"), 0, &server, err);
    if (status != TAC_OK)
        return status;
    const char *uri = tac_arena_format(&demo->names, "chromium:http://127.0.0.1:%u/index.html",
                                       tac_web_server_port(server));
    status = explore_and_run(demo, uri, err);
    demo_say(demo, "The server sent %.0f kB.", (double)tac_web_server_sent(server) / 1000);
    tac_web_server_stop(server);
    tac_report_options options = {.folder = demo->folder,
                                  .title = "A web player in a real browser",
                                  .reproduce = demo->options->reproduce,
                                  .watch = demo->watch};
    return status == TAC_OK ? demo_write_report(demo, &options, err) : status;
}
