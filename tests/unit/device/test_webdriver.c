/* The WebDriver client against an end that says what the test wants: good answers, errors, alerts
 * without end, and nonsense of every shape. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include "unit/phone/sim_testing.h"
#include <microhttpd.h>
#include <netinet/in.h>

/* The answer to a call whose line ("POST /execute/sync") begins with `call` and whose body holds
 * `holds` (or NULL): the JSON of "value". The first that fits is taken. */
struct reply {
    const char *call, *holds, *value;
};

struct end {
    struct MHD_Daemon *daemon;
    const struct reply *replies; /* ends with a NULL call */
    const struct reply *last;    /* asked when none of them fits */
    tac_random *nonsense;        /* answer some calls with anything */
    char uri[64];
};

static const struct reply chromium[] = {
    {"GET /status", NULL, "{\"ready\":true}"},
    {"POST /session ", NULL,
     "{\"sessionId\":\"s\",\"capabilities\":{\"browserName\":\"fake\",\"browserVersion\":\"1\","
     "\"goog:chromeOptions\":{}}}"},
    {"GET /se/log/types", NULL, "[\"browser\",\"performance\"]"},
    {"GET /window/handles", NULL, "[\"w\"]"},
    {"GET /window", NULL, "\"w\""},
    {"POST /goog/cdp/execute", ".look(",
     "{\"result\":{\"value\":{\"why\":\"\",\"wait\":0,\"lively\":false,\"url\":\"http://app/a/"
     "b?c\","
     "\"times\":{\"input\":null,\"changed\":5,\"byte\":null,\"status\":200},"
     "\"taken\":[[[1000,\"I\",true,\"Started\"],[1001,\"E\",false,\"no\"]],[],0.25],"
     "\"rows\":[[-1,\"web.body\",\"\",\"\",\"\",8,0,0,360,640],"
     "[0,\"web.Button\",\"go\",\"Go\",\"\",8204,10,20,110,60]]}}}"},
    {"POST /goog/cdp/execute", ".take(", "{\"result\":{\"value\":[[],[],0.5]}}"},
    {"POST /goog/cdp/execute", ".place(", "{\"result\":{\"value\":{\"x\":60,\"y\":40}}}"},
    {"POST /goog/cdp/execute", "assign(", "{\"result\":{\"type\":\"undefined\"}}"},
    {"POST /goog/cdp/execute", "chrome-error", "{\"result\":{\"value\":\"\"}}"},
    {"POST /goog/cdp/execute", "about:blank", "{\"result\":{\"value\":true}}"},
    {"POST /goog/cdp/execute", "location.href\"", "{\"result\":{\"value\":\"http://app/a/b?c\"}}"},
    {"POST /goog/cdp/execute", "timeOrigin", "{\"result\":{\"value\":1000000}}"},
    {"POST /goog/cdp/execute", "getHeapUsage", "{\"usedSize\":4096}"},
    {"POST /se/log", NULL, "[]"},
    {"GET /url", NULL, "\"http://app/a/b?c\""},
    {"GET /context", NULL, "\"NATIVE_APP\""},
    {"", NULL, "null"},
    {NULL, NULL, NULL},
};

static const struct reply nothing[] = {{NULL, NULL, NULL}};

