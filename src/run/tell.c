/* What a run tells somebody who watches it: where it is, and what its probes read last. */
#include "base/io/json.h"
#include "run/run_one.h"

static json_t *probes_json(const struct run_context *context)
{
    const struct run_recorder *recorder = &context->recorder;
    json_t *list = json_array();
    for (size_t i = 0; i < recorder->probe_count; i++)
        json_array_append_new(list,
                              json_pack("{s:o,s:o,s:o}", "name",
                                        tac_json_string(context->probes.columns.at[i].name), "unit",
                                        tac_json_string(context->probes.columns.at[i].unit),
                                        "value", tac_json_number(recorder->current[i])));
    return list;
}

/* The last few, the newest at the end. */
static json_t *events_json(const struct run_recorder *recorder)
{
    enum { RECENT = 8 };
    json_t *list = json_array();
    for (size_t i = recorder->records.count; i-- > 0 && json_array_size(list) < RECENT;) {
        uint32_t event = recorder->records.at[i].event;
        if (event != TAC_TRACE_NO_SYMBOL)
            json_array_insert_new(list, 0, tac_json_string(recorder->symbols.text[event]));
    }
    return list;
}

void run_tell(struct run_context *context, size_t member, struct run_moment now)
{
    struct live_view *live = context->live;
    if (!live_is_due(live))
        return;
    const char *place = recorder_place(&context->recorder, member);
    json_t *document = json_object();
    json_object_set_new(document, "run", json_integer(context->id));
    json_object_set_new(document, "scenario", tac_json_string(context->scenario));
    json_object_set_new(document, "device",
                        tac_json_string(tac_device_uri(context->team->members[member].device)));
    json_object_set_new(document, "steps", json_integer((json_int_t)context->steps));
    json_object_set_new(document, "seconds",
                        tac_json_number((double)recorder_since(&context->recorder, now) * 1e-9));
    json_object_set_new(document, "place", tac_json_string(place));
    json_object_set_new(document, "events", events_json(&context->recorder));
    json_object_set_new(document, "probes", probes_json(context));
    char *picture = picture_file(context->options->folder, place);
    if (picture)
        json_object_set_new(document, "picture", tac_json_string(picture));
    free(picture);
    live_tell(live, document);
}
