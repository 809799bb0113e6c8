/* Giants: a million states, a hundred thousand machines, a silent cycle through all of them. Memory
 * is checked, time is not (bench/bench_model_load shows it); a quadratic step would not end in
 * time. */
#include "model/tools.h"
#include "tactus_test.h"
#include <sys/resource.h>
#include <sys/wait.h>

/* Loads a file in a child, so that its peak memory is its own. The child's exit code: 0 loaded, 1
 * refused, 2 loaded with other figures than wanted. */
static int load_in_child(const char *path, uint32_t nodes, uint32_t transitions, size_t errors,
                         long *megabytes)
{
    pid_t child = fork();
    if (child == 0) {
        tac_diagnostics findings = {0};
        tac_error err;
        tac_model *model = NULL;
        tac_status status = tac_model_load(path, &findings, &model, &err);
        if (status != TAC_OK)
            _exit(findings.errors == errors ? 1 : 2);
        _exit(model->node_count == nodes && model->transition_count == transitions ? 0 : 2);
    }
    int status = -1;
    struct rusage usage;
    REQUIRE(child > 0 && wait4(child, &status, 0, &usage) == child);
    *megabytes = usage.ru_maxrss / 1024;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool memory_counts(void)
{
    return test_scale(10) == 10; /* sanitizers need several times the memory */
}

#define HEAD                                                                                       \
    "<interactionModel xmlns=\"urn:tactus:interaction-model:1\"><device name=\"d\">\n"             \
    "<application name=\"a\" external=\"true\"><activity name=\"v\" external=\"true\">\n"
#define TAIL "</activity></application></device></interactionModel>\n"

TEST(a_million_states_take_less_than_300_megabytes)
{
    const char *path = test_temporary("states.xml");
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    uint32_t count = (uint32_t)test_scale(1000000);
    fputs(HEAD "<stateMachine name=\"m\" external=\"true\">\n<initial to=\"S0\"/>\n", file);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "<state name=\"S%u\"/>\n", i);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "<transition from=\"S%u\" event=\"e%u\" to=\"S%u\"/>\n", i, i % 100,
                (i + 1) % count);
    fputs("</stateMachine>" TAIL, file);
    REQUIRE(!fclose(file));
    long megabytes = 0;
    CHECK_EQ(load_in_child(path, count, count, 0, &megabytes), 0);
    if (memory_counts())
        CHECK(megabytes < 300);
    unlink(path);
}

static const char *write_ring(const char *name, const char *initial, uint32_t count)
{
    const char *path = test_temporary(name);
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(HEAD, file);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file,
                "<stateMachine name=\"m%u\" external=\"%s\"><initial to=\"%s\"/><state name=\"S\"/>"
                "<connection name=\"C\" calls=\"m%u\" returns=\"S\"/>"
                "<transition from=\"S\" event=\"go\" to=\"C\"/></stateMachine>\n",
                i, i ? "false" : "true", initial, (i + 1) % count);
    fputs(TAIL, file);
    REQUIRE(!fclose(file));
    return path;
}

TEST(a_hundred_thousand_machines_and_a_silent_cycle_through_them)
{
    uint32_t count = (uint32_t)test_scale(100000);
    long megabytes = 0;
    const char *path = write_ring("ring.xml", "S", count);
    CHECK_EQ(load_in_child(path, 2 * count, count, 0, &megabytes), 0);
    if (memory_counts())
        CHECK(megabytes < 150);
    unlink(path);
    path = write_ring("silent.xml", "C", count);
    CHECK_EQ(load_in_child(path, 0, 0, (size_t)count + 1, &megabytes), 1);
    unlink(path);
}

/* Each of these is quadratic for a careless checker. */
TEST(many_wrong_names_and_many_calls_of_one_activity_are_linear)
{
    uint32_t count = (uint32_t)test_scale(100000);
    const char *path = test_temporary("wrong.xml");
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(HEAD "<stateMachine name=\"m\" external=\"true\"><initial to=\"S0\"/>\n", file);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "<state name=\"S%u\"/>\n", i);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "<connection name=\"C%u\" calls=\"w\" returns=\"T%u\"/>\n", i, i);
    fputs("</stateMachine></activity><activity name=\"w\">\n", file);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file,
                "<stateMachine name=\"w%u\" external=\"%s\"><initial to=\"S\"/>"
                "<state name=\"S\"/></stateMachine>\n",
                i, i + 1 == count ? "true" : "false");
    fputs(TAIL, file);
    REQUIRE(!fclose(file));
    long megabytes = 0;
    CHECK_EQ(load_in_child(path, 0, 0, count, &megabytes), 1);
    unlink(path);
}
