/* Tasks: actions in the order of their numbers, with If blocks and conditions of single actions. */
#include "automation/tasker/tasker.h"
#include <stdlib.h>
#include <string.h>

enum {
    CODE_WAIT = 30,
    CODE_WAIT_UNTIL = 35,
    CODE_IF = 37,
    CODE_END_IF = 38,
    CODE_FOR = 39,
    CODE_END_FOR = 40,
    CODE_ELSE = 43,
    CODE_RETURN = 126,
    CODE_PERFORM = 130,
    CODE_GO_TO = 135,
    CODE_STOP = 137,
    CODE_SET = 547,
    CODE_CLEAR = 549,
    CODE_ADD = 888,
    CODE_SUBTRACT = 890,
    MOST_DEPTH = 40
};

typedef TAC_VEC(xmlNodePtr) node_list;

static const struct {
    long code;
    const char *target;
    bool switches; /* 0 off, 1 on, 2 toggle */
} setters[] = {{303, "alarm volume", false},        {304, "ringer volume", false},
               {305, "notification volume", false}, {307, "media volume", false},
               {308, "system volume", false},       {310, "vibrate mode", false},
               {312, "do not disturb", false},      {331, "auto-sync", true},
               {333, "airplane mode", true},        {425, "wifi", true},
               {433, "mobile data", true},          {511, "torch", true},
               {810, "brightness", false},          {989, "night mode", true}};

/* Vibrate, ringtone, notify, flash, say: they tell people something. */
static const long harmless[] = {61, 62, 192, 523, 548, 559};

static struct step *new_step(struct tasker *t, enum step_kind kind, xmlNodePtr at)
{
    return step_new(t->model, kind, tasker_place(at));
}

static struct step *write_step(struct tasker *t, xmlNodePtr action, const char *target,
                               const char *value, const char *reason)
{
    struct step *step = new_step(t, STEP_WRITE, action);
    step->entity = model_entity(t->model, target);
    step->value = value_of(value);
    step->uncertain = !value;
    step->text = tac_arena_format(&t->model->arena, "%s := %s", target, value ? value : "?");
    if (value)
        model_mention(t->model, step->entity, value);
    else
        tasker_abstract(t, TAC_READ_ABSTRACTED, reason);
    return step;
}

static struct step *setter(struct tasker *t, xmlNodePtr action, long code)
{
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++) {
        if (setters[i].code != code)
            continue;
        const char *value = tasker_argument(t, action, 0);
        long number = tasker_number(value, -1);
        if (value && strchr(value, '%'))
            value = NULL;
        if (value && setters[i].switches)
            value = number == 0 ? "off" : number == 1 ? "on" : NULL;
        return write_step(t, action, setters[i].target, value,
                          "value from a variable, or a toggle");
    }
    return NULL;
}

static struct step *variable(struct tasker *t, xmlNodePtr action, long code)
{
    const char *name = tasker_argument(t, action, 0);
    const char *value = code == CODE_SET ? tasker_argument(t, action, 1) : NULL;
    if (!name || *name != '%')
        return NULL;
    if (tasker_is_local(name)) { /* nobody else sees it */
        struct step *step = new_step(t, STEP_EFFECT, action);
        step->harmless = true;
        step->text = tac_arena_format(&t->model->arena, "%s := %s", name, value ? value : "?");
        return step;
    }
    if (value && (strchr(value, '%') || tasker_number(tasker_argument(t, action, 3), 0) ||
                  tasker_number(tasker_argument(t, action, 4), 0)))
        value = NULL;
    return write_step(t, action, name, value, "variable that is computed");
}

static double wait_seconds(struct tasker *t, xmlNodePtr action)
{
    static const double units[] = {0.001, 1, 60, 3600, 86400};
    double total = 0;
    for (int i = 0; i < 5; i++) {
        const char *length = tasker_argument(t, action, i);
        if (tasker_is_variable(t, action, i)) {
            tasker_abstract(t, TAC_READ_ABSTRACTED, "wait of a length from a variable");
            return -1;
        }
        total += (double)tasker_number(length, 0) * units[i];
    }
    return total;
}

