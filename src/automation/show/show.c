/* The normal form as text: what was understood. */
#include "automation/simulate/play.h"
#include "base/check.h"
#include "base/print/print.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct printer {
    const tac_automation_model *model;
    FILE *out;
};

static void print_cond(const struct printer *p, const struct cond *cond);

static void print_set(const struct printer *p, const struct text_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        tac_print(p->out, "%s%s", i ? " or " : "", set->at[i]);
}

static void print_range(const struct printer *p, const struct cond *cond, const char *name)
{
    tac_print(p->out, "%s", name);
    if (isfinite(cond->above))
        tac_print(p->out, " %s %g", cond->above_closed ? ">=" : ">", cond->above);
    if (isfinite(cond->above) && isfinite(cond->below))
        fputs(" and", p->out);
    if (isfinite(cond->below))
        tac_print(p->out, " %s %g", cond->below_closed ? "<=" : "<", cond->below);
}

static void print_parts(const struct printer *p, const struct cond *cond)
{
    fputs("(", p->out);
    for (size_t i = 0; i < cond->count; i++) {
        fputs(i ? cond->kind == COND_AND ? " and " : " or " : "", p->out);
        print_cond(p, cond->at[i]);
    }
    fputs(")", p->out);
}

static void print_cond(const struct printer *p, const struct cond *cond)
{
    static const char *const parts[] = {[CLOCK_SECOND_OF_DAY] = "second of the day",
                                        [CLOCK_WEEKDAY] = "weekday",
                                        [CLOCK_MONTH] = "month",
                                        [CLOCK_DAY] = "day"};
    TABLE_COVERS(parts, CLOCK_DAY);
    static const char *const aspects[] = {
        [ASPECT_ID] = "trigger id",         [ASPECT_ENTITY] = "trigger entity",
        [ASPECT_TO] = "new state",          [ASPECT_FROM] = "old state",
        [ASPECT_PLATFORM] = "trigger kind", [ASPECT_NUMBER] = "trigger number"};
    TABLE_COVERS(aspects, ASPECT_NUMBER);
    const char *name = cond->entity == TAC_NONE ? "" : p->model->entities.at[cond->entity].name;
    switch (cond->kind) {
    case COND_TRUE:
        fputs("always", p->out);
        break;
    case COND_FALSE:
        fputs("never", p->out);
        break;
    case COND_AND:
    case COND_OR:
        print_parts(p, cond);
        break;
    case COND_NOT:
        fputs("not ", p->out);
        print_cond(p, cond->at[0]);
        break;
    case COND_STATE:
        tac_print(p->out, "%s is ", name);
        print_set(p, &cond->texts);
        break;
    case COND_NUMBER:
        print_range(p, cond, name);
        break;
    case COND_HELD:
        tac_print(p->out, "%s unchanged for %g s", name, cond->seconds);
        break;
    case COND_CLOCK:
        print_range(p, cond, parts[cond->part]);
        break;
    case COND_TRIGGER:
        tac_print(p->out, "%s is ", aspects[cond->aspect]);
        print_set(p, &cond->texts);
        break;
    case COND_FREE:
        tac_print(p->out, "? {%.80s}", p->model->free_names.text[cond->free]);
        break;
    }
}

static void print_filters(const struct printer *p, const struct trigger *t)
{
    const struct {
        const struct text_set *set;
        const char *word;
    } filters[] = {{&t->from, " from "},
                   {&t->not_from, " not from "},
                   {&t->to, " to "},
                   {&t->not_to, " not to "}};
    for (size_t i = 0; i < 4; i++)
        if (filters[i].set->count) {
            fputs(filters[i].word, p->out);
            print_set(p, filters[i].set);
        }
}

static void print_trigger(const struct printer *p, const struct trigger *t)
{
    const char *name = t->entity == TAC_NONE ? "" : p->model->entities.at[t->entity].name;
    char clock[16];
    fputs("  when ", p->out);
    if (t->kind == TRIGGER_STATE) {
        tac_print(p->out, "%s changes", name);
        print_filters(p, t);
    } else if (t->kind == TRIGGER_NUMBER) {
        struct cond range = {.above = t->above, .below = t->below};
        print_range(p, &range, name);
        fputs(" becomes true", p->out);
    } else if (t->kind == TRIGGER_TIME) {
        tac_print(p->out, "it is %s", clock_text(t->seconds, clock, sizeof clock));
    } else {
        tac_print(p->out, "%s", t->kind == TRIGGER_START ? "the system starts" : t->key);
    }
    if (t->hold > 0)
        tac_print(p->out, " for %g s", t->hold);
    tac_print(p->out, "%s\n", t->abstract ? "   (not fully known)" : "");
}

static void print_steps(const struct printer *p, const struct branch *steps, int depth);

