/* Thresholds of sensors moved to other places.
 *
 * Only the order of the tests of a sensor matters, so a threshold has as many places as there are
 * tests and gaps between them: onto another test, halfway between two neighbours, beyond the first
 * and the last. Where one rule enters and another leaves at thresholds of the same sensor, a place
 * beyond the other's threshold is what is known as hysteresis. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "rules/repair/repair.h"
#include <math.h>

static void add_move(struct repair *r, const tac_rules *now, uint32_t rule, uint32_t variable,
                     double number, bool strict, edit_list *out)
{
    assert(rule < now->rule_count && variable < now->variable_count);
    const tac_rules_variable *test = &now->variables[variable];
    char text[32];
    tac_double_text(number == 0 ? 0 : number, text, sizeof text);
    struct rules_edit edit = {.kind = EDIT_THRESHOLD,
                              .rule = rule,
                              .variable = variable,
                              .condition = tac_arena_format(&r->arena, "%s %s %s",
                                                            now->sensors[test->sensor].name,
                                                            strict ? ">" : ">=", text)};
    if (isfinite(number) && (number != test->threshold || strict != test->strict))
        tac_vec_push(out, edit);
}

/* Every other place of the test among those of its sensor, which stand in order. */
static void move_test(struct repair *r, const tac_rules *now, uint32_t rule, uint32_t variable,
                      edit_list *out)
{
    const tac_rules_variable *all = now->variables;
    uint32_t sensor = all[variable].sensor, first = variable, last = variable;
    while (first > 0 && all[first - 1].sensor == sensor)
        first--;
    while (last + 1 < now->variable_count && all[last + 1].sensor == sensor)
        last++;
    assert(first <= variable && variable <= last);
    double step = fabs(all[variable].threshold) >= 10 ? 5 : 1;
    add_move(r, now, rule, variable, all[first].threshold - step, true, out);
    for (uint32_t v = first; v <= last; v++) {
        assert(v == first || all[v - 1].threshold <= all[v].threshold);
        add_move(r, now, rule, variable, all[v].threshold, all[v].strict, out);
        add_move(r, now, rule, variable, all[v].threshold, !all[v].strict, out);
        if (v < last && all[v + 1].threshold > all[v].threshold)
            add_move(r, now, rule, variable, (all[v].threshold + all[v + 1].threshold) / 2, true,
                     out);
    }
    add_move(r, now, rule, variable, all[last].threshold + step, true, out);
}

void rules_repair_thresholds(struct repair *r, const tac_rules *now, uint32_t rule, edit_list *out)
{
    tac_rules_predicate when = now->rules[rule].when;
    bool *done = tac_calloc((size_t)now->variable_count + 1, sizeof *done);
    for (uint32_t i = when.first; i <= when.root; i++) {
        uint32_t v = now->nodes[i].left;
        if (now->nodes[i].op != TAC_RULES_VARIABLE || done[v] ||
            now->variables[v].sensor == TAC_RULES_NONE ||
            now->sensors[now->variables[v].sensor].value_count)
            continue;
        done[v] = true;
        /* An edit is of the rules as they were: a test that an earlier edit made is left alone. */
        uint32_t original = TAC_RULES_NONE;
        for (uint32_t k = 0; k < r->rules->variable_count; k++)
            if (strcmp(r->rules->variables[k].name, now->variables[v].name) == 0)
                original = k;
        size_t before = out->count;
        if (original != TAC_RULES_NONE)
            move_test(r, now, rule, v, out);
        for (size_t k = before; k < out->count; k++)
            out->at[k].variable = original;
    }
    free(done);
}
