/* Devices that share a run: time passes for all of them, clocks that are wrong are corrected, and a
 * message is never received before it was sent. */
#include "run/run.h"
#include "run/team.h"
#include "tactus/flow.h"
#include "tactus/trace.h"
#include "tactus_test.h"

static const char *const names[] = {"alice", "bob"}, *const packages[] = {"", ""};

static const char *chat(const char *activity)
{
    static char text[2][4300];
    static unsigned next;
    char *out = text[next++ % 2];
    snprintf(out, sizeof text[0], "sim:%s%s", test_source("examples/apps/chat.json"), activity);
    return out;
}

static struct run_team open_pair(const char *faults)
{
    const char *const uris[] = {chat(""), chat("#Home")};
    struct team_devices devices = {2, names, uris, packages};
    struct run_team team;
    tac_error err;
    tac_device_options options = {.faults = faults};
    if (run_team_open(&team, &devices, &options, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    return team;
}

static int64_t host_time(const struct run_team *team, size_t member)
{
    tac_clock_reading reading;
    tac_error err;
    if (tac_device_clock(team->members[member].device, &reading, &err))
        return -1;
    return reading.host_before;
}

TEST(sleeping_moves_every_device)
{
    struct run_team team = open_pair(NULL);
    tac_error err;
    int64_t before = host_time(&team, 0);
    CHECK_EQ(run_team_sleep(&team, 1.23, &err), TAC_OK);
    CHECK(llabs(host_time(&team, 0) - before - 1230000000) < 1000);
    CHECK(llabs(host_time(&team, 0) - host_time(&team, 1)) < 1000);
    run_team_close(&team);
}

TEST(aligning_moves_those_that_stayed_behind)
{
    struct run_team team = open_pair("offset=7,drift=0.01");
    tac_error err;
    CHECK_EQ(tac_device_sleep(team.members[1].device, 5, &err), TAC_OK);
    CHECK(host_time(&team, 1) - host_time(&team, 0) > 4900000000);
    CHECK_EQ(run_team_align(&team, &err), TAC_OK);
    CHECK(llabs(host_time(&team, 1) - host_time(&team, 0)) < 1000);
    run_team_close(&team);
}

TEST(a_wrong_uri_leaves_nothing_open)
{
    const char *const uris[] = {chat(""), "sim:/nowhere.json"};
    struct team_devices devices = {2, names, uris, packages};
    struct run_team team;
    tac_error err;
    CHECK_EQ(run_team_open(&team, &devices, &(tac_device_options){0}, &err), TAC_E_IO);
    CHECK_EQ(team.count, 0);
}

/* Two phones that answer each other at once, for ever. */
static const char table_tennis[] =
    "{\"tactus-app\": 1, \"package\": \"p\", \"variables\": {\"hits\": 0},"
    " \"channels\": {\"ball\": {\"bytes\": 100, \"delay\": 0.05}},"
    " \"activities\": {\"A\": {\"screens\": {\"a\": {\"widgets\": ["
    "  {\"class\": \"Button\", \"id\": \"serve\", \"click\": [{\"send\": \"ball\"}]},"
    "  {\"id\": \"hits\", \"text\": \"{hits} hits\"}],"
    "  \"system\": {\"ball\": [{\"set\": {\"hits\": \"hits + 1\"}}, {\"send\": \"ball\"}]}}}}}}";

/* How often the first player has hit the ball after 10 s that pass in so many pieces. */
static int hits_after(int pieces)
{
    char uri[4300];
    snprintf(uri, sizeof uri, "sim:%s", test_write("tennis.json", table_tennis));
    const char *const uris[] = {uri, uri};
    struct team_devices devices = {2, names, uris, packages};
    struct run_team team;
    tac_error err;
    const tac_ui *ui;
    uint32_t node;
    int hits = -1;
    REQUIRE(run_team_open(&team, &devices, &(tac_device_options){0}, &err) == TAC_OK);
    for (size_t i = 0; i < 2; i++)
        REQUIRE(tac_device_launch(team.members[i].device, 0, &err) == TAC_OK);
    REQUIRE(run_team_align(&team, &err) == TAC_OK);
    tac_gesture serve = {.kind = TAC_ACTION_CLICK, .target = {.resource_id = "p:id/serve"}};
    REQUIRE(tac_device_perform(team.members[1].device, &serve, 0, &err) == TAC_OK);
    for (int i = 0; i < pieces; i++)
        REQUIRE(run_team_sleep(&team, 10.0 / pieces, &err) == TAC_OK);
    REQUIRE(tac_device_snapshot(team.members[0].device, 0, &ui, &err) == TAC_OK);
    REQUIRE(tac_ui_find(ui, &(tac_selector){.resource_id = "p:id/hits"}, &node, &err) == TAC_OK);
    REQUIRE(node != TAC_UI_NONE);
    sscanf(ui->nodes[node].text, "%d", &hits);
    run_team_close(&team);
    return hits;
}

TEST(messages_go_to_and_fro_as_if_time_passed_on_both_at_once)
{
    int hits = hits_after(10000);
    CHECK(hits > 30);
    CHECK(abs(hits_after(1) - hits) <= 1);
    CHECK(abs(hits_after(7) - hits) <= 1);
}

/* --- whole runs --- */

static void write_flows(const char *path)
{
    tac_diagnostics found = {0};
    tac_model *model = NULL;
    tac_error err;
    if (tac_model_load(test_source("examples/chat/chat.model.xml"), &found, &model, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    tac_flow_engine *engine = NULL;
    tac_flow_options options = {.length = 8};
    if (tac_flow_engine_new(model, &options, &found, &engine, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    FILE *out = fopen(path, "w");
    uint64_t listed;
    if (!out || tac_flow_list_jsonl(engine, 0, out, &listed, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    fclose(out);
    tac_flow_engine_free(engine);
    tac_model_free(model);
    tac_diagnostics_free(&found);
}

struct happened {
    char event[100];
    int64_t time;
};

/* The events of a run in order; at most `most`. */
static size_t read_events(const char *folder, size_t run, struct happened *out, size_t most)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/traces/%06zu.jsonl", folder, run);
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    size_t count = 0, variables, symbols;
    if (tac_trace_open(path, NULL, &source, &err))
        return 0;
    CHECK_STR(tac_trace_variables(source, &variables)[0].name, "event");
    while (tac_trace_next(source, &block, &err) == TAC_OK && block)
        for (size_t i = 0; i < block->count && count < most; i++) {
            uint32_t symbol = block->symbols[0][i];
            if (symbol == TAC_TRACE_NO_SYMBOL)
                continue;
            snprintf(out[count].event, sizeof out->event, "%s",
                     tac_trace_symbols(source, &symbols)[symbol]);
            out[count++].time = block->time[i];
        }
    tac_trace_close(source);
    return count;
}

static void execute(const char *flows, const char *folder, const char *faults)
{
    tac_run_device devices[] = {{"alice", chat("")}, {"bob", chat("#Home")}};
    tac_run_options options = {.devices = devices,
                               .device_count = 2,
                               .device_options = {.faults = faults},
                               .folder = folder,
                               .flows = flows,
                               .seed = 1};
    tac_run_summary *summary;
    tac_error err = {0};
    if (tac_run_campaign(&options, &summary, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    CHECK_EQ(summary->pass, 422);
    tac_run_summary_free(summary);
}

/* Each reception has its sending, at least the channel's delay before. */
static void check_causality(const struct happened *events, size_t count)
{
    int64_t sent[20];
    size_t sendings = 0, receptions = 0;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(events[i].event, "alice:MessageSent") && sendings < 20)
            sent[sendings++] = events[i].time;
        if (strcmp(events[i].event, "bob:MessageReceived") != 0)
            continue;
        REQUIRE(receptions < sendings);
        CHECK(events[i].time - sent[receptions] > 390000000);
        CHECK(events[i].time - sent[receptions] < 1500000000);
        receptions++;
    }
}

TEST(clocks_that_run_wrong_do_not_change_what_happened)
{
    const char *flows = test_temporary("flows.jsonl");
    char right[4200], wrong[4200];
    snprintf(right, sizeof right, "%s", test_temporary("right"));
    snprintf(wrong, sizeof wrong, "%s", test_temporary("wrong"));
    write_flows(flows);
    execute(flows, right, NULL);
    execute(flows, wrong, "offset=30,drift=0.02");
    for (size_t run = 0; run < 422; run++) {
        struct happened a[64], b[64];
        size_t count = read_events(right, run, a, 64);
        REQUIRE(count > 0 && count == read_events(wrong, run, b, 64));
        for (size_t i = 0; i < count; i++) {
            CHECK_STR(b[i].event, a[i].event);
            CHECK(llabs((a[i].time - a[0].time) - (b[i].time - b[0].time)) < 5000000);
        }
        check_causality(a, count);
        check_causality(b, count);
    }
}
