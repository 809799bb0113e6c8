/* The store: rows survive a kill between files and rows, twice is refused, strangers are refused.
 */
#include "store/store.h"
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

TEST(strangers_are_refused)
{
    tac_store *store;
    tac_error err;
    CHECK_EQ(tac_store_open(test_temporary("none"), false, &store, &err), TAC_E_IO);
    CHECK_CONTAINS(err.message, "give the folder of a campaign");
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