/* Stop may name another task, and Return may go on: neither ends this one then. */
static bool ends_task(struct tasker *t, xmlNodePtr action, long code)
{
    const char *second = tasker_argument(t, action, 1);
    if (code == CODE_RETURN)
        return !second || strcmp(second, "0") != 0;
    return code == CODE_STOP && (!second || !*second || (t->task && !strcmp(second, t->task)));
}

static struct step *effect(struct tasker *t, xmlNodePtr action, long code)
{
    struct step *step = new_step(t, STEP_EFFECT, action);
    step->text = tac_arena_format(&t->model->arena, "action %ld", code);
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        step->harmless |= harmless[i] == code;
    if (!step->harmless)
        tasker_abstract(t, TAC_READ_ABSTRACTED, "action with unknown effect");
    return step;
}

static struct step *plain_action(struct tasker *t, xmlNodePtr action, long code)
{
    struct step *step = NULL;
    if (code == CODE_WAIT) {
        step = new_step(t, STEP_DELAY, action);
        step->seconds = wait_seconds(t, action);
    } else if (code == CODE_WAIT_UNTIL) {
        step = new_step(t, STEP_WAIT, action);
    } else if (ends_task(t, action, code)) {
        step = new_step(t, STEP_STOP, action);
    } else if (code == CODE_PERFORM) {
        step = new_step(t, STEP_SCRIPT, action);
        step->text = "perform task";
        step->branches = tac_arena_calloc(&t->model->arena, 1, sizeof *step->branches);
        step->branch_count = 1;
        (void)tasker_task(t, "nme", tasker_argument(t, action, 0), &step->branches[0]);
    } else if (code == CODE_SET || code == CODE_CLEAR || code == CODE_ADD ||
               code == CODE_SUBTRACT) {
        step = variable(t, action, code);
    } else {
        step = setter(t, action, code);
    }
    return step ? step : effect(t, action, code);
}

static long code_of(struct tasker *t, xmlNodePtr action)
{
    return tasker_number(tasker_text(t, action, "code"), -1);
}

static void sequence(struct tasker *t, const node_list *actions, size_t *at, step_list *out);

/* If ... else if ... else ... end if: at stands on the If, afterwards behind its end. */
static struct step *if_block(struct tasker *t, const node_list *actions, size_t *at)
{
    struct step *step = new_step(t, STEP_CHOOSE, actions->at[*at]);
    branch_list branches = {0};
    for (bool last = false; !last && *at < actions->count;) {
        xmlNodePtr head = actions->at[*at], list = tasker_child(head, "ConditionList");
        struct branch branch = {.place = tasker_place(head)};
        step_list inner = {0};
        bool otherwise = code_of(t, head) == CODE_ELSE && !list;
        if (!otherwise)
            branch.cond = list ? tasker_conditions(t, list)
                               : cond_new(t->model, COND_TRUE, tasker_place(head));
        ++*at;
        sequence(t, actions, at, &inner);
        branch_take(t->model, &branch, &inner);
        tac_vec_push(&branches, branch);
        last = otherwise || *at >= actions->count || code_of(t, actions->at[*at]) != CODE_ELSE;
    }
    *at += *at < actions->count;
    step_take(t->model, step, &branches);
    return step;
}

/* Steps that may have no turn, or several. */
static struct step *repeated(struct tasker *t, xmlNodePtr head, step_list *inner)
{
    struct step *step = new_step(t, STEP_REPEAT, head);
    step->branches = tac_arena_calloc(&t->model->arena, 1, sizeof *step->branches);
    step->branch_count = 1;
    step->branches[0].place = step->place;
    branch_take(t->model, &step->branches[0], inner);
    return step;
}

/* For ... end for: at stands on the For, afterwards behind its end. */
static struct step *for_block(struct tasker *t, const node_list *actions, size_t *at)
{
    xmlNodePtr head = actions->at[(*at)++];
    step_list inner = {0};
    sequence(t, actions, at, &inner);
    *at += *at < actions->count;
    tasker_abstract(t, TAC_READ_ABSTRACTED, "loop");
    return repeated(t, head, &inner);
}

