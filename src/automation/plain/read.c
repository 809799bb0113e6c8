/* Statements of our own text form: entities, automations, triggers, steps. */
#include "automation/home/domain.h"
#include "automation/plain/plain.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_BLOCKS = 64 };

static void read_entity(struct plain *p)
{
    uint32_t number = plain_entity(p);
    TAC_VEC(const char *) states = {0};
    plain_expect(p, ":");
    if (plain_take(p, "number")) {
        p->model->entities.at[number].domain = DOMAIN_NUMBER;
    } else {
        do
            tac_vec_push(&states, plain_text(p, "a value"));
        while (plain_take(p, ","));
        struct entity *e = &p->model->entities.at[number];
        e->states = tac_arena_calloc(&p->model->arena, states.count, sizeof *e->states);
        memcpy(e->states, states.at, states.count * sizeof *e->states);
        e->state_count = states.count;
        e->domain = DOMAIN_CLOSED;
        e->domain_source = tac_arena_format(&p->model->arena, "the values of %s", e->name);
        tac_vec_free(&states);
    }
    plain_end(p);
}

static void state_trigger(struct plain *p, struct trigger *t)
{
    t->kind = TRIGGER_STATE;
    t->platform = "state";
    t->has_from = plain_take(p, "from");
    if (t->has_from)
        plain_values(p, &t->from);
    t->has_to = plain_take(p, "to");
    if (t->has_to)
        plain_values(p, &t->to);
    for (size_t i = 0; i < t->from.count; i++)
        model_mention(p->model, t->entity, t->from.at[i]);
    for (size_t i = 0; i < t->to.count; i++)
        model_mention(p->model, t->entity, t->to.at[i]);
}

static void number_trigger(struct plain *p, struct trigger *t)
{
    t->kind = TRIGGER_NUMBER;
    t->platform = "numeric_state";
    plain_range(p, &t->above, &t->below);
    model_cut(p->model, t->entity, t->above);
    model_cut(p->model, t->entity, t->below);
}

static struct trigger read_trigger(struct plain *p, size_t number)
{
    struct trigger t = {.place = plain_place(p),
                        .id = tac_arena_format(&p->model->arena, "%zu", number),
                        .entity = TAC_NONE,
                        .first = (uint32_t)number,
                        .above = -INFINITY,
                        .below = INFINITY};
    if (plain_take(p, "start")) {
        t.kind = TRIGGER_START;
        t.platform = "start";
    } else if (plain_take(p, "time")) {
        t.kind = TRIGGER_TIME;
        t.platform = "time";
        t.seconds = plain_clock(p);
        tac_vec_push(&p->model->clock_cuts[CLOCK_SECOND_OF_DAY], t.seconds);
    } else if (plain_take(p, "event")) {
        t.kind = TRIGGER_EVENT;
        t.platform = "event";
        t.key = tac_arena_format(&p->model->arena, "event %s", plain_text(p, "a name"));
    } else {
        t.entity = plain_entity(p);
        if (plain_take(p, "changes"))
            state_trigger(p, &t);
        else
            number_trigger(p, &t);
        if (plain_take(p, "for"))
            t.hold = plain_duration(p);
    }
    plain_end(p);
    return t;
}

static void read_steps(struct plain *p, size_t indent, struct branch *out);

/* The lines that are deeper than the one they belong to. */
static void read_block(struct plain *p, size_t outer, struct branch *out)
{
    const struct plain_line *line = plain_here(p);
    out->place = plain_place(p);
    if (!line || line->indent <= outer)
        plain_fail(p, "expected a step on a deeper line");
    else if (++p->depth > MOST_BLOCKS)
        plain_fail(p, "blocks are nested more than %d deep: expected fewer", (int)MOST_BLOCKS);
    else
        read_steps(p, line->indent, out);
    p->depth -= p->depth > 0;
}

