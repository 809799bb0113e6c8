/* Leading patterns as flow requirements: flows that meet them do what the failing runs did.
 *
 * A block (s, e) becomes one constraint: the event e, in the step that settles in the state to
 * which the model's transition from s by e leads. Where there are several such transitions, or it
 * leads into a call, only the event is asked for; where there is none, the pattern is left out.
 * After the pattern come the blocks in which most runs of the cluster end, as far as the pattern
 * does not end in them itself, because the failure is there. G4 and G5 patterns also forbid x. A
 * requirement has no "at once", so flows of a contiguous pattern may do other things in between;
 * the shortest witnesses (`flow list --witness`) do not. */
#include "base/check.h"
#include "base/data/only_name.h"
#include "base/io/output.h"
#include "flow/requirement.h"
#include "mining/emit.h"
#include "mining/runs/runs.h"
#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

struct emitter {
    const tac_runs *runs;
    const tac_model *model;
    const char *folder;
    size_t written, skipped;
    tac_names used; /* paths, without their ending */
};

/* A token names a state of the model by its name, as "Activity/Machine/State", or, for screen
 * classes of recorded runs and states with stable names, as "Activity#CLASS" for the state
 * "SCLASS". */
static bool is_node(const tac_model *model, uint32_t node, const char *token)
{
    const char *name = model->nodes[node].name;
    const tac_model_machine *machine = &model->machines[model->nodes[node].machine];
    if (strcmp(name, token) == 0)
        return true;
    const char *hash = strrchr(token, '#'), *slash = strrchr(token, '/');
    if (hash) {
        const char *activity = model->activities[machine->activity].name;
        return name[0] == 'S' && strcmp(name + 1, hash + 1) == 0 &&
               strlen(activity) == (size_t)(hash - token) &&
               strncmp(activity, token, (size_t)(hash - token)) == 0;
    }
    if (!slash || strcmp(name, slash + 1) != 0)
        return false;
    size_t size = strlen(machine->name), before = (size_t)(slash - token);
    return before >= size && strncmp(slash - size, machine->name, size) == 0 &&
           (before == size || slash[-(ptrdiff_t)size - 1] == '/');
}

/* Where the state's transitions by this event lead: a state, or TAC_MODEL_NONE when they differ or
 * lead elsewhere. Returns how many there are. */
static size_t find_transitions(const tac_model *model, const char *state, const char *event,
                               uint32_t *target)
{
    size_t found = 0;
    *target = TAC_MODEL_NONE;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        if (strcmp(model->events[transition->event], event) != 0 ||
            !is_node(model, transition->from, state))
            continue;
        const tac_model_node *to = &model->nodes[transition->to];
        bool to_state = to->kind == TAC_NODE_STATE && to->out_count > 0; /* not where it crashed */
        *target = found == 0 && to_state ? transition->to : TAC_MODEL_NONE;
        found++;
    }
    return found;
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

static bool add_block(const struct emitter *e, tac_requirement *requirement,
                      const struct block *block)
{
    const char *event = tac_token_text(e->runs, block->input);
    uint32_t target;
    if (!find_transitions(e->model, tac_token_text(e->runs, block->state), event, &target))
        return false;
    size_t constraint = tac_requirement_add_constraint(requirement);
    if (target != TAC_MODEL_NONE)
        add_state(e->model, requirement, constraint, target);
    tac_requirement_add_event(requirement, constraint, event);
    return true;
}

static bool same_block(const struct block *x, const struct block *y)
{
    return x->state == y->state && x->input == y->input;
}

/* The common ending's blocks after those that the pattern ends in. */
static void add_ending(const struct emitter *e, tac_requirement *requirement,
                       const tac_cluster_result *cluster, const tac_mined_pattern *p)
{
    struct block ending[16];
    uint32_t count = 0, overlap;
    size_t from = cluster->ending_count && !tac_token_is_state(e->runs, cluster->ending[0]);
    for (size_t i = from; i + 1 < cluster->ending_count && count < 16; i += 2)
        ending[count++] = (struct block){cluster->ending[i], cluster->ending[i + 1]};
    assert(count <= 16 && p->block_count <= TAC_MINE_MAX_DEPTH);
    for (overlap = count < p->block_count ? count : p->block_count; overlap > 0; overlap--) {
        uint32_t k = 0;
        while (k < overlap &&
               same_block(&e->runs->blocks.at[p->blocks[p->block_count - overlap + k]], &ending[k]))
            k++;
        if (k == overlap)
            break;
    }
    assert(overlap <= count && overlap <= p->block_count);
    for (uint32_t i = overlap; i < count; i++)
        if (!add_block(e, requirement, &ending[i]))
            return;
}

/* x must not come. What the model does not have cannot come. */
static void forbid(const struct emitter *e, tac_requirement *requirement, uint32_t x)
{
    assert(x < e->runs->tokens.count);
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
                                       const tac_mined_pattern *p)
{
    char *sentence = tac_pattern_sentence(e->runs, p, cluster->runs, cluster->passing);
    char *name = tac_format("mined from cluster %s", cluster->name);
    tac_requirement *requirement = tac_requirement_new(name, sentence);
    free(name);
    free(sentence);
    bool known = true;
    for (uint32_t i = 0; i < p->block_count && known; i++)
        known = add_block(e, requirement, &e->runs->blocks.at[p->blocks[i]]);
    if (known)
        add_ending(e, requirement, cluster, p);
    if (known && (p->form == TAC_G4 || p->form == TAC_G5))
        forbid(e, requirement, p->tail);
    if (known)
        return requirement;
    tac_requirement_free(requirement);
    return NULL;
}

static char *file_of(struct emitter *e, const char *cluster, size_t number)
{
    tac_str path = {0};
    tac_str_addf(&path, "%s/", e->folder);
    for (; *cluster; cluster++)
        tac_str_add_char(&path,
                         isalnum((unsigned char)*cluster) || *cluster == '.' ? *cluster : '_');
    tac_str_addf(&path, "-%zu", number);
    char *only = tac_only_name(&e->used, tac_str_text(&path), "-");
    char *file = tac_format("%s.req.xml", only);
    free(only);
    tac_str_free(&path);
    return file;
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
        status = tac_output_close(&output, status, err);
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
    tac_names_free(&e.used);
    if (status)
        return status;
    *written = e.written;
    *skipped = e.skipped;
    return TAC_OK;
}
