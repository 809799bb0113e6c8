/* Leading patterns as flow requirements: flows that meet them do what the failing runs did.
 *
 * A block (s, e) becomes one constraint: the event e in the step that settles in the state to which
 * the model's transition from s by e leads; without such a transition the pattern is left out.
 * Where the transition leads into a call, only the event is asked for. A G4 pattern also forbids x.
 * A requirement has no "at once", so flows of a contiguous pattern may do other things in between;
 * the shortest witnesses (`flow list --witness`) do not. */
#include "base/output.h"
#include "mining/runs.h"
#include "tactus/mining_emit.h"
#include "tactus/requirement.h"
#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

struct emitter {
    const tac_runs *runs;
    const tac_model *model;
    const char *folder;
    size_t written, skipped;
};

/* A state by its name, or by the last part of "Activity/Machine/State". */
static bool is_node(const tac_model *model, uint32_t node, const char *token)
{
    const char *slash = strrchr(token, '/');
    if (strcmp(model->nodes[node].name, token) == 0)
        return true;
    if (!slash || strcmp(model->nodes[node].name, slash + 1) != 0)
        return false;
    const char *machine = model->machines[model->nodes[node].machine].name;
    size_t size = strlen(machine), before = (size_t)(slash - token);
    return before >= size && strncmp(slash - size, machine, size) == 0 &&
           (before == size || slash[-(ptrdiff_t)size - 1] == '/');
}

static const tac_model_transition *find_transition(const tac_model *model, const char *state,
                                                   const char *event)
{
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        if (strcmp(model->events[transition->event], event) == 0 &&
            is_node(model, transition->from, state))
            return transition;
    }
    return NULL;
}

static bool model_has_state(const tac_model *model, const char *token)
{
    for (uint32_t n = 0; n < model->node_count; n++)
        if (is_node(model, n, token))
            return true;
    return false;
}

static void add_state(const tac_model *model, tac_requirement *requirement, size_t constraint,
                      uint32_t node)
{
    const tac_model_machine *machine = &model->machines[model->nodes[node].machine];
    tac_requirement_add_state(requirement, constraint, model->nodes[node].name,
                              model->activities[machine->activity].name, machine->name, true);
}

static bool add_block(const struct emitter *e, tac_requirement *requirement, uint32_t id)
{
    const struct block *block = &e->runs->blocks.at[id];
    const char *event = tac_token_text(e->runs, block->input);
    const tac_model_transition *transition =
        find_transition(e->model, tac_token_text(e->runs, block->state), event);
    if (!transition)
        return false;
    size_t constraint = tac_requirement_add_constraint(requirement);
    if (e->model->nodes[transition->to].kind == TAC_NODE_STATE)
        add_state(e->model, requirement, constraint, transition->to);
    tac_requirement_add_event(requirement, constraint, event);
    return true;
}

/* G4: x must not come. Returns false when the model has no such thing, and then it cannot come. */
static void forbid(const struct emitter *e, tac_requirement *requirement, uint32_t x)
{
    const char *name = tac_token_text(e->runs, x);
    if (!tac_token_is_state(e->runs, x)) {
        for (uint32_t i = 0; i < e->model->event_count; i++)
            if (strcmp(e->model->events[i], name) == 0)
                tac_requirement_limit_event(requirement, name, 0, -1);
        return;
    }
    for (uint32_t n = 0; n < e->model->node_count; n++)
        if (is_node(e->model, n, name)) {
            const tac_model_machine *machine = &e->model->machines[e->model->nodes[n].machine];
            tac_requirement_avoid_state(requirement, e->model->nodes[n].name,
                                        e->model->activities[machine->activity].name,
                                        machine->name);
        }
}

static tac_requirement *requirement_of(const struct emitter *e, const tac_cluster_result *cluster,
                                       const tac_pattern *p)
{
    char *sentence = tac_pattern_sentence(e->runs, p, cluster->runs, cluster->passing);
    char *name = tac_format("mined from cluster %s", cluster->name);
    tac_requirement *requirement = tac_requirement_new(name, sentence);
    free(name);
    free(sentence);
    bool known = true;
    for (uint32_t i = 0; i < p->block_count && known; i++)
        known = add_block(e, requirement, p->blocks[i]);
    if (known && p->template == TAC_G4)
        forbid(e, requirement, p->tail);
    if (known)
        return requirement;
    tac_requirement_free(requirement);
    return NULL;
}

static char *file_of(const struct emitter *e, const char *cluster, size_t number)
{
    tac_str path = {0};
    tac_str_addf(&path, "%s/", e->folder);
    for (; *cluster; cluster++)
        tac_str_add_char(&path,
                         isalnum((unsigned char)*cluster) || *cluster == '.' ? *cluster : '_');
    tac_str_addf(&path, "-%zu.req.xml", number);
    return tac_str_take(&path);
}

static tac_status write_one(struct emitter *e, const tac_cluster_result *cluster, size_t index,
                            tac_error *err)
{
    tac_requirement *requirement = requirement_of(e, cluster, &cluster->patterns[index]);
    if (!requirement) {
        e->skipped++;
        return TAC_OK;
    }
    char *path = file_of(e, cluster->name, index + 1);
    tac_output output;
    tac_diagnostics findings = {0};
    tac_status status = tac_requirement_check(requirement, e->model, &findings, err);
    if (!status)
        status = tac_output_open(&output, path, err);
    if (!status) {
        status = tac_requirement_write(requirement, output.file, err);
        if (!status)
            status = tac_output_commit(&output, err);
        else
            tac_output_abort(&output);
    }
    e->written += !status;
    tac_diagnostics_free(&findings);
    free(path);
    tac_requirement_free(requirement);
    return status;
}

static tac_status nothing_written(const struct emitter *e, tac_error *err)
{
    const tac_runs *runs = e->runs;
    for (uint32_t t = 0; t < runs->tokens.count; t++)
        if (tac_token_is_state(runs, t) && model_has_state(e->model, tac_token_text(runs, t)))
            return tac_fail(err, TAC_E_INPUT,
                            "none of the %zu leading patterns is a sequence of transitions of the "
                            "model %s",
                            e->skipped, e->model->file);
    return tac_fail(err, TAC_E_INPUT,
                    "no state of the runs is a state of the model %s; record runs with that model, "
                    "or name the states alike",
                    e->model->file);
}

tac_status tac_mine_requirements(const tac_runs *runs, const tac_mine_result *result, size_t limit,
                                 const tac_model *model, const char *folder, size_t *written,
                                 size_t *skipped, tac_error *err)
{
    struct emitter e = {.runs = runs, .model = model, .folder = folder};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return tac_fail_errno(err, errno, folder, "cannot make the folder");
    tac_status status = TAC_OK;
    for (size_t c = 0; c < result->cluster_count && !status; c++)
        for (size_t i = 0; i < result->clusters[c].pattern_count && i < limit && !status; i++)
            status = write_one(&e, &result->clusters[c], i, err);
    if (!status && e.written == 0 && e.skipped)
        status = nothing_written(&e, err);
    if (status)
        return status;
    *written = e.written;
    *skipped = e.skipped;
    return TAC_OK;
}