static void read_choice(struct plain *p, size_t indent, struct step *step)
{
    TAC_VEC(struct branch) branches = {0};
    bool more = true;
    step->kind = STEP_CHOOSE;
    while (more) {
        struct branch branch = {.cond = NULL};
        more = plain_take(p, "if");
        if (more)
            branch.cond = plain_condition(p);
        if (plain_end(p))
            read_block(p, indent, &branch);
        tac_vec_push(&branches, branch);
        more = more && plain_ok(p) && plain_here(p) && plain_here(p)->indent == indent &&
               plain_take(p, "else");
    }
    step->branches = tac_arena_calloc(&p->model->arena, branches.count, sizeof *step->branches);
    memcpy(step->branches, branches.at, branches.count * sizeof *step->branches);
    step->branch_count = branches.count;
    tac_vec_free(&branches);
}

static void read_write(struct plain *p, struct step *step)
{
    step->kind = STEP_WRITE;
    step->entity = plain_entity(p);
    plain_expect(p, ":=");
    step->value = value_of(plain_text(p, "a value"));
    step->text = tac_arena_format(&p->model->arena, "%s := %s",
                                  p->model->entities.at[step->entity].name, step->value.text);
    model_mention(p->model, step->entity, step->value.text);
    tac_vec_push(&p->writes, step);
    plain_end(p);
}

static struct step *read_step(struct plain *p, size_t indent)
{
    struct step *step = tac_arena_calloc(&p->model->arena, 1, sizeof *step);
    *step = (struct step){.place = plain_place(p), .entity = TAC_NONE, .slot = "", .text = ""};
    if (plain_next_is(p, "if")) {
        read_choice(p, indent, step);
        return step;
    }
    if (plain_take(p, "wait")) {
        step->kind = STEP_DELAY;
        step->seconds = plain_duration(p);
    } else if (plain_take(p, "go")) {
        step->kind = STEP_CONDITION;
        if (plain_expect(p, "on") && plain_expect(p, "if"))
            step->cond = plain_condition(p);
    } else if (plain_take(p, "do")) {
        step->kind = STEP_EFFECT;
        step->harmless = true;
        step->text = tac_arena_format(&p->model->arena, "do %s", plain_text(p, "a text"));
    } else if (plain_take(p, "stop")) {
        step->kind = STEP_STOP;
    } else {
        read_write(p, step);
        return step;
    }
    plain_end(p);
    return step;
}

static void read_steps(struct plain *p, size_t indent, struct branch *out)
{
    TAC_VEC(struct step *) steps = {0};
    for (struct plain_line *line;
         plain_ok(p) && (line = plain_here(p)) && line->indent >= indent;) {
        if (line->indent > indent)
            plain_fail(p, "expected a line as deep as the one before it");
        else
            tac_vec_push(&steps, read_step(p, indent));
    }
    out->at = tac_arena_calloc(&p->model->arena, steps.count, sizeof(struct step *));
    if (steps.count)
        memcpy(out->at, steps.at, steps.count * sizeof(struct step *));
    out->count = steps.count;
    tac_vec_free(&steps);
}

/* "hall light, mode queued 3" */
static void read_head(struct plain *p, struct automation *a)
{
    static const char *const modes[] = {"single", "restart", "queued", "parallel"};
    const char *name = plain_text(p, "a name");
    struct plain_line *line = plain_here(p);
    while (plain_ok(p) && line->at < line->count && !plain_next_is(p, ","))
        name = tac_arena_format(&p->model->arena, "%s %s", name, plain_text(p, "a name"));
    a->id = a->alias = name;
    a->most_runs = 10;
    if (plain_take(p, ",") && plain_expect(p, "mode")) {
        size_t mode = 0;
        a->mode_place = plain_place(p);
        while (mode < 4 && !plain_take(p, modes[mode]))
            mode++;
        if (mode == 4)
            plain_fail(p, "expected single, restart, queued or parallel");
        a->mode = mode < 4 ? (enum run_mode)mode : MODE_SINGLE;
        if ((mode == MODE_QUEUED || mode == MODE_PARALLEL) && line->at < line->count) {
            double most = plain_number(p);
            if (!(most >= 1 && most <= 1000 && most == floor(most)))
                plain_fail(p, "expected 1 to 1000 runs before this");
            else
                a->most_runs = (uint32_t)most;
        }
    }
    plain_end(p);
}

