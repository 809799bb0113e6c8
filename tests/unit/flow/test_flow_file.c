/* Flow files: what is written reads back, and every mistake has its place. */
#include "flow/file.h"
#include "flow_helpers.h"
#include "reference_flows.h"
#include "tactus_test.h"

TEST(what_is_written_reads_back)
{
    tac_model *model = load_model(test_source("examples/chat/chat.model.xml"));
    tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = 7});
    const char *path = test_temporary("flows.jsonl");
    FILE *out = fopen(path, "w");
    uint64_t listed = 0, read = 0;
    CHECK_EQ(tac_flow_list_jsonl(engine, 0, out, &listed, NULL), TAC_OK);
    fclose(out);
    tac_flow_file *file;
    const tac_flow *flow;
    bool times = false, actions = false, systems = false, channels = false, devices = false;
    REQUIRE(tac_flow_file_open(path, &file, NULL) == TAC_OK);
    char *again = NULL;
    size_t size;
    FILE *copy = open_memstream(&again, &size);
    while (tac_flow_file_next(file, &flow, NULL) == TAC_OK && flow) {
        read++;
        CHECK_EQ(tac_flow_file_line(file), read);
        CHECK_STR(flow->model, "chat");
        CHECK_EQ(flow->start_count, 2);
        for (size_t i = 0; i < flow->step_count; i++) {
            times |= flow->steps[i].time > 0;
            actions |= flow->steps[i].action_count > 1;
            systems |= flow->steps[i].kind == TAC_EVENT_SYSTEM;
            channels |= flow->steps[i].sends && !strcmp(flow->steps[i].sends, "message");
            devices |= !strcmp(flow->steps[i].device, "bob");
        }
        CHECK_EQ(tac_flow_write(flow, copy, NULL), TAC_OK);
    }
    fclose(copy);
    tac_flow_file_close(file);
    CHECK_EQ(read, listed);
    CHECK(times && actions && systems && channels && devices);
    FILE *first = fopen(path, "r");
    char *original = calloc(1, size + 1);
    CHECK_EQ(fread(original, 1, size, first), size);
    fclose(first);
    CHECK(!memcmp(original, again, size));
    free(original);
    free(again);
    tac_flow_engine_free(engine);
    tac_model_free(model);
}

/* "LINE:COLUMN: message" of the first error in a text, or "" */
static const char *first_error(const char *text)
{
    static char message[1200];
    tac_flow_file *file;
    const tac_flow *flow;
    tac_error err = {0};
    REQUIRE(tac_flow_file_open(test_write("bad.jsonl", text), &file, &err) == TAC_OK);
    tac_status status;
    while ((status = tac_flow_file_next(file, &flow, &err)) == TAC_OK && flow)
        continue;
    tac_flow_file_close(file);
    snprintf(message, sizeof message, "%zu:%zu: %s", err.line, err.column, err.message);
    return status == TAC_OK ? "" : message;
}

#define GOOD "{\"kind\":\"exit\",\"steps\":[{\"event\":\"e\"}]}\n"

TEST(mistakes_have_their_place)
{
    CHECK_STR(first_error(GOOD "\n  \n" GOOD), "");
    CHECK_CONTAINS(first_error(GOOD "{\"kind\":\"exit\",\"steps\":[{}]}"), "2:");
    CHECK_CONTAINS(first_error(GOOD "{\"kind\":\"exit\",\"steps\":[{}]}"), "\"event\" is missing");
    CHECK_CONTAINS(first_error(GOOD GOOD "{\"kind\":\"exitt\",\"steps\":[]}"),
                   "3:9: the kind of a flow");
    CHECK_CONTAINS(first_error("[]"), "expected one flow");
    CHECK_CONTAINS(first_error("{\"kind\":\"exit\"}"), "\"steps\" must be an array");
    CHECK_CONTAINS(first_error("{\"kind\":\"exit\",\"steps\":[{\"event\":1}]}"), "must be a text");
    CHECK_CONTAINS(first_error("{\"kind\":\"exit\",\"steps\":[{\"event\":\"e\",\"time\":-1}]}"),
                   "\"time\" must be");
    CHECK_CONTAINS(first_error("{\"kind\":\"exit\",\"steps\":[{\"event\":\"e\",\"kind\":\"x\"}]}"),
                   "\"user\" or \"system\"");
    CHECK_CONTAINS(
        first_error("{\"kind\":\"exit\",\"steps\":[{\"event\":\"e\",\"actions\":[{\"kind\":"
                    "\"tap\"}]}]}"),
        "unknown kind of action 'tap'");
    CHECK_CONTAINS(first_error("{\"kind\":\"exit\",\"steps\":[{\"event\":\"e\",\"states\":[1]}]}"),
                   "array of texts");
    CHECK_CONTAINS(first_error(GOOD "{\"kind\":"), "2:");
    CHECK_CONTAINS(first_error("{\"kind\":\"exit\",\"steps\":[],\"start\":{}}"),
                   "\"start\" must be");
}