static struct step *guarded(struct tasker *t, xmlNodePtr action, xmlNodePtr list, struct step *step)
{
    struct step *choice = new_step(t, STEP_CHOOSE, action);
    step_list one = {0};
    choice->branches = tac_arena_calloc(&t->model->arena, 1, sizeof *choice->branches);
    choice->branch_count = 1;
    tac_vec_push(&one, step);
    branch_take(t->model, &choice->branches[0], &one);
    choice->branches[0].cond = tasker_conditions(t, list);
    choice->branches[0].place = choice->place;
    return choice;
}

/* Up to the end, or to an Else, End If or End For of the surrounding block. */
static void sequence(struct tasker *t, const node_list *actions, size_t *at, step_list *out)
{
    while (*at < actions->count) {
        xmlNodePtr action = actions->at[*at], list = tasker_child(action, "ConditionList");
        long code = code_of(t, action);
        const char *on = tasker_text(t, action, "on");
        if (code == CODE_ELSE || code == CODE_END_IF || code == CODE_END_FOR)
            return;
        if ((code == CODE_IF || code == CODE_FOR) && t->depth < MOST_DEPTH) {
            t->depth++;
            tac_vec_push(out,
                         code == CODE_IF ? if_block(t, actions, at) : for_block(t, actions, at));
            t->depth--;
            continue;
        }
        ++*at;
        if (on && !strcmp(on, "false"))
            continue;
        struct step *step = plain_action(t, action, code);
        tac_vec_push(out, list ? guarded(t, action, list, step) : step);
    }
}

static int by_number(const void *a, const void *b)
{
    long order[2];
    for (int i = 0; i < 2; i++) {
        xmlChar *sr = xmlGetProp(*(const xmlNodePtr *)(i ? b : a), (const xmlChar *)"sr");
        order[i] =
            sr && !strncmp((const char *)sr, "act", 3) ? strtol((const char *)sr + 3, NULL, 10) : 0;
        xmlFree(sr);
    }
    return (order[0] > order[1]) - (order[0] < order[1]);
}

static xmlNodePtr find_task(struct tasker *t, const char *key, const char *id)
{
    for (xmlNodePtr at = t->root->children; at && id; at = at->next) {
        const char *own = tasker_named(at, "Task") ? tasker_text(t, at, key) : NULL;
        if (own && !strcmp(own, id))
            return at;
    }
    return NULL;
}

static enum run_mode mode_of(struct tasker *t, xmlNodePtr task)
{
    switch (tasker_number(tasker_text(t, task, "rty"), 0)) {
    case 1:
        return MODE_RESTART;
    case 2:
        return MODE_PARALLEL;
    default:
        return MODE_SINGLE;
    }
}

/* Whether one of the actions goes to another one: then any of them may be left out. */
static bool jumps(struct tasker *t, const node_list *actions)
{
    for (size_t i = 0; i < actions->count; i++) {
        const char *on = tasker_text(t, actions->at[i], "on");
        if (code_of(t, actions->at[i]) == CODE_GO_TO && !(on && !strcmp(on, "false")))
            return true;
    }
    return false;
}

static void read_actions(struct tasker *t, xmlNodePtr task, step_list *steps)
{
    node_list actions = {0};
    size_t at = 0;
    for (xmlNodePtr node = task->children; node; node = node->next)
        if (tasker_named(node, "Action"))
            tac_vec_push(&actions, node);
    if (actions.count)
        qsort(actions.at, actions.count, sizeof *actions.at, by_number);
    while (at < actions.count) {
        sequence(t, &actions, &at, steps);
        at += at < actions.count; /* an Else or End If without its If */
    }
    if (jumps(t, &actions)) {
        struct step *all = repeated(t, task, steps);
        tac_vec_push(steps, all);
    }
    tac_vec_free(&actions);
}

enum run_mode tasker_task(struct tasker *t, const char *key, const char *id, struct branch *out)
{
    xmlNodePtr task = find_task(t, key, id);
    step_list steps = {0};
    const char *outer = t->task;
    bool known = task && t->depth < 6;
    if (known) {
        out->place = tasker_place(task);
        t->task = tasker_text(t, task, "nme");
        t->depth++;
        read_actions(t, task, &steps);
        t->depth--;
        t->task = outer;
    } else {
        tasker_abstract(t, TAC_READ_ABSTRACTED, "task that is not in the file, or performs itself");
    }
    branch_take(t->model, out, &steps);
    return known ? mode_of(t, task) : MODE_SINGLE;
}