static void read_automation(struct plain *p, size_t indent)
{
    struct automation a = {.place = plain_place(p), .id_place = plain_place(p)};
    TAC_VEC(struct trigger) triggers = {0};
    TAC_VEC(struct cond *) conds = {0};
    read_head(p, &a);
    while (plain_ok(p) && plain_here(p) && plain_here(p)->indent > indent) {
        if (plain_take(p, "when")) {
            struct trigger trigger = read_trigger(p, triggers.count);
            tac_vec_push(&triggers, trigger);
        } else if (plain_take(p, "if")) {
            tac_vec_push(&conds, plain_condition(p));
            plain_end(p);
        } else if (plain_expect(p, "then")) {
            size_t own = plain_here(p)->indent;
            if (plain_end(p))
                read_block(p, own, &a.steps);
            break;
        }
    }
    if (plain_ok(p) && !triggers.count)
        plain_fail(p, "expected a 'when' in the automation '%.60s' before this", a.alias);
    if (plain_ok(p) && !a.steps.count)
        plain_fail(p, "expected 'then' and a step in the automation '%.60s'", a.alias);
    a.triggers = tac_arena_calloc(&p->model->arena, triggers.count + 1, sizeof *a.triggers);
    if (triggers.count)
        memcpy(a.triggers, triggers.at, triggers.count * sizeof *a.triggers);
    a.trigger_count = triggers.count;
    a.cond = cond_join(p->model, COND_AND, a.place, conds.at, conds.count);
    tac_vec_push(&p->model->automations, a);
    tac_vec_free(&triggers);
    tac_vec_free(&conds);
}

static void read_statements(struct plain *p)
{
    plain_expect(p, "tactus");
    plain_expect(p, "automations");
    if (plain_ok(p) && !plain_take(p, "1"))
        plain_fail(p, "expected version 1");
    plain_end(p);
    for (struct plain_line *line; plain_ok(p) && (line = plain_here(p));) {
        if (plain_take(p, "entity"))
            read_entity(p);
        else if (plain_take(p, "automation"))
            read_automation(p, line->indent);
        else
            plain_fail(p, "expected 'entity' or 'automation'");
    }
}

/* What is written must be something that the entity can be. */
static tac_status check_writes(const struct plain *p)
{
    for (size_t i = 0; i < p->writes.count; i++) {
        const struct step *step = p->writes.at[i];
        const struct entity *e = &p->model->entities.at[step->entity];
        if (set_has(&e->impossible, step->value.text))
            return tac_fail_at(p->err, TAC_E_INPUT, p->path, step->place.line, 0,
                               "sets %s to '%.60s', which is not one of %s", e->name,
                               step->value.text, e->domain_source);
    }
    return TAC_OK;
}

tac_status plain_read(tac_automation_model *model, const char *path, tac_error *err)
{
    struct plain p = {.model = model, .path = path, .err = err};
    char *text = NULL;
    size_t size = 0;
    tac_status status = tac_input_slurp(path, MOST_BYTES, &text, &size, err);
    if (status != TAC_OK)
        return status;
    if (memchr(text, '\0', size))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "holds a zero byte: expected text");
    model->library.files = tac_calloc(1, sizeof *model->library.files);
    model->library.files[0].path = tac_arena_strdup(&model->arena, tac_base_name(path));
    model->library.file_count = model->library.file_capacity = 1;
    if (status == TAC_OK) {
        size_t mark = tac_byte_order_mark(text, size);
        plain_split(&p, text + mark, size - mark);
        read_statements(&p);
        status = p.status;
    }
    if (status == TAC_OK) {
        model_mention_aspects(model);
        domain_assign(model);
        status = check_writes(&p);
    }
    tac_vec_free(&p.writes);
    free(text);
    return status;
}
