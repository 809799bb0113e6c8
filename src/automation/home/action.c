/* Actions: the tree of steps. */
#include "automation/home/home.h"
#include "automation/template/template.h"
#include <string.h>

enum { MOST_STEPS = 20000 }; /* of one automation, scripts included */

struct step *home_step(struct home *home, enum step_kind kind, const struct tree_node *at)
{
    return step_new(home->model, kind, home_place(at));
}

static struct step *with_branches(struct home *home, enum step_kind kind,
                                  const struct tree_node *at, size_t count)
{
    struct step *step = home_step(home, kind, at);
    step->branches = tac_arena_calloc(&home->model->arena, count + 1, sizeof *step->branches);
    return step;
}

static void add_branch(struct home *home, struct step *step, struct cond *cond,
                       const struct tree_node *at, struct tree_node *steps)
{
    struct branch *branch = &step->branches[step->branch_count++];
    branch->cond = cond;
    home_steps(home, steps, branch);
    branch->place = home_place(at);
}

static struct step *choose(struct home *home, struct tree_node *node, struct tree_node *options)
{
    size_t count = options->kind == TREE_LIST ? options->count : 1;
    struct step *step = with_branches(home, STEP_CHOOSE, node, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct tree_node *option =
            options->kind == TREE_LIST ? tree_resolve(home->library, options->at[i]) : options;
        struct tree_node *conditions = tree_get2(home->library, option, "conditions", "condition");
        struct tree_node *sequence = home_get(home, option, "sequence");
        if (conditions)
            add_branch(home, step, home_condition(home, conditions), option, sequence);
    }
    struct tree_node *otherwise = home_get(home, node, "default");
    if (otherwise)
        add_branch(home, step, NULL, otherwise, otherwise);
    return step;
}

static struct step *if_then(struct home *home, struct tree_node *node, struct tree_node *test)
{
    struct step *step = with_branches(home, STEP_CHOOSE, node, 2);
    struct tree_node *then = home_get(home, node, "then");
    struct tree_node *otherwise = home_get(home, node, "else");
    add_branch(home, step, home_condition(home, test), node, then);
    if (otherwise)
        add_branch(home, step, NULL, otherwise, otherwise);
    return step;
}

static struct step *nested(struct home *home, enum step_kind kind, struct tree_node *node,
                           struct tree_node *steps)
{
    size_t count = kind == STEP_PARALLEL && steps && steps->kind == TREE_LIST ? steps->count : 1;
    struct step *step = with_branches(home, kind, node, count);
    for (size_t i = 0; i < count; i++) {
        struct tree_node *one = kind == STEP_PARALLEL && steps && steps->kind == TREE_LIST
                                    ? tree_resolve(home->library, steps->at[i])
                                    : steps;
        struct tree_node *sequence = home_get(home, one, "sequence");
        add_branch(home, step, NULL, node, sequence ? sequence : one);
    }
    return step;
}

static struct step *delay(struct home *home, struct tree_node *node, struct tree_node *length)
{
    struct step *step = home_step(home, STEP_DELAY, node);
    step->seconds = home_duration(home, length);
    if (step->seconds < 0)
        home_abstract(home, TAC_READ_ABSTRACTED, "template in a delay");
    return step;
}

static struct step *opaque(struct home *home, struct tree_node *node, const char *reason)
{
    struct step *step = home_step(home, STEP_EFFECT, node);
    step->text = home_canonical(home, node);
    home_abstract(home, TAC_READ_ABSTRACTED, reason);
    return step;
}

static struct step *fired(struct home *home, struct tree_node *node)
{
    struct step *step = home_step(home, STEP_EFFECT, node);
    step->text = home_canonical(home, node);
    return step;
}

static struct step *condition_step(struct home *home, struct tree_node *node)
{
    struct step *step = home_step(home, STEP_CONDITION, node);
    step->cond = home_condition(home, node);
    return step;
}

