/* The store: rows survive a kill between files and rows, twice is refused, strangers are refused.
 */
#include "tactus/store.h"
#include "tactus_test.h"
#include <signal.h>
#include <sys/wait.h>

static tac_store *fresh(const char *name)
{
    tac_store *store;
    tac_error err = {0};
    tac_status status = tac_store_open(test_temporary(name), true, &store, &err);
    if (status != TAC_OK)
        fprintf(stderr, "%s\n", err.message);
    REQUIRE(status == TAC_OK);
    return store;
}

static bool count_run(void *context, const tac_store_run *run)
{
    int64_t *next = context;
    CHECK_EQ(run->id, *next);
    ++*next;
    return true;
}

TEST(runs_come_back_in_order_and_only_once)
{
    tac_store *store = fresh("a");
    tac_error err;
    for (int64_t i = 9; i >= 0; i--)
        CHECK_EQ(tac_store_add_run(store,
                                   &(tac_store_run){.id = i,
                                                    .kind = "flow",
                                                    .name = "n",
                                                    .seed = UINT64_MAX,
                                                    .verdict = i % 2 ? "pass" : "crash"},
                                   &err),
                 TAC_OK);
    CHECK_EQ(tac_store_add_run(store, &(tac_store_run){.id = 3, .kind = "flow", .verdict = "pass"},
                               &err),
             TAC_E_INTERNAL);
    int64_t next = 0, count = 0;
    CHECK_EQ(tac_store_each_run(store, count_run, &next, &err), TAC_OK);
    CHECK_EQ(next, 10);
    CHECK_EQ(tac_store_count_runs(store, "crash", &count, &err), TAC_OK);
    CHECK_EQ(count, 5);
    CHECK_EQ(tac_store_count_runs(store, NULL, &count, &err), TAC_OK);
    CHECK_EQ(count, 10);
    bool has;
    CHECK_EQ(tac_store_has_run(store, 10, &has, &err), TAC_OK);
    CHECK(!has);
    CHECK_EQ(tac_store_close(store, &err), TAC_OK);
}

static bool first_document(void *context, const char *kind, const char *name,
                           const json_t *document)
{
    CHECK_STR(kind, "rules");
    CHECK_STR(name, "phone");
    *(json_int_t *)context = json_integer_value(json_object_get(document, "faults"));
    return true;
}

TEST(settings_and_documents_are_replaced)
{
    tac_store *store = fresh("b");
    tac_error err;
    char *value;
    CHECK_EQ(tac_store_get(store, "plan", &value, &err), TAC_OK);
    CHECK(!value);
    CHECK_EQ(tac_store_set(store, "plan", "one", &err), TAC_OK);
    CHECK_EQ(tac_store_set(store, "plan", "two", &err), TAC_OK);
    CHECK_EQ(tac_store_get(store, "plan", &value, &err), TAC_OK);
    CHECK_STR(value, "two");
    free(value);
    for (int faults = 1; faults < 3; faults++) {
        json_t *document = json_pack("{s:i}", "faults", faults);
        CHECK_EQ(tac_store_put_document(store, "rules", "phone", document, &err), TAC_OK);
        json_decref(document);
    }
    json_int_t faults = 0;
    CHECK_EQ(tac_store_each_document(store, first_document, &faults, &err), TAC_OK);
    CHECK_EQ(faults, 2);
    tac_store_close(store, NULL);
}

TEST(committed_rows_survive_a_kill)
{
    const char *folder = test_temporary("killed");
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        tac_store *store;
        tac_error err;
        if (tac_store_open(folder, true, &store, &err) != TAC_OK)
            _exit(1);
        for (int64_t i = 0; i < 1000; i++) {
            tac_store_add_run(store, &(tac_store_run){.id = i, .kind = "flow", .verdict = "pass"},
                              &err);
            if (i < 700)
                tac_store_commit(store, &err);
        }
        raise(SIGKILL);
    }
    int state;
    waitpid(child, &state, 0);
    REQUIRE(WIFSIGNALED(state));
    tac_store *store;
    tac_error err;
    REQUIRE(tac_store_open(folder, false, &store, &err) == TAC_OK);
    int64_t next = 0;
    CHECK_EQ(tac_store_each_run(store, count_run, &next, &err), TAC_OK);
    CHECK_EQ(next, 700); /* what was committed, and nothing of the rest */
    tac_store_close(store, NULL);
}

TEST(strangers_are_refused)
{
    tac_store *store;
    tac_error err;
    CHECK_EQ(tac_store_open(test_temporary("none"), false, &store, &err), TAC_E_IO);
    CHECK_CONTAINS(err.message, "tactus run -o");
    CHECK_EQ(tac_store_open("/nonexistent/x/y", true, &store, &err), TAC_E_IO);
    tac_store_close(fresh("strange"), NULL);
    test_write("strange/index.sqlite",
               "this is not a database, it is a text of enough length........"
               "........................................................");
    CHECK_EQ(tac_store_open(test_temporary("strange"), true, &store, &err), TAC_E_IO);
}

TEST(one_writer_at_a_time)
{
    tac_store *first = fresh("shared"), *second, *reader;
    tac_error err;
    CHECK_EQ(tac_store_open(test_temporary("shared"), true, &second, &err), TAC_E_IO);
    CHECK_CONTAINS(err.message, "another tactus is writing");
    CHECK_EQ(tac_store_open(test_temporary("shared"), false, &reader, &err), TAC_OK);
    tac_store_close(reader, NULL);
    tac_store_close(first, NULL);
    CHECK_EQ(tac_store_open(test_temporary("shared"), true, &second, &err), TAC_OK);
    tac_store_close(second, NULL);
}