static json_t *anything(tac_random *random, int depth)
{
    static const char *const texts[] = {"",
                                        "w",
                                        "error",
                                        "element-6066-11e4-a52e-4f735466cecf",
                                        "NATIVE_APP",
                                        "http://app/",
                                        "unexpected alert open",
                                        "Network.loadingFinished",
                                        "<hierarchy/>"};
    static const char *const keys[] = {
        "value",   "error",   "message", "sessionId", "capabilities", "goog:chromeOptions",
        "x",       "y",       "element", "params",    "method",       "requestId",
        "request", "headers", "url"};
    json_t *made;
    size_t size = tac_random_below(random, 6);
    switch (depth > 4 ? tac_random_below(random, 5) : tac_random_below(random, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(tac_random_below(random, 2));
    case 2:
        return json_integer((json_int_t)tac_random_next(random) >> tac_random_below(random, 64));
    case 3:
        return json_real(tac_random_unit(random) * 1e300);
    case 4:
        return json_string(texts[tac_random_below(random, sizeof texts / sizeof *texts)]);
    case 5:
        made = json_object();
        for (size_t i = 0; i < size; i++)
            json_object_set_new(made, keys[tac_random_below(random, sizeof keys / sizeof *keys)],
                                anything(random, depth + 1));
        return made;
    default:
        made = json_array();
        for (size_t i = 0; i < size * 2; i++)
            json_array_append_new(made, anything(random, depth + 1));
        return made;
    }
}

/* A true answer with a part of it exchanged, or something else altogether. */
static json_t *spoil(tac_random *random, json_t *good, int depth)
{
    if (depth > 5 || tac_random_below(random, 3) == 0 ||
        json_object_size(good) + json_array_size(good) == 0) {
        json_decref(good);
        return anything(random, depth);
    }
    if (json_is_array(good)) {
        size_t at = tac_random_below(random, json_array_size(good));
        json_array_set_new(good, at,
                           spoil(random, json_incref(json_array_get(good, at)), depth + 1));
        return good;
    }
    const char *key;
    json_t *value;
    json_object_foreach(good, key, value) if (tac_random_below(random, 2) == 0)
    {
        json_object_set_new(good, key, spoil(random, json_incref(value), depth + 1));
        break;
    }
    return good;
}

static const char *reply_to(const struct reply *replies, const char *call, const char *body)
{
    for (; replies->call; replies++)
        if (!strncmp(call, replies->call, strlen(replies->call)) &&
            (!replies->holds || strstr(body, replies->holds)))
            return replies->value;
    return NULL;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
    (void)version;
    struct end *end = context;
    tac_str *body = *state;
    if (!body) {
        *state = tac_calloc(1, sizeof *body);
        return MHD_YES;
    }
    if (*upload_size) {
        tac_str_add_bytes(body, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    const char *path = !strncmp(url, "/session/s", 10) ? url + 10 : url;
    char *call = tac_format("%s %s ", method, path);
    const char *value = reply_to(end->replies, call, tac_str_text(body));
    if (!value)
        value = reply_to(end->last, call, tac_str_text(body));
    json_t *document = json_pack("{s:o}", "value", json_loads(value, JSON_DECODE_ANY, NULL));
    bool plain_nonsense = false;
    if (end->nonsense && strcmp(path, "/status") != 0 && tac_random_below(end->nonsense, 8) == 0) {
        plain_nonsense = tac_random_below(end->nonsense, 20) == 0;
        document = spoil(end->nonsense, document, 0);
    }
    char *text = plain_nonsense ? tac_strdup("<html>") : json_dumps(document, JSON_ENCODE_ANY);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    free(text);
    free(call);
    json_decref(document);
    tac_str_free(body);
    free(body);
    *state = NULL;
    return result;
}

static void start(struct end *end, const struct reply *replies)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *end = (struct end){.replies = replies, .last = chromium};
    end->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, end,
                                   MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
    REQUIRE(end->daemon);
    snprintf(end->uri, sizeof end->uri, "webdriver+http://127.0.0.1:%u",
             MHD_get_daemon_info(end->daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
}

static tac_device *open_at(const struct end *end)
{
    tac_device_options options = {.app = "http://app/a/b", .deadline = 2};
    tac_device *device = NULL;
    REQUIRE_OK(tac_device_open(end->uri, &options, &device, &sim_error));
    return device;
}

TEST(a_page_is_launched_seen_and_touched)
{
    struct end end;
    start(&end, nothing);
    tac_device *device = open_at(&end);
    tac_foreground front;
    const tac_ui *ui;
    tac_log_line line;
    bool more;
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    REQUIRE_OK(tac_device_foreground(device, 0, &front, &sim_error));
    CHECK_STR(front.package, "app");
    CHECK_STR(front.activity, "b"); /* below the folder of the address */
    REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
    CHECK_EQ(ui->count, 2);
    CHECK_STR(ui->nodes[1].resource_id, "go");
    REQUIRE_OK(tac_device_log(device, &line, &more, &sim_error));
    CHECK(more);
    CHECK_STR(line.tag, TAC_LOG_EVENT_TAG);
    CHECK_STR(line.message, "Started");
    tac_gesture click = {.kind = TAC_ACTION_CLICK, .target = {.xpath = "//node[@text='Go']"}};
    REQUIRE_OK(tac_device_perform(device, &click, 0, &sim_error));
    click.target.xpath = "//node[@text='Stop']";
    CHECK_EQ(tac_device_settle(device, 0, &sim_error), TAC_OK);
    CHECK_EQ(tac_device_perform(device, &click, 0, &sim_error), TAC_E_LIMIT);
    tac_device_free(device);
    MHD_stop_daemon(end.daemon);
}

static const char broken[] =
    "{\"error\":\"unknown error\",\"message\":\"stringify is not a function\"}";

/* A finger needs neither the driver's actions nor its scripts; that it could not be put down is
 * told, and it is not lifted then. */
TEST(a_finger_goes_through_devtools_alone)
{
    struct reply fallen[] = {{"POST /actions", NULL, broken},
                             {"POST /goog/cdp/execute", "touchEnd", "{}"},
                             {"POST /goog/cdp/execute", "touchStart", "{}"},
                             {NULL, NULL, NULL}};
    for (int lost = 0; lost < 3; lost++) {
        struct end end;
        fallen[1].value = lost == 1 ? broken : "{}";
        fallen[2].value = lost == 2 ? broken : "{}";
        start(&end, fallen);
        tac_device *device = open_at(&end);
        REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
        tac_gesture click = {.kind = TAC_ACTION_CLICK, .target = {.xpath = "//node[@text='Go']"}};
        CHECK_EQ(tac_device_perform(device, &click, 0, &sim_error), lost ? TAC_E_DEVICE : TAC_OK);
        tac_device_free(device);
        MHD_stop_daemon(end.daemon);
    }
}

/* A driver that falls over its own script in the page: the mouse goes another way, and only if the
 * page has not felt it. */
TEST(a_drag_that_the_driver_could_not_make_goes_through_devtools)
{
    struct reply fallen[] = {
        {"POST /actions", NULL, broken},
        {"POST /goog/cdp/execute", ".input !== null", "{\"result\":{\"value\":false}}"},
        {"POST /goog/cdp/execute", ".place(",
         "{\"result\":{\"value\":{\"x\":60,\"y\":40,\"finger\":true}}}"},
        {"POST /goog/cdp/execute", "dispatchMouseEvent", "{}"},
        {NULL, NULL, NULL}};
    for (int felt = 0; felt < 2; felt++) {
        struct end end;
        if (felt)
            fallen[1].value = "{\"result\":{\"value\":true}}";
        start(&end, fallen);
        tac_device *device = open_at(&end);
        const tac_ui *ui;
        REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
        REQUIRE_OK(tac_device_snapshot(device, 0, &ui, &sim_error));
        tac_gesture drag = {
            .kind = TAC_ACTION_DRAG, .value = "down", .target = {.xpath = "//node[@text='Go']"}};
        tac_status status = tac_device_perform(device, &drag, 0, &sim_error);
        CHECK_EQ(status, felt ? TAC_E_DEVICE : TAC_OK);
        tac_device_free(device);
        MHD_stop_daemon(end.daemon);
    }
}

static void add_type(void *context, json_t *message)
{
    const char *label = json_string_value(json_object_get(message, "event"));
    tac_str_addf(context, "%s%s%s;", json_string_value(json_object_get(message, "type")),
                 label ? " " : "", label ? label : "");
}

static void add_nothing(void *context, const char *kind, const char *type, const char *message,
                        const char *stack)
{
    (void)context, (void)kind, (void)type, (void)message, (void)stack;
}

/* A page that is left tells its last callback as it runs; its end may go with the page. */
TEST(callbacks_of_a_page_that_is_left_end_with_it)
{
    static const char left[] = "p\x1e"
                               "b\x1f"
                               "click //a #1\x1f\x1fweb.Target\x1fvoid event()\x1fu\x1f"
                               "1\x1fow1:web.Target\x1e"
                               "c\x1fweb.Node\x1fvoid write(String)\x1f\x1f"
                               "1\x1fon2:web.Node\x1e";
    static const char next[] = "p\x1e"
                               "b\x1f"
                               "click //b #1\x1f\x1fweb.Target\x1fvoid event()\x1fu\x1f"
                               "1\x1fow1:web.Target\x1e"
                               "e\x1e"
                               "e\x1e";
    tac_str told = {0};
    struct wd_told state = {0};
    tac_recorder_sink sink = {.context = &told, .message = add_type, .failure = add_nothing};
    wd_recorded_lines(left, sizeof left - 1, &state, &sink);
    CHECK(state.open);
    wd_recorded_lines(next, sizeof next - 1, &state, &sink);
    CHECK(!state.open);
    CHECK_STR(tac_str_text(&told), "callback_entry click //a #1;callin_entry;callin_exit;"
                                   "callback_exit;callback_entry click //b #1 @2;callback_exit;");
    tac_str_free(&told);
}

/* The same stack, whichever browser wrote it. */
TEST(stacks_of_chromium_and_webkit_are_read_alike)
{
    static const char *const stacks[] = {
        "TypeError: a@b\\n    at play (http://app/p.js:4:2)\\n    at http://app/p.js:9:1",
        "play@http://app/p.js:4:2\\n@http://app/p.js:9:1"};
    for (size_t i = 0; i < 2; i++) {
        char *taken = tac_format("{\"result\":{\"value\":[[],[[5,\"TypeError\",\"a@b\",\"%s\"],[6,"
                                 "\"Error\",\"later\",\"\"]],"
                                 "0]}}",
                                 stacks[i]);
        const struct reply replies[] = {{"POST /goog/cdp/execute", ".take(", taken},
                                        {NULL, NULL, NULL}};
        struct end end;
        tac_crash crash;
        start(&end, replies);
        tac_device *device = open_at(&end);
        REQUIRE_OK(tac_device_crash(device, &crash, &sim_error));
        CHECK(crash.crashed);
        CHECK_STR(crash.exception, "TypeError");
        CHECK_EQ(crash.stack_count, 2);
        CHECK_STR(crash.stack[0], "play (http://app/p.js:4:2)");
        CHECK_STR(crash.stack[1], "http://app/p.js:9:1");
        tac_device_free(device);
        MHD_stop_daemon(end.daemon);
        free(taken);
    }
}

#define EVENT(method, parameters)                                                                  \
    "{\"message\":\"{\\\"message\\\":{\\\"method\\\":\\\"Network." method                          \
    "\\\",\\\"params\\\":{\\\"requestId\\\":\\\"1\\\"," parameters "}}}\"},"

TEST(bytes_are_counted_by_request_and_in_sum)
{
    static const char log[] = "[" EVENT(
        "requestWillBeSent",
        "\\\"timestamp\\\":10,\\\"wallTime\\\":1000,\\\"request\\\":{\\\"url\\\":\\\"http://app/"
        "song\\\",\\\"method\\\":\\\"GET\\\",\\\"headers\\\":{\\\"A\\\":\\\"b\\\"}}")
        EVENT("requestWillBeSentExtraInfo",
              "\\\"headers\\\":{\\\"Host\\\":\\\"app\\\",\\\"A\\\":\\\"b\\\"}")
            EVENT("dataReceived", "\\\"encodedDataLength\\\":700")
                EVENT("responseReceived", "\\\"response\\\":{\\\"status\\\":200}") EVENT(
                    "loadingFinished", "\\\"timestamp\\\":12,\\\"encodedDataLength\\\":1000") "{}]";
    const struct reply replies[] = {{"POST /se/log ", NULL, log}, {NULL, NULL, NULL}};
    struct end end;
    start(&end, replies);
    tac_device *device = open_at(&end);
    tac_log_line line;
    bool more;
    CHECK_EQ(probe(device, "rxData"), 1000);
    /* "GET /song HTTP/1.1", "Host: app", "A: b", an empty line, each with its CRLF */
    CHECK_EQ(probe(device, "txData"), 2 * (20 + 11 + 6 + 2)); /* the log was read once more */
    REQUIRE_OK(tac_device_log(device, &line, &more, &sim_error));
    CHECK(more);
    CHECK_STR(line.raw, "I request: GET http://app/song 200 received 1000 sent 39");
    CHECK_EQ(line.time, INT64_C(1002000000000));
    tac_device_free(device);
    MHD_stop_daemon(end.daemon);
}

TEST(alerts_without_end_are_an_error)
{
    static const struct reply replies[] = {
        {"POST /url", NULL, "{\"error\":\"unexpected alert open\",\"message\":\"again\"}"},
        {NULL, NULL, NULL}};
    struct end end;
    start(&end, replies);
    tac_device *device = open_at(&end);
    CHECK_EQ(tac_device_launch(device, 0, &sim_error), TAC_E_DEVICE);
    CHECK(strstr(sim_error.message, "one alert after another"));
    tac_device_free(device);
    MHD_stop_daemon(end.daemon);
}

/* Whatever the other end says: an error or an answer, in bounds, and nothing is lost. */
TEST(nonsense_is_survived)
{
    static const struct reply native[] = {
        {"POST /session ", NULL,
         "{\"sessionId\":\"s\",\"capabilities\":{\"platformName\":\"Android\"}}"},
        {"GET /source", NULL,
         "\"<hierarchy><a.B class='a.B' package='p' text='Go' clickable='true' "
         "enabled='true'/></hierarchy>\""},
        {"POST /execute/sync", "mobile: ", "null"},
        {"POST /se/log", NULL,
         "[{\"timestamp\":1,\"message\":\"01-02 03:04:05.678  1  2 E AndroidRuntime: FATAL "
         "EXCEPTION: main\"}]"},
        {NULL, NULL, NULL}};
    size_t opened = 0;
    for (uint64_t seed = 1; seed <= test_scale(150); seed++) {
        tac_random random;
        struct end end;
        tac_random_seed(&random, seed);
        start(&end, seed % 2 ? nothing : native);
        end.nonsense = &random;
        tac_device_options options = {.app = seed % 2 ? "http://app/" : "p", .deadline = 0.2};
        tac_device *device = NULL;
        if (tac_device_open(end.uri, &options, &device, &sim_error) == TAC_OK) {
            tac_gesture click = {.kind = TAC_ACTION_CLICK,
                                 .target = {.xpath = "//node[@text='Go']"}};
            const tac_ui *ui;
            tac_foreground front;
            tac_crash crash;
            tac_log_line line;
            bool more = false;
            opened++;
            tac_device_reset(device, 0, 0.2, &sim_error);
            tac_device_launch(device, 0.2, &sim_error);
            tac_device_perform(device, &click, 0.2, &sim_error);
            if (tac_device_snapshot(device, 0.2, &ui, &sim_error) == TAC_OK)
                free(tac_ui_to_xml(ui));
            tac_device_foreground(device, 0.2, &front, &sim_error);
            tac_device_crash(device, &crash, &sim_error);
            probe(device, "responseTime");
            while (tac_device_log(device, &line, &more, &sim_error) == TAC_OK && more)
                CHECK(line.raw && line.tag && line.message);
            tac_device_free(device);
        }
        MHD_stop_daemon(end.daemon);
    }
    CHECK(opened > test_scale(150) / 4);
}
