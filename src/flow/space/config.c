/* Rules R1 to R5 of the interaction-model paper, section 2.3.2.
 *
 * A transition leads to a state (R1), a final (R5) or a connection (R2, R3, R4, or a jump, which is
 * R1 into another machine). A call and a
 * return land on a state or a final, never on a connection, so the silent moves after one event are
 * at most one call followed by a chain of returns, each of which shortens the stack: they always
 * end. */
#include "flow/space/config.h"
#include "base/check.h"

void configs_init(struct configs *configs, const tac_model *model)
{
    *configs = (struct configs){.model = model};
    tac_vec_push(&configs->stacks, (struct stack_frame){0});
}

void configs_free(struct configs *configs)
{
    tac_vec_free(&configs->stacks);
    tac_vec_free(&configs->at);
    tac_u64map_free(&configs->stack_ids);
    tac_u64map_free(&configs->config_ids);
}

size_t configs_memory(const struct configs *configs)
{
    return configs->stacks.capacity * sizeof *configs->stacks.at +
           configs->at.capacity * sizeof *configs->at.at +
           (configs->stack_ids.capacity + configs->config_ids.capacity) * 17;
}

static uint32_t push_frame(struct configs *configs, uint32_t stack, uint32_t returns,
                           bool auto_return)
{
    bool is_new;
    uint64_t key = (uint64_t)stack << 32 | (uint64_t)returns << 1 | auto_return;
    assert(stack < configs->stacks.count);
    assert(returns < configs->model->node_count && returns < UINT32_C(1) << 31);
    uint64_t *id = tac_u64map_at(&configs->stack_ids, key, configs->stacks.count, &is_new);
    uint32_t pushed = (uint32_t)*id;
    if (is_new)
        tac_vec_push(&configs->stacks, (struct stack_frame){stack, returns, auto_return});
    return pushed;
}

static uint32_t intern(struct configs *configs, uint32_t node, uint32_t stack)
{
    bool is_new;
    uint64_t key = (uint64_t)node << 32 | stack;
    assert(node < configs->model->node_count && stack < configs->stacks.count);
    assert(configs->model->nodes[node].kind != TAC_NODE_CONNECTION);
    uint64_t *id = tac_u64map_at(&configs->config_ids, key, configs->at.count, &is_new);
    uint32_t interned = (uint32_t)*id;
    if (is_new)
        tac_vec_push(&configs->at, (struct config){node, stack});
    return interned;
}

static void note(u32_vec *trail, uint32_t node)
{
    if (trail)
        tac_vec_push(trail, node);
}

/* R5: returns while the node is final and the call that left the frame below returns by itself. A
 * final that leaves the app drops all frames. */
static uint32_t settle(struct configs *configs, uint32_t node, uint32_t stack, u32_vec *trail)
{
    note(trail, node);
    while (configs->model->nodes[node].kind == TAC_NODE_FINAL &&
           !configs->model->nodes[node].leaves && stack != EMPTY_STACK &&
           configs->stacks.at[stack].auto_return) {
        node = configs->stacks.at[stack].returns;
        stack = configs->stacks.at[stack].parent;
        note(trail, node);
    }
    return intern(configs, node, configs->model->nodes[node].leaves ? EMPTY_STACK : stack);
}

/* The topmost frame of a machine, as the stack it is on top of; EMPTY_STACK when there is none. */
static uint32_t topmost_frame(const struct configs *configs, uint32_t stack, uint32_t machine)
{
    while (stack != EMPTY_STACK &&
           configs->model->nodes[configs->stacks.at[stack].returns].machine != machine)
        stack = configs->stacks.at[stack].parent;
    return stack;
}

