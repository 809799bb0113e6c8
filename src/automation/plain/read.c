/* Statements of our own text form: entities, automations, triggers, steps. */
#include "automation/home/domain.h"
#include "automation/plain/plain.h"
#include "base/check.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, MOST_BLOCKS = 64 };

static tac_automation_model *model_of(const struct syntax *s)
{
    return ((struct plain *)s->context)->model;
}

static void read_entity(struct syntax *s)
{
    tac_automation_model *model = model_of(s);
    uint32_t number = plain_entity(s);
    TAC_VEC(const char *) states = {0};
    syntax_need(s, ":", NULL);
    if (syntax_accept(s, "number")) {
        model->entities.at[number].domain = DOMAIN_NUMBER;
    } else {
        do
            tac_vec_push(&states, plain_text(s, "a value"));
        while (syntax_accept(s, ","));
        struct entity *e = &model->entities.at[number];
        e->states = tac_arena_keep(&model->arena, states.at, states.count, sizeof *e->states);
        e->state_count = states.count;
        e->domain = DOMAIN_CLOSED;
        e->domain_source = tac_arena_format(&model->arena, "the values of %s", e->name);
        tac_vec_free(&states);
    }
    plain_end(s);
}

static struct trigger read_trigger(struct syntax *s, size_t number)
{
    tac_automation_model *model = model_of(s);
    struct trigger t = {.kind = TRIGGER_START,
                        .place = plain_place(s),
                        .id = tac_arena_format(&model->arena, "%zu", number),
                        .platform = "start",
                        .entity = TAC_NONE,
                        .first = (uint32_t)number,
                        .above = -INFINITY,
                        .below = INFINITY};
    if (syntax_accept(s, "time")) {
        t.kind = TRIGGER_TIME;
        t.platform = "time";
        t.seconds = plain_clock(s);
        tac_vec_push(&model->clock_cuts[CLOCK_SECOND_OF_DAY], t.seconds);
    } else if (syntax_accept(s, "event")) {
        t.kind = TRIGGER_EVENT;
        t.platform = "event";
        t.key = tac_arena_format(&model->arena, "event %s", plain_text(s, "a name"));
    } else if (!syntax_accept(s, "start")) {
        t.entity = plain_entity(s);
        t.kind = syntax_accept(s, "changes") ? TRIGGER_STATE : TRIGGER_NUMBER;
        t.platform = t.kind == TRIGGER_STATE ? "state" : "numeric_state";
        if (t.kind == TRIGGER_NUMBER)
            plain_range(s, t.entity, &t.above, &t.below);
        else if ((t.has_from = syntax_accept(s, "from")))
            plain_states(s, t.entity, &t.from);
        if (t.kind == TRIGGER_STATE && (t.has_to = syntax_accept(s, "to")))
            plain_states(s, t.entity, &t.to);
        if (syntax_accept(s, "for"))
            t.hold = plain_duration(s);
    }
    plain_end(s);
    return t;
}

static bool is_deeper(const struct syntax *s, uint32_t column)
{
    return !s->failed && s->token.kind != SYNTAX_END && s->token.column > column;
}

static bool is_level(const struct syntax *s, uint32_t column)
{
    return !s->failed && s->token.kind != SYNTAX_END && s->token.column == column;
}

static struct step *read_step(struct syntax *s);

/* The lines that are deeper than the one they belong to. */
static void read_block(struct syntax *s, uint32_t outer, struct branch *out)
{
    struct plain *p = s->context;
    step_list steps = {0};
    uint32_t column = s->token.column;
    out->place = plain_place(s);
    if (!is_deeper(s, outer))
        syntax_expected(s, "a step on a deeper line");
    if (++p->depth > MOST_BLOCKS)
        syntax_fail(s, &s->token, "blocks are nested more than %d deep: expected fewer",
                    (int)MOST_BLOCKS);
    while (is_level(s, column))
        tac_vec_push(&steps, read_step(s));
    if (is_deeper(s, column))
        syntax_expected(s, "a line as deep as the one before it");
    p->depth--;
    branch_take(p->model, out, &steps);
}

static void read_choice(struct syntax *s, struct step *step)
{
    branch_list branches = {0};
    uint32_t column = s->token.column;
    bool more = true;
    step->kind = STEP_CHOOSE;
    while (more) {
        struct branch branch = {.cond = NULL};
        more = syntax_accept(s, "if");
        if (more)
            branch.cond = plain_condition(s);
        if (plain_end(s))
            read_block(s, column, &branch);
        tac_vec_push(&branches, branch);
        more = more && is_level(s, column) && syntax_accept(s, "else");
    }
    step_take(model_of(s), step, &branches);
}

static void read_write(struct syntax *s, struct step *step)
{
    struct plain *p = s->context;
    step->entity = plain_entity(s);
    syntax_need(s, ":=", NULL);
    step->value = value_of(plain_text(s, "a value"));
    step->text = tac_arena_format(&p->model->arena, "%s := %s",
                                  p->model->entities.at[step->entity].name, step->value.text);
    model_mention(p->model, step->entity, step->value.text);
    tac_vec_push(&p->writes, step);
}

