/* What a worker does that executes candidates: its team of devices stays open between them.
 *
 * A request is its length in 8 bytes and {"flow","scenario","seed","deadline"}; the answer is one
 * line, the outcome as attempts.c describes it, or {"status","file","error"} when a device failed.
 */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/process/worker.h"
#include "explore/screen_class.h"
#include "reproduce/attempts.h"
#include "run/campaign/station.h"
#include <string.h>

static const uint64_t largest_request = (uint64_t)256 << 20;

/* "ACTIVITY#class" of what the device shows, as random runs name it; "" when it cannot be seen. The
 * caller's. */
static char *name_screen(tac_device *device)
{
    const tac_ui *ui;
    tac_foreground foreground;
    tac_error ignored;
    if (tac_device_foreground(device, 0, &foreground, &ignored) != TAC_OK)
        return tac_strdup("");
    char *activity = tac_strdup(foreground.activity), *name = NULL;
    if (tac_device_snapshot(device, 0, &ui, &ignored) == TAC_OK)
        name = screen_short_name(ui, activity);
    free(activity);
    return name ? name : tac_strdup("");
}

static void describe_crash(tac_device *device, tac_arena *arena, struct attempt_outcome *out)
{
    tac_crash crash;
    tac_error ignored;
    tac_str stack = {0};
    if (tac_device_crash(device, &crash, &ignored) != TAC_OK)
        return;
    for (size_t i = 0; i < crash.stack_count; i++) {
        char *line = run_stack_line(crash.stack[i]);
        tac_str_addf(&stack, "%s\n", line);
        free(line);
    }
    out->exception = tac_arena_strdup(arena, crash.exception);
    out->stack = tac_arena_strdup(arena, tac_str_text(&stack));
    out->place = tac_arena_strdup(arena, crash.place ? crash.place : "");
    tac_str_free(&stack);
}

static json_t *answer_of(struct run_context *context)
{
    tac_device *device = context->team->members[context->failed_member].device;
    struct run_recorder *recorder = &context->recorder;
    tac_arena arena = {0};
    const char **violated = tac_arena_calloc(&arena, recorder->property_count, sizeof *violated);
    char *screen = context->end == RUN_FAIL ? name_screen(device) : NULL;
    struct attempt_outcome outcome = {.end = context->end,
                                      .steps = context->steps,
                                      .message = context->message,
                                      .screen = screen,
                                      .violated = violated,
                                      .wait = context->longest_wait,
                                      .seconds =
                                          run_clock_seconds(probe_set_clock(&context->probes))};
    if (context->end == RUN_CRASH)
        describe_crash(device, &arena, &outcome);
    recorder_judge(recorder, false);
    for (size_t i = 0; i < recorder->property_count; i++) {
        tac_property_result result;
        judge_result(&recorder->judge, 0, i, &result);
        if (result.answer == TAC_VIOLATED || result.answer == TAC_PRESUMABLY_VIOLATED)
            violated[outcome.violated_count++] = tac_arena_strdup(&arena, result.name);
    }
    json_t *answer = describe_json(&attempt_outcome_described, &outcome);
    tac_arena_free(&arena);
    free(screen);
    return answer;
}

static tac_status execute(const struct run_campaign *campaign, struct run_context *context,
                          const tac_flow *flow, const char *scenario, tac_error *err)
{
    tac_error ignored;
    tac_status status = campaign_set_scenario(campaign, context->team, scenario, err);
    if (status == TAC_OK)
        status = station_start_recording(campaign, context, "a candidate", err);
    if (status == TAC_OK)
        status = station_prepare(campaign, context, scenario, err);
    if (status == TAC_OK)
        status = run_flow(context, flow, err);
    /* a crash that came while the next step looked for its element */
    if (status == TAC_OK && context->end == RUN_FAIL)
        status = run_see_crash(context, err);
    else if (status == TAC_E_DEVICE && run_see_crash(context, &ignored) == TAC_OK &&
             context->end == RUN_CRASH)
        status = TAC_OK;
    if (status == TAC_OK)
        status = probe_set_finish(&context->probes, err);
    if (status == TAC_OK)
        status = recorder_finish(&context->recorder, err);
    return status;
}

static tac_status do_request(struct worker_station *station, const json_t *request, json_t **answer,
                             tac_error *err)
{
    char *text = tac_json_text(json_object_get(request, "flow"), JSON_COMPACT);
    tac_flow_file *file = tac_flow_file_of_text("candidate", text, strlen(text));
    const tac_flow *flow = NULL;
    uint64_t seed = 0;
    tac_parse_u64(json_string_value(json_object_get(request, "seed")), &seed);
    struct run_context context = station_context(station, seed);
    context.deadline = json_number_value(json_object_get(request, "deadline"));
    tac_status status = tac_flow_file_next(file, &flow, err);
    if (status == TAC_OK)
        status = execute(station->campaign, &context, flow,
                         json_string_value(json_object_get(request, "scenario")), err);
    if (status == TAC_OK)
        *answer = answer_of(&context);
    run_context_free(&context);
    tac_flow_file_close(file);
    free(text);
    return status;
}

static bool receive(int fd, json_t **request)
{
    uint64_t size = 0;
    if (!tac_worker_receive(fd, &size, sizeof size) || size > largest_request)
        return false;
    char *text = tac_alloc((size_t)size + 1);
    bool got = tac_worker_receive(fd, text, (size_t)size);
    *request = got ? json_loadb(text, (size_t)size, 0, NULL) : NULL;
    free(text);
    return *request != NULL;
}

static bool send_answer(int fd, json_t *answer)
{
    char *text = tac_json_text(answer, JSON_COMPACT);
    bool sent = tac_worker_send(fd, text, strlen(text)) && tac_worker_send(fd, "\n", 1);
    free(text);
    json_decref(answer);
    return sent;
}

void attempts_serve(void *data, size_t worker, int fd)
{
    struct worker_station station = {.campaign = data, .worker = worker};
    json_t *request;
    bool heard = true;
    while (heard && receive(fd, &request)) {
        tac_error err = {0};
        json_t *answer = NULL;
        tac_status status = station_open(&station, &err);
        if (status == TAC_OK)
            status = do_request(&station, request, &answer, &err);
        if (status != TAC_OK) {
            station_close(&station);
            answer = station_failure(&err);
        }
        json_decref(request);
        heard = send_answer(fd, answer);
    }
    station_close(&station);
}