static void print_branches(const struct printer *p, const struct step *step, int depth)
{
    const char *word = step->kind == STEP_CHOOSE     ? "choose"
                       : step->kind == STEP_REPEAT   ? "repeat"
                       : step->kind == STEP_PARALLEL ? "together"
                                                     : step->text;
    tac_print(p->out, "%s\n", word);
    for (size_t b = 0; b < step->branch_count; b++) {
        if (step->kind == STEP_CHOOSE) {
            tac_print(p->out, "%*s%s", 2 * depth + 2, "",
                      step->branches[b].cond ? "if " : "otherwise");
            if (step->branches[b].cond)
                print_cond(p, step->branches[b].cond);
            fputs("\n", p->out);
        }
        print_steps(p, &step->branches[b], depth + 2);
    }
}

static void print_step(const struct printer *p, const struct step *step, int depth)
{
    tac_print(p->out, "%*s", 2 * depth, "");
    switch (step->kind) {
    case STEP_WRITE:
        tac_print(p->out, "%s%s%s := %s%s\n", p->model->entities.at[step->entity].name,
                  *step->slot ? " " : "", step->slot, step->value.text ? step->value.text : "?",
                  step->uncertain ? "   (perhaps)" : "");
        break;
    case STEP_EFFECT:
        tac_print(p->out, "do %.100s\n", step->text);
        break;
    case STEP_DELAY:
        if (step->seconds < 0)
            fputs("wait some time\n", p->out);
        else
            tac_print(p->out, "wait %g s\n", step->seconds);
        break;
    case STEP_WAIT:
        fputs("wait until something happens\n", p->out);
        break;
    case STEP_STOP:
        fputs("stop\n", p->out);
        break;
    case STEP_CONDITION:
        fputs("go on if ", p->out);
        print_cond(p, step->cond);
        fputs("\n", p->out);
        break;
    case STEP_CHOOSE:
    case STEP_REPEAT:
    case STEP_PARALLEL:
    case STEP_SCRIPT:
        print_branches(p, step, depth);
        break;
    }
}

static void print_steps(const struct printer *p, const struct branch *steps, int depth)
{
    for (size_t i = 0; i < steps->count; i++)
        print_step(p, steps->at[i], depth);
}

static void print_automation(const struct printer *p, const struct automation *a)
{
    static const char *const modes[] = {[MODE_SINGLE] = "single",
                                        [MODE_RESTART] = "restart",
                                        [MODE_QUEUED] = "queued",
                                        [MODE_PARALLEL] = "parallel"};
    TABLE_COVERS(modes, MODE_PARALLEL);
    static const char *const readings[] = {[TAC_READ_EXACT] = "exact",
                                           [TAC_READ_ABSTRACTED] = "abstracted",
                                           [TAC_READ_NOT] = "not readable"};
    TABLE_COVERS(readings, TAC_READ_NOT);
    tac_print(p->out, "\nautomation %s   (%s:%" PRIu32 ", %s%s)\n", automation_name(a),
              p->model->library.files[a->place.file].path, a->place.line, readings[a->reading],
              a->disabled ? ", disabled" : "");
    for (size_t r = 0; r < a->reasons.count; r++)
        tac_print(p->out, "  # %s\n", a->reasons.at[r]);
    for (size_t t = 0; t < a->trigger_count; t++)
        print_trigger(p, &a->triggers[t]);
    if (a->cond->kind != COND_TRUE) {
        fputs("  if ", p->out);
        print_cond(p, a->cond);
        fputs("\n", p->out);
    }
    tac_print(p->out, "  then, mode %s\n", modes[a->mode]);
    print_steps(p, &a->steps, 2);
}

void tac_automation_show(const tac_automation_model *model, FILE *out)
{
    struct printer p = {model, out};
    for (size_t i = 0; i < model->entities.count; i++) {
        const struct entity *e = &model->entities.at[i];
        tac_print(out, "entity %s:", e->name);
        for (size_t v = 0; v < e->value_count; v++)
            tac_print(out, "%s %s", v ? "," : "", e->values[v].text);
        tac_print(out, "%s\n", e->domain == DOMAIN_OPEN ? " ..." : "");
    }
    for (size_t i = 0; i < model->automations.count; i++)
        print_automation(&p, &model->automations.at[i]);
}

struct reason {
    const char *text;
    size_t count;
};

static int by_count(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

void tac_automation_show_reading(const tac_automation_model *model, FILE *out)
{
    TAC_VEC(struct reason) reasons = {0};
    for (size_t i = 0; i < model->automations.count; i++) {
        const struct text_set *set = &model->automations.at[i].reasons;
        for (size_t r = 0; r < set->count; r++) {
            size_t at = 0;
            while (at < reasons.count && strcmp(reasons.at[at].text, set->at[r]) != 0)
                at++;
            if (at == reasons.count)
                tac_vec_push(&reasons, (struct reason){set->at[r], 0});
            reasons.at[at].count++;
        }
    }
    if (reasons.count)
        qsort(reasons.at, reasons.count, sizeof *reasons.at, by_count);
    for (size_t i = 0; i < reasons.count; i++)
        tac_print(out, "%6zu  %s\n", reasons.at[i].count, reasons.at[i].text);
    tac_vec_free(&reasons);
}
