/* What a store promises wherever it is kept: rows in order and once, settings and documents
 * replaced, what was committed survives a kill, files come back, a copy is exact. With the address
 * of a database in TACTUS_TEST_DATABASE the places are campaigns of it, and its queue is tried too.
 */
#include "store/queue.h"
#include "tactus/verdict.h"
#include "tactus_test.h"
#include <signal.h>
#include <sys/wait.h>

static const char *place(const char *name)
{
    static char address[4][400];
    static unsigned next;
    const char *database = getenv("TACTUS_TEST_DATABASE");
    if (!database)
        return test_temporary(name);
    char *text = address[next++ % 4];
    snprintf(text, sizeof address[0], "%s#unit-%s", database, name);
    return text;
}

static tac_store *fresh(const char *name)
{
    tac_store *store;
    tac_error err = {0};
    tac_status status = tac_store_open(place(name), true, &store, &err);
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
    CHECK_EQ(tac_store_set(store, "plan", "{\"runs\":1}", &err), TAC_OK);
    CHECK_EQ(tac_store_set(store, "plan", "{\"runs\":2}", &err), TAC_OK);
    CHECK_EQ(tac_store_set(store, "plan", "none", &err), TAC_E_INPUT);
    CHECK_EQ(tac_store_set(store, "plan", "{\"rums\":2}", &err), TAC_E_INPUT);
    CHECK_EQ(tac_store_get(store, "plan", &value, &err), TAC_OK);
    CHECK_STR(value, "{\"runs\":2}");
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
    const char *folder = place("killed");
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

static bool name_of(void *context, const char *name)
{
    snprintf(context, 100, "%s", name);
    return true;
}

static bool same_content(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    bool same = file != NULL;
    for (; same && *text; text++)
        same = fgetc(file) == *text;
    same = same && fgetc(file) == EOF;
    if (file)
        fclose(file);
    return same;
}

TEST(files_come_back_as_they_were)
{
    tac_store *store = fresh("files");
    tac_error err;
    char *large = malloc(3000001), name[100] = "";
    for (size_t i = 0; i < 3000000; i++)
        large[i] = (char)('a' + i * i % 23);
    large[3000000] = '\0';
    const char *path = test_write("large", large), *back = test_temporary("large-back");
    CHECK_EQ(tac_store_put_file(store, "traces/000001.jsonl", path, &err), TAC_OK);
    CHECK_EQ(tac_store_put_file(store, "traces/000001.jsonl", path, &err), TAC_OK);
    CHECK_EQ(tac_store_commit(store, &err), TAC_OK);
    CHECK_EQ(tac_store_each_file(store, name_of, name, &err), TAC_OK);
    CHECK_STR(name, "traces/000001.jsonl");
    REQUIRE(tac_store_get_file(store, name, back, &err) == TAC_OK);
    CHECK(same_content(back, large));
    CHECK_EQ(tac_store_get_file(store, "traces/000002.jsonl", back, &err), TAC_E_INPUT);
    free(large);
    tac_store_close(store, NULL);
}

TEST(a_copy_has_every_row)
{
    tac_store *store = fresh("original");
    tac_error err;
    json_t *document = json_pack("{s:s}", "verdict", "violated");
    for (int64_t i = 0; i < 1300; i++)
        CHECK_EQ(tac_store_add_run(store,
                                   &(tac_store_run){.id = i,
                                                    .kind = "flow",
                                                    .name = "\xc3\xa4 'quoted'",
                                                    .seed = UINT64_MAX,
                                                    .seconds = 0.1 + 1e-17 * (double)i,
                                                    .verdict = "pass"},
                                   &err),
                 TAC_OK);
    CHECK_EQ(tac_store_add_verdict(store, 7, "p", tac_answer_name(TAC_VIOLATED), document, &err),
             TAC_OK);
    json_decref(document);
    CHECK_EQ(tac_store_close(store, &err), TAC_OK);
    tac_store_copied copied;
    char from[400];
    snprintf(from, sizeof from, "%s", place("original"));
    REQUIRE(tac_store_copy(from, place("copy"), NULL, &copied, &err) == TAC_OK);
    CHECK_EQ(copied.runs, 1300);
    CHECK_EQ(copied.verdicts, 1);
    CHECK_EQ(tac_store_copy(from, place("copy"), NULL, &copied, &err), TAC_E_INPUT);
    REQUIRE(tac_store_open(place("copy"), false, &store, &err) == TAC_OK);
    int64_t next = 0;
    CHECK_EQ(tac_store_each_run(store, count_run, &next, &err), TAC_OK);
    CHECK_EQ(next, 1300);
    tac_store_close(store, NULL);
}

/* Adds a run with its verdict and its trace, "trace" unless it is damaged. */
static void add_whole_run(tac_store *store, int64_t id, int number, const char *trace)
{
    tac_error err;
    char name[40];
    snprintf(name, sizeof name, "traces/%06d.jsonl", number);
    json_t *document = json_object();
    tac_store_run run = {.id = id,
                         .kind = "flow",
                         .verdict = "pass",
                         .trace = name,
                         .trace_size = 5, /* of "trace" */
                         .trace_digest = "eafe895eb8119e6e5d06463590b2ef81"
                                         "b3651c157d5c8e18f1889186c7fd0ac0"};
    CHECK_EQ(tac_store_put_file(store, name, test_write("trace", trace), &err), TAC_OK);
    CHECK_EQ(tac_store_add_run(store, &run, &err), TAC_OK);
    CHECK_EQ(tac_store_add_verdict(store, id, "p", tac_answer_name(TAC_HOLDS), document, &err),
             TAC_OK);
    CHECK_EQ(tac_store_commit(store, &err), TAC_OK);
    json_decref(document);
}

struct busy_source {
    tac_watch watch;
    tac_store *source;
    int64_t next;
};

static bool add_meanwhile(tac_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    (void)what;
    (void)done;
    (void)total;
    struct busy_source *busy = (struct busy_source *)watch;
    add_whole_run(busy->source, busy->next, (int)busy->next, "trace");
    busy->next++;
    return true;
}

/* A run that is added while the campaign is copied is in the copy as a whole or not at all. */
TEST(a_copy_is_of_one_moment)
{
    struct busy_source busy = {.watch.tick = add_meanwhile, .source = fresh("busy"), .next = 3};
    tac_error err;
    for (int64_t i = 0; i < busy.next; i++)
        add_whole_run(busy.source, i, (int)i, "trace");
    char from[400], to[400];
    snprintf(from, sizeof from, "%s", place("busy"));
    snprintf(to, sizeof to, "%s", place("moment"));
    tac_store_copied copied;
    REQUIRE(tac_store_copy(from, to, &busy.watch, &copied, &err) == TAC_OK);
    CHECK(busy.next > 3);
    CHECK_EQ(copied.runs, 3);
    CHECK_EQ(copied.verdicts, 3);
    CHECK_EQ(copied.files, 3); /* not the traces of the others */
    tac_store *copy;
    tac_store_check count;
    REQUIRE(tac_store_open(to, false, &copy, &err) == TAC_OK);
    CHECK_EQ(tac_store_verify(copy, NULL, &count, &err), TAC_OK);
    CHECK_EQ(count.runs, 3);
    CHECK_EQ(count.traces, 3);
    CHECK_EQ(count.damaged, 0);
    tac_store_close(copy, NULL);
    tac_store_close(busy.source, NULL);
}

static bool stop_late(tac_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    (void)watch;
    (void)what;
    (void)total;
    return done < 1150;
}

TEST(a_copy_that_was_cut_can_be_made_again)
{
    tac_store *store = fresh("whole");
    tac_error err;
    for (int64_t i = 0; i < 1200; i++)
        CHECK_EQ(tac_store_add_run(
                     store, &(tac_store_run){.id = i, .kind = "flow", .verdict = "pass"}, &err),
                 TAC_OK);
    CHECK_EQ(tac_store_close(store, &err), TAC_OK);
    char from[400], to[400];
    snprintf(from, sizeof from, "%s", place("whole"));
    snprintf(to, sizeof to, "%s", place("cut"));
    tac_store_copied copied;
    int64_t runs = 0;
    CHECK_EQ(tac_store_copy(from, to, &(tac_watch){.tick = stop_late}, &copied, &err),
             TAC_E_INTERRUPTED);
    REQUIRE(tac_store_open(to, false, &store, &err) == TAC_OK);
    CHECK_EQ(tac_store_count_runs(store, NULL, &runs, &err), TAC_OK);
    CHECK_EQ(runs, 0);
    tac_store_close(store, NULL);
    CHECK_EQ(tac_store_copy(from, to, NULL, &copied, &err), TAC_OK);
    CHECK_EQ(copied.runs, 1200);
}

static bool is_wanted(void *context, const char *name)
{
    const char **wanted = context;
    if (*wanted && !strcmp(*wanted, name))
        *wanted = NULL;
    return true;
}

static bool has_file(tac_store *store, const char *name)
{
    tac_error err;
    CHECK_EQ(tac_store_each_file(store, is_wanted, &name, &err), TAC_OK);
    return !name;
}

TEST(repair_loses_no_trace)
{
    tac_error err;
    tac_store_check count;
    tac_store *store = fresh("repaired");
    for (int64_t i = 0; i < 2; i++) { /* the second time, the first one lies aside already */
        add_whole_run(store, 10 + i, 0, i ? "second" : "first");
        CHECK_EQ(tac_store_repair(store, NULL, &count, &err), TAC_OK);
        CHECK_EQ(count.damaged, 1);
    }
    const char *back = test_temporary("aside-back");
    REQUIRE(tac_store_get_file(store, "aside/000000.jsonl", back, &err) == TAC_OK);
    CHECK(same_content(back, "first"));
    REQUIRE(tac_store_get_file(store, "aside/000000.jsonl.2", back, &err) == TAC_OK);
    CHECK(same_content(back, "second"));
    CHECK(!has_file(store, "traces/000000.jsonl"));

    add_whole_run(store, 1, 1, "trace");
    tac_store_run liar = {.id = 2,
                          .kind = "flow",
                          .verdict = "pass",
                          .trace = "traces/000001.jsonl", /* which is another's */
                          .trace_size = 7,
                          .trace_digest = "0000000000000000000000000000000"
                                          "000000000000000000000000000000000"};
    CHECK_EQ(tac_store_add_run(store, &liar, &err), TAC_OK);
    CHECK_EQ(tac_store_put_file(store, "model.xml", test_write("m", "<m/>"), &err), TAC_OK);
    liar.id = 3;
    liar.trace = "model.xml"; /* which is no trace */
    CHECK_EQ(tac_store_add_run(store, &liar, &err), TAC_OK);
    CHECK_EQ(tac_store_commit(store, &err), TAC_OK);
    CHECK_EQ(tac_store_repair(store, NULL, &count, &err), TAC_OK);
    CHECK_EQ(count.damaged, 2);
    CHECK(has_file(store, "traces/000001.jsonl"));
    CHECK(has_file(store, "model.xml"));
    CHECK_EQ(tac_store_verify(store, NULL, &count, &err), TAC_OK);
    CHECK_EQ(count.damaged, 0);
    CHECK_EQ(count.runs, 1);
    tac_store_close(store, NULL);
}

/* --- the queue --- */

TEST(a_run_is_taken_once_and_a_late_answer_is_refused)
{
    tac_store *store = fresh("queue");
    tac_error err;
    tac_store_lease first[4], second[4];
    size_t count = 0;
    tac_store_order order = {.worker = "one", .seconds = 0.05, .most = 2};
    if (!getenv("TACTUS_TEST_DATABASE")) {
        CHECK_EQ(tac_store_take(store, &order, first, &count, &err), TAC_E_USAGE);
        tac_store_close(store, NULL);
        return;
    }
    REQUIRE(tac_store_plan_runs(store, 3, false, &err) == TAC_OK);
    REQUIRE(tac_store_plan_runs(store, 3, false, &err) == TAC_OK); /* twice is once */
    CHECK_EQ(tac_store_take(store, &order, first, &count, &err), TAC_OK);
    CHECK_EQ(count, 2);
    CHECK_EQ(first[0].run, 0);
    CHECK_EQ(first[1].run, 1);
    usleep(120000); /* beyond the lease */
    order = (tac_store_order){.worker = "two", .seconds = 60, .most = 4};
    CHECK_EQ(tac_store_take(store, &order, second, &count, &err), TAC_OK);
    CHECK_EQ(count, 3);
    bool accepted, done;
    CHECK_EQ(tac_store_hand_in(store, &first[0], &accepted, &done, &err), TAC_OK);
    CHECK(!accepted && !done); /* late */
    CHECK_EQ(tac_store_hand_in(store, &second[0], &accepted, &done, &err), TAC_OK);
    CHECK(accepted);
    CHECK_EQ(tac_store_add_run(store, &(tac_store_run){.id = 0, .kind = "flow", .verdict = "pass"},
                               &err),
             TAC_OK);
    CHECK_EQ(tac_store_commit(store, &err), TAC_OK);
    CHECK_EQ(tac_store_hand_in(store, &second[0], &accepted, &done, &err), TAC_OK);
    CHECK(!accepted && done); /* the same answer again */
    tac_store_rollback(store);
    CHECK_EQ(tac_store_give_back(store, &second[1], "two", "no device", &err), TAC_OK);
    CHECK_EQ(tac_store_take(store, &order, second, &count, &err), TAC_OK);
    CHECK_EQ(count, 0); /* two has failed it, and holds the other */
    tac_store_queue_count queue;
    CHECK_EQ(tac_store_count_queue(store, &queue, &err), TAC_OK);
    CHECK_EQ(queue.open, 1);
    CHECK_EQ(queue.leased, 1);
    CHECK_EQ(queue.given_up, 0);
    tac_store_close(store, NULL);
}
