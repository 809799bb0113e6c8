/* SPIN as the outside oracle: run on our exported Promela it enumerates the same flows, with their
 * kinds, and with the never claim of a requirement the same witnesses. Sets of lines are compared.
 */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/process/process.h"
#include "flow/export.h"
#include "flow/file.h"
#include "flow_helpers.h"
#include "quick_cc.h"
#include "random_models.h"
#include "reference_flows.h"
#include "tactus_test.h"

struct collecting {
    tac_flow_engine *engine;
    string_list lines;
};

static bool collect(void *context, const tac_flow_path *path)
{
    struct collecting *in = context;
    tac_str line = {0};
    if (path->kind == TAC_FLOW_WITNESS)
        tac_str_add(&line, "WITNESS:");
    else
        tac_str_addf(&line, "FLOW %s:", tac_flow_kind_name(path->kind));
    for (uint32_t i = 0; i < path->length; i++)
        tac_str_addf(&line, " %s", tac_flow_path_event(in->engine, path, i));
    string_list_add(&in->lines, tac_str_take(&line));
    return true;
}

/* The lines that SPIN prints for an exported model. */
static bool spin_lines(const tac_model *model, uint32_t length, const tac_requirement *requirement,
                       string_list *out)
{
    const char *path = test_temporary("m.pml");
    tac_diagnostics findings = {0};
    FILE *file = fopen(path, "w");
    CHECK_EQ(tac_promela_write(model, length, requirement, &findings, file, NULL), TAC_OK);
    fclose(file);
    tac_diagnostics_free(&findings);
    char *script = tac_format("cd %s && spin -a m.pml >spin.log 2>&1 && " QUICK_CC " -w -DSAFETY "
                              "-DNOREDUCE -DPRINTF -DVECTORSZ=4096 -o pan pan.c && "
                              "./pan -e -c0 -n -w18 2>&1",
                              test_folder);
    const char *argv[] = {"sh", "-c", script, NULL};
    char *text = NULL;
    size_t size;
    int code = 0;
    tac_error err = {0};
    tac_status status = tac_process_run(argv, "spin", NULL, 0, 120, &text, &size, &code, &err);
    free(script);
    bool complete = status == TAC_OK && strstr(text, "State-vector") &&
                    !strstr(text, "max search depth too small");
    if (!complete)
        test_fail(__FILE__, __LINE__, "spin: %s %.500s", err.message, text ? text : "");
    for (char *line = complete ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        if (!strncmp(line, "FLOW ", 5) || !strncmp(line, "WITNESS:", 8))
            string_list_add(out, tac_strdup(line));
    string_list_sort(out);
    free(text);
    return complete;
}

static void compare(const tac_model *model, uint32_t length, const tac_requirement *requirement)
{
    const tac_requirement *list[] = {requirement};
    struct collecting ours = {0};
    string_list theirs = {0};
    ours.engine = new_engine(model, &(tac_flow_options){.length = length,
                                                        .requirements = list,
                                                        .requirement_count = requirement != NULL,
                                                        .witness = requirement != NULL,
                                                        .all_interleavings = true});
    CHECK_EQ(tac_flow_list(ours.engine, 0, collect, &ours, NULL, NULL), TAC_OK);
    string_list_sort(&ours.lines);
    if (spin_lines(model, length, requirement, &theirs)) {
        CHECK_EQ(theirs.count, ours.lines.count);
        for (size_t i = 0; i < theirs.count && i < ours.lines.count; i++)
            if (strcmp(theirs.at[i], ours.lines.at[i])) {
                test_fail(__FILE__, __LINE__, "SPIN has '%s' where we have '%s'", theirs.at[i],
                          ours.lines.at[i]);
                break;
            }
    }
    string_list_free(&theirs);
    string_list_free(&ours.lines);
    tac_flow_engine_free(ours.engine);
}

/* SPIN looked at every order: the folded orders have a witness where it has one. */
static void compare_meetable(const tac_model *model, uint32_t length,
                             const tac_requirement *requirement)
{
    const tac_requirement *list[] = {requirement};
    bool met[2];
    for (int all = 0; all < 2; all++) {
        tac_flow_engine *engine = new_engine(model, &(tac_flow_options){.length = length,
                                                                        .requirements = list,
                                                                        .requirement_count = 1,
                                                                        .witness = true,
                                                                        .all_interleavings = all});
        met[all] = counts_text(engine)[0] != '0';
        tac_flow_engine_free(engine);
    }
    CHECK_EQ(met[0], met[1]);
}

static void need_spin(void)
{
    if (!tac_process_on_path("spin") || !tac_process_on_path("cc"))
        SKIP("spin or a C compiler is not installed");
}

TEST(uamp_at_lengths_4_to_8)
{
    need_spin();
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    for (uint32_t length = 4; length <= 8; length++)
        compare(model, length, NULL);
    tac_model_free(model);
}

TEST(witnesses_of_requirement_3)
{
    need_spin();
    tac_model *model = load_model(test_source("examples/uamp/uamp.model.xml"));
    tac_requirement *requirement = load_requirement(test_source("examples/uamp/uamp.req3.xml"));
    compare(model, 10, requirement);
    tac_requirement_free(requirement);
    tac_model_free(model);
}

TEST(two_phones)
{
    need_spin();
    tac_model *model = load_model(test_source("examples/chat/chat.model.xml"));
    compare(model, 6, NULL);
    tac_model_free(model);
}

static size_t cases(size_t full)
{
    return getenv("TACTUS_SWEEP") ? full : test_scale(full / 20);
}

TEST(random_models)
{
    need_spin();
    for (uint64_t seed = 3001; seed <= 3000 + test_scale(20) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model = random_model(
            &random, &(random_model_options){
                         .most_devices = 1 + seed % 2, .channels = true, .leaving = seed % 3 == 0});
        compare(model, 4, NULL);
        tac_model_free(model);
    }
}

TEST(random_requirements)
{
    need_spin();
    for (uint64_t seed = 4001; seed <= 4000 + cases(300) && !test_failed; seed++) {
        tac_random random;
        tac_random_seed(&random, seed);
        tac_model *model =
            random_model(&random, &(random_model_options){.most_devices = 1 + (uint32_t)(seed % 3),
                                                          .channels = true});
        tac_requirement *requirement =
            (seed % 2 ? random_template : random_requirement)(&random, model);
        compare(model, 4, requirement);
        compare_meetable(model, 4, requirement);
        tac_requirement_free(requirement);
        tac_model_free(model);
    }
}