static struct step *wait(struct home *home, struct tree_node *node)
{
    struct step *step = home_step(home, STEP_WAIT, node);
    const struct tree_node *until = home_get(home, node, "wait_template");
    const struct tree_node *timeout = home_get(home, node, "timeout");
    if (until && tree_text(until)) {
        step->cond =
            template_condition(home->model, home_place(until), home->scope, tree_text(until));
        if (cond_is_abstract(step->cond))
            home_abstract(home, TAC_READ_ABSTRACTED, "wait_template");
    }
    home_triggers(home, home_get(home, node, "wait_for_trigger"), &step->waits, &step->wait_count);
    step->timeout = timeout ? home_duration(home, timeout) : 0;
    step->ends_late = tree_boolean(home_get(home, node, "continue_on_timeout")) == 0;
    return step;
}

/* Steps that are not service calls; NULL: it is none of them. */
static struct step *structured(struct home *home, struct tree_node *node)
{
    struct tree_node *inner;
    if ((inner = home_get(home, node, "choose")))
        return choose(home, node, inner);
    if ((inner = home_get(home, node, "if")))
        return if_then(home, node, inner);
    if ((inner = home_get(home, node, "parallel"))) {
        home_abstract(home, TAC_READ_ABSTRACTED, "parallel");
        return nested(home, STEP_PARALLEL, node, inner);
    }
    if ((inner = home_get(home, node, "repeat"))) {
        home_abstract(home, TAC_READ_ABSTRACTED, "repeat");
        return nested(home, STEP_REPEAT, node, inner);
    }
    if ((inner = home_get(home, node, "delay")))
        return delay(home, node, inner);
    if (home_get(home, node, "wait_template") || home_get(home, node, "wait_for_trigger"))
        return wait(home, node);
    if (home_get(home, node, "stop"))
        return home_step(home, STEP_STOP, node);
    if (home_get(home, node, "event"))
        return fired(home, node);
    if (home_get(home, node, "condition") || home_get(home, node, "and") ||
        home_get(home, node, "or") || home_get(home, node, "not"))
        return condition_step(home, node);
    if (home_get(home, node, "device_id"))
        return opaque(home, node, "device action");
    return NULL;
}

static void read_one(struct home *home, struct tree_node *node, step_list *out)
{
    node = tree_resolve(home->library, node);
    if (!tree_step(home->library, node) || out->count > MOST_STEPS || home_disabled(home, node))
        return;
    const char *text = tree_text(node);
    if (node->kind == TREE_LIST) {
        for (size_t i = 0; i < node->count; i++)
            read_one(home, node->at[i], out);
        return;
    }
    if (home_perhaps_disabled(home, node)) {
        tac_vec_push(out, opaque(home, node, "template in 'enabled'"));
        return;
    }
    if (text && is_template(text)) {
        tac_vec_push(out, condition_step(home, node));
        return;
    }
    if (node->kind != TREE_MAP)
        return;
    const char *service = tree_text(tree_get2(home->library, node, "service", "action"));
    if (!service)
        service = home_text(home, node, "service_template");
    struct tree_node *sequence = home_get(home, node, "sequence");
    const char *scene = home_text(home, node, "scene");
    const char *device = home_get(home, node, "device_id") && !home_get(home, node, "condition")
                             ? home_device_service(home, node)
                             : NULL;
    const char *entity = device ? home_device_entity(home, node) : NULL;
    struct step *step;
    if (service)
        home_service(home, node, service, out);
    else if (entity)
        home_service_on(home, node, device, entity, out);
    else if ((step = structured(home, node)))
        tac_vec_push(out, step);
    else if (sequence)
        read_one(home, sequence, out);
    else if (scene && !strncmp(scene, "scene.", 6))
        home_scene(home, node, scene + 6, out);
    else if (home_get(home, node, "variables"))
        home_new_scope(home);
    else if (!home_get(home, node, "set_conversation_response"))
        tac_vec_push(out, opaque(home, node, "action of an unknown kind"));
}

void home_steps(struct home *home, struct tree_node *node, struct branch *out)
{
    step_list list = {0};
    if (node) {
        out->place = home_place(node);
        read_one(home, node, &list);
    }
    branch_take(home->model, out, &list);
}
