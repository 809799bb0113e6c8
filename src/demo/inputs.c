/* The demo's input files. They are written out before use, so that a reader finds everything the
 * demo worked on, and every step reads files as a user's would. */
#include "demo/inputs.h"
#include "base/data/alloc.h"
#include "base/io/output.h"
#include "demo_bugs_app.h"
#include "demo_listen_properties.h"
#include "demo_listen_requirement.h"
#include "demo_phone_rules.h"
#include "demo_player_app.h"
#include "demo_player_properties.h"
#include "demo_player_requirement.h"
#include "demo_remover_recording.h"
#include "demo_remover_rules.h"
#include "demo_web_page.h"
#include "demo_web_script.h"

tac_status demo_write_inputs(const char *folder, tac_error *err)
{
    const struct {
        const char *name, *data;
        size_t size;
    } files[] = {
        {"player.json", demo_player_app, demo_player_app_size},
        {"tracker.json", demo_bugs_app, demo_bugs_app_size},
        {"playback.req.xml", demo_player_requirement, demo_player_requirement_size},
        {"playback.props", demo_player_properties, demo_player_properties_size},
        {"listen.req.xml", demo_listen_requirement, demo_listen_requirement_size},
        {"listen.props", demo_listen_properties, demo_listen_properties_size},
        {"index.html", demo_web_page, demo_web_page_size},
        {"player.js", demo_web_script, demo_web_script_size},
        {"phoneadapter.rules", demo_phone_rules, demo_phone_rules_size},
        {"remover.spec", demo_remover_rules, demo_remover_rules_size},
        {"buggy.jsonl", demo_remover_recording, demo_remover_recording_size},
    };
    tac_status status = TAC_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == TAC_OK; i++) {
        char *path = tac_format("%s/inputs/%s", folder, files[i].name);
        status = tac_output_write_file(path, files[i].data, files[i].size, err);
        free(path);
    }
    return status;
}
