/* Silent cycles: the number of cycles that loading reports, against the definition by brute force.
 */
#include "base/data/random.h"
#include "model/model.h"
#include "tactus_test.h"

enum { MACHINES = 8, PER_MACHINE = 2, CONNECTIONS = MACHINES * PER_MACHINE };

/* Machines 0-3 are in activity 0, 4-7 in activity 1. Targets: a machine, or MACHINES + activity. */
struct drawn {
    unsigned target[CONNECTIONS];
    int returns[CONNECTIONS]; /* a connection of the same machine, or -1: a state */
    int initial[MACHINES];    /* -1 the state, -2 the final, else a connection of the machine */
    bool external[MACHINES];
};

static void draw(tac_random *random, struct drawn *drawn)
{
    for (int m = 0; m < MACHINES; m++) {
        unsigned kind = (unsigned)tac_random_below(random, 4);
        drawn->initial[m] = kind == 0   ? -1
                            : kind == 1 ? -2
                                        : m * PER_MACHINE + (int)tac_random_below(random, 2);
        drawn->external[m] = m % 4 == 0 || tac_random_below(random, 2);
    }
    for (int c = 0; c < CONNECTIONS; c++) {
        drawn->target[c] = (unsigned)tac_random_below(random, MACHINES + 2);
        drawn->returns[c] = tac_random_below(random, 2)
                                ? -1
                                : c / PER_MACHINE * PER_MACHINE + (int)tac_random_below(random, 2);
    }
}

static tac_model_builder *build(const struct drawn *drawn)
{
    tac_model_builder *builder = tac_model_builder_new("silent", "silent.xml");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activities[2] = {tac_build_activity(builder, application, "A0", true, 0),
                              tac_build_activity(builder, application, "A1", true, 0)};
    char name[32], other[32];
    for (int m = 0; m < MACHINES; m++) {
        snprintf(name, sizeof name, "M%d", m);
        uint32_t machine =
            tac_build_machine(builder, activities[m / 4], name, drawn->external[m], 0);
        tac_build_node(builder, machine, TAC_NODE_STATE, "S", 0);
        tac_build_node(builder, machine, TAC_NODE_FINAL, "F", 0);
        snprintf(name, sizeof name, "C%d", drawn->initial[m]);
        tac_build_initial(builder, machine,
                          drawn->initial[m] == -1   ? "S"
                          : drawn->initial[m] == -2 ? "F"
                                                    : name,
                          0);
        for (int c = m * PER_MACHINE; c < (m + 1) * PER_MACHINE; c++) {
            snprintf(name, sizeof name, "C%d", c);
            uint32_t node = tac_build_node(builder, machine, TAC_NODE_CONNECTION, name, 0);
            bool activity = drawn->target[c] >= MACHINES;
            snprintf(name, sizeof name, "%c%u", activity ? 'A' : 'M',
                     activity ? drawn->target[c] - MACHINES : drawn->target[c]);
            snprintf(other, sizeof other, "C%d", drawn->returns[c]);
            tac_build_call(builder, node, name, drawn->returns[c] < 0 ? "S" : other, false, true);
        }
    }
    return builder;
}

/* leads[c][d]: right after connection c, without reaching a state, connection d is entered. */
static void one_move(const struct drawn *drawn, bool leads[CONNECTIONS][CONNECTIONS])
{
    memset(leads, 0, sizeof(bool[CONNECTIONS][CONNECTIONS]));
    for (int c = 0; c < CONNECTIONS; c++) {
        for (int m = 0; m < MACHINES; m++) {
            bool called = drawn->target[c] == (unsigned)m ||
                          (drawn->target[c] == MACHINES + (unsigned)m / 4 && drawn->external[m]);
            if (!called)
                continue;
            if (drawn->initial[m] >= 0)
                leads[c][drawn->initial[m]] = true;
            if (drawn->initial[m] != -1 && drawn->returns[c] >= 0)
                leads[c][drawn->returns[c]] = true;
        }
    }
}

static size_t count_cycles(bool leads[CONNECTIONS][CONNECTIONS])
{
    for (int k = 0; k < CONNECTIONS; k++)
        for (int i = 0; i < CONNECTIONS; i++)
            for (int j = 0; j < CONNECTIONS; j++)
                leads[i][j] |= leads[i][k] && leads[k][j];
    size_t cycles = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
        bool first = leads[i][i];
        for (int j = 0; j < i; j++)
            first &= !(leads[i][j] && leads[j][i]);
        cycles += first;
    }
    return cycles;
}

TEST(silent_cycles_agree_with_the_definition)
{
    tac_random random;
    tac_random_seed(&random, 7);
    size_t with_cycles = 0;
    for (size_t round = 0; round < test_scale(3000); round++) {
        struct drawn drawn;
        bool leads[CONNECTIONS][CONNECTIONS];
        draw(&random, &drawn);
        tac_diagnostics findings = {0};
        tac_error err;
        tac_model *model = NULL;
        tac_model_builder_finish(build(&drawn), &findings, &model, &err);
        size_t reported = 0;
        for (size_t i = 0; i < findings.count; i++)
            reported += strncmp(findings.at[i].message, "silent cycle", 12) == 0;
        one_move(&drawn, leads);
        size_t wanted = count_cycles(leads);
        CHECK_EQ(reported, wanted);
        with_cycles += wanted > 0;
        tac_diagnostics_free(&findings);
        tac_model_free(model);
    }
    CHECK(with_cycles > 0); /* the draw does make cycles */
}

TEST(a_call_of_oneself_without_reuse_is_no_silent_cycle)
{
    tac_model_builder *builder = tac_model_builder_new("self", "self.xml");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
    tac_build_node(builder, machine, TAC_NODE_STATE, "S", 0);
    uint32_t node = tac_build_node(builder, machine, TAC_NODE_CONNECTION, "C", 0);
    tac_build_call(builder, node, "m", "S", false, true);
    tac_build_initial(builder, machine, "S", 0);
    tac_build_transition(builder, machine, "S", "again", "C", -1, -1, 1, NULL, NULL, 0);
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = NULL;
    CHECK(tac_model_builder_finish(builder, &findings, &model, &err) == TAC_OK);
    CHECK_EQ(findings.count, 0);
    tac_model_free(model);
}