static struct step *read_step(struct syntax *s)
{
    tac_automation_model *model = model_of(s);
    struct step *step = step_new(model, STEP_WRITE, plain_place(s));
    step->text = "";
    if (syntax_is(s, "if")) {
        read_choice(s, step);
        return step;
    }
    if (syntax_accept(s, "wait")) {
        step->kind = STEP_DELAY;
        step->seconds = plain_duration(s);
    } else if (syntax_accept(s, "go")) {
        step->kind = STEP_CONDITION;
        syntax_need(s, "on", NULL);
        syntax_need(s, "if", NULL);
        step->cond = plain_condition(s);
    } else if (syntax_accept(s, "do")) {
        step->kind = STEP_EFFECT;
        step->harmless = true;
        step->text = tac_arena_format(&model->arena, "do %s", plain_text(s, "a text"));
    } else if (syntax_accept(s, "stop")) {
        step->kind = STEP_STOP;
    } else {
        read_write(s, step);
    }
    plain_end(s);
    return step;
}

/* "hall light, mode queued 3" */
static void read_head(struct syntax *s, struct automation *a)
{
    static const char *const modes[] = {[MODE_SINGLE] = "single",
                                        [MODE_RESTART] = "restart",
                                        [MODE_QUEUED] = "queued",
                                        [MODE_PARALLEL] = "parallel"};
    TABLE_COVERS(modes, MODE_PARALLEL);
    const char *name = plain_text(s, "a name");
    while (!s->failed && !syntax_at_end(s) && !syntax_is(s, ","))
        name = tac_arena_format(&model_of(s)->arena, "%s %s", name, plain_text(s, "a name"));
    a->id = a->alias = name;
    a->most_runs = 10;
    if (syntax_accept(s, ",") && syntax_need(s, "mode", NULL)) {
        size_t mode = 0;
        a->mode_place = plain_place(s);
        while (mode < 4 && !syntax_accept(s, modes[mode]))
            mode++;
        if (mode == 4)
            syntax_expected_one_of(s, NULL, modes, 4);
        a->mode = mode < 4 ? (enum run_mode)mode : MODE_SINGLE;
        struct syntax_token at = s->token;
        if ((a->mode == MODE_QUEUED || a->mode == MODE_PARALLEL) && !syntax_at_end(s)) {
            double most = plain_number(s);
            if (!(most >= 1 && most <= 1000 && most == floor(most)))
                syntax_fail(s, &at, "expected 1 to 1000 runs, found %g", most);
            else
                a->most_runs = (uint32_t)most;
        }
    }
    plain_end(s);
}

static void read_automation(struct syntax *s, const struct syntax_token *start)
{
    static const char *const parts[] = {"when", "if", "then"};
    tac_automation_model *model = model_of(s);
    struct automation a = {.place = plain_place(s)};
    TAC_VEC(struct trigger) triggers = {0};
    TAC_VEC(struct cond *) conds = {0};
    read_head(s, &a);
    while (is_deeper(s, start->column)) {
        uint32_t own = s->token.column;
        if (syntax_accept(s, "when")) {
            struct trigger trigger = read_trigger(s, triggers.count);
            tac_vec_push(&triggers, trigger);
        } else if (syntax_accept(s, "if")) {
            tac_vec_push(&conds, plain_condition(s));
            plain_end(s);
        } else if (syntax_accept(s, "then")) {
            if (plain_end(s))
                read_block(s, own, &a.steps);
            break;
        } else {
            syntax_expected_one_of(s, NULL, parts, sizeof parts / sizeof *parts);
        }
    }
    if (!triggers.count)
        syntax_fail(s, start, "expected a 'when' in the automation '%.60s'", a.alias);
    if (!a.steps.count)
        syntax_fail(s, start, "expected 'then' and a step in the automation '%.60s'", a.alias);
    a.triggers = tac_arena_keep(&model->arena, triggers.at, triggers.count, sizeof *a.triggers);
    a.trigger_count = triggers.count;
    a.cond = cond_join(model, COND_AND, a.place, conds.at, conds.count);
    tac_vec_push(&model->automations, a);
    tac_vec_free(&triggers);
    tac_vec_free(&conds);
}

static void read_statements(struct syntax *s)
{
    static const char *const statements[] = {"entity", "automation"};
    while (s->token.kind == SYNTAX_LINE)
        syntax_advance(s);
    syntax_need(s, "tactus", NULL);
    syntax_need(s, "automations", NULL);
    syntax_need(s, "1", "version 1");
    plain_end(s);
    while (!s->failed && s->token.kind != SYNTAX_END) {
        struct syntax_token start = s->token;
        if (syntax_accept(s, "entity"))
            read_entity(s);
        else if (syntax_accept(s, "automation"))
            read_automation(s, &start);
        else
            syntax_expected_one_of(s, NULL, statements, 2);
    }
}

/* What is written must be something that the entity can be. */
static tac_status check_writes(const struct plain *p)
{
    for (size_t i = 0; i < p->writes.count; i++) {
        const struct step *step = p->writes.at[i];
        const struct entity *e = &p->model->entities.at[step->entity];
        if (set_has(&e->impossible, step->value.text))
            return tac_fail_at(p->syntax.err, TAC_E_INPUT, p->syntax.file, step->place.line, 0,
                               "sets %s to '%.60s', which is not one of %s", e->name,
                               step->value.text, e->domain_source);
    }
    return TAC_OK;
}

tac_status plain_read(tac_automation_model *model, const char *path, tac_error *err)
{
    struct plain p = {.model = model, .syntax = {.file = path, .err = err}};
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
        p.syntax.context = &p;
        syntax_open(&p.syntax, &plain_language, text, size, 1, 1);
        read_statements(&p.syntax);
        status = p.syntax.status;
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