/* R2, R3 and R4 for one called machine. */
static uint32_t enter(struct configs *configs, const tac_model_call *call, uint32_t machine,
                      uint32_t stack, u32_vec *trail)
{
    if (call->enters != TAC_MODEL_NONE)
        return settle(configs, call->enters, stack, trail); /* a jump: the stack stays */
    uint32_t frame = call->reuse ? topmost_frame(configs, stack, machine) : EMPTY_STACK;
    assert(machine < configs->model->machine_count);
    if (frame != EMPTY_STACK)
        return settle(configs, configs->stacks.at[frame].returns, configs->stacks.at[frame].parent,
                      trail);
    uint32_t pushed = push_frame(configs, stack, call->returns, call->auto_return);
    return settle(configs, configs->model->machines[machine].initial, pushed, trail);
}

uint32_t configs_start(struct configs *configs, uint32_t machine, u32_vec *trail)
{
    assert(machine < configs->model->machine_count);
    return settle(configs, configs->model->machines[machine].initial, EMPTY_STACK, trail);
}

/* The machines that a call may enter: one, or the externally accessible ones of an activity. */
struct callees {
    uint32_t machine, end;
    bool only_external;
};

static struct callees callees_of(const tac_model *model, const tac_model_call *call)
{
    assert((call->machine == TAC_MODEL_NONE) != (call->activity == TAC_MODEL_NONE));
    if (call->machine != TAC_MODEL_NONE)
        return (struct callees){call->machine, call->machine + 1, false};
    const tac_model_activity *activity = &model->activities[call->activity];
    return (struct callees){activity->first_machine,
                            activity->first_machine + activity->machine_count, true};
}

static bool next_callee(const tac_model *model, struct callees *callees, uint32_t *machine)
{
    while (callees->machine < callees->end) {
        *machine = callees->machine++;
        if (!callees->only_external || model->machines[*machine].external)
            return true;
    }
    return false;
}

void configs_follow(struct configs *configs, uint32_t config, uint32_t transition, u32_vec *targets)
{
    const tac_model *model = configs->model;
    assert(config < configs->at.count && transition < model->transition_count);
    assert(model->transitions[transition].from == configs->at.at[config].node);
    uint32_t to = model->transitions[transition].to, stack = configs->at.at[config].stack;
    if (model->nodes[to].kind != TAC_NODE_CONNECTION) {
        tac_vec_push(targets, settle(configs, to, stack, NULL));
        return;
    }
    const tac_model_call *call = &model->calls[model->nodes[to].call];
    struct callees callees = callees_of(model, call);
    for (uint32_t machine; next_callee(model, &callees, &machine);)
        tac_vec_push(targets, enter(configs, call, machine, stack, NULL));
}

void configs_trail(struct configs *configs, uint32_t config, uint32_t transition, uint32_t branch,
                   u32_vec *trail)
{
    const tac_model *model = configs->model;
    uint32_t to = model->transitions[transition].to, stack = configs->at.at[config].stack;
    if (model->nodes[to].kind != TAC_NODE_CONNECTION) {
        settle(configs, to, stack, trail);
        return;
    }
    note(trail, to);
    const tac_model_call *call = &model->calls[model->nodes[to].call];
    struct callees callees = callees_of(model, call);
    uint32_t machine;
    for (uint32_t i = 0; next_callee(model, &callees, &machine); i++)
        if (i == branch) {
            enter(configs, call, machine, stack, trail);
            return;
        }
}

bool configs_can_follow(const tac_model *model, uint32_t transition)
{
    uint32_t to = model->transitions[transition].to, machine;
    if (model->nodes[to].kind != TAC_NODE_CONNECTION)
        return true;
    struct callees callees = callees_of(model, &model->calls[model->nodes[to].call]);
    return next_callee(model, &callees, &machine);
}

enum config_end configs_end(const struct configs *configs, uint32_t config)
{
    assert(config < configs->at.count);
    struct config at = configs->at.at[config];
    if (configs->model->nodes[at.node].kind != TAC_NODE_FINAL)
        return CONFIG_GOES_ON;
    return at.stack == EMPTY_STACK ? CONFIG_EXITED : CONFIG_STUCK;
}
