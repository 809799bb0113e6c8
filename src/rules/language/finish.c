/* The second half of resolution: states, edges, references between rules, and the final arrays. */
#include "base/check.h"
#include "base/data/text.h"
#include "rules/language/resolve.h"
#include <stdlib.h>
#include <string.h>

struct tac_rules_storage {
    tac_arena arena;
};

static uint32_t find_state(struct rules_builder *b, const char *name, struct place at)
{
    uint32_t state = tac_names_find(&b->state_names, name);
    if (state == TAC_NONE)
        rules_build_error(b, at, "'%s' is not a state%s", name,
                          rules_build_suggestion(b, name, &b->state_names));
    return state;
}

static void resolve_rule(struct resolver *r, uint32_t index, tac_rules_rule *rule, uint32_t *seen)
{
    assert(index < r->b->rules.count);
    const struct draft_rule *draft = &r->b->rules.at[index];
    *rule = (tac_rules_rule){.name = draft->name,
                             .when = draft->when,
                             .priority = draft->priority,
                             .line = draft->at.line};
    rules_resolve_actions(r, draft, rule);
    if (draft->to)
        rule->to = find_state(r->b, draft->to, draft->to_at);
    for (uint32_t i = 0; i < draft->from_count; i++) {
        const struct draft_name *from = &r->b->froms.at[draft->first_from + i];
        uint32_t state = find_state(r->b, from->name, from->at);
        if (state == TAC_NONE)
            continue;
        if (seen[state] == index + 1) {
            rules_build_error(r->b, from->at, "rule %s names state %s twice", rule->name,
                              from->name);
            continue;
        }
        seen[state] = index + 1;
        if (r->edges.count == RULES_MAX_EDGES)
            rules_build_error(r->b, from->at, "the rules are active in more than %u states in all",
                              RULES_MAX_EDGES);
        if (r->edges.count <= RULES_MAX_EDGES)
            tac_vec_push(&r->edges, (tac_rules_edge){state, index});
    }
}

/* --- References between rules ----------------------------------------------------------------- */

struct visit {
    uint32_t rule, node;
};

static void report_reference_cycle(struct resolver *r, const struct visit *stack, size_t depth,
                                   uint32_t back_to)
{
    assert(depth > 0 && back_to < r->b->rules.count);
    char text[400] = "";
    size_t used = 0, from = depth;
    while (from > 0 && stack[from - 1].rule != back_to)
        from--;
    for (size_t i = from ? from - 1 : 0; i < depth && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s, which refers to ",
                                 r->b->rules.at[stack[i].rule].name);
    rules_build_error(r->b, r->b->rules.at[back_to].at,
                      "rule references go round in a circle: %s%s: write one of the predicates out",
                      text, r->b->rules.at[back_to].name);
}

/* Names and operators of a rule's predicate when all references are written out. */
static uint64_t expanded_size(const struct resolver *r, uint32_t rule, const uint64_t *sizes)
{
    tac_rules_predicate when = r->b->rules.at[rule].when;
    uint64_t size = 0;
    for (uint32_t i = when.first; i <= when.root; i++)
        size += r->nodes.at[i].op == TAC_RULES_RULE ? sizes[r->nodes.at[i].left] : 1;
    return size > RULES_MAX_EXPANDED ? RULES_MAX_EXPANDED + 1 : size;
}

static void close_rule(struct resolver *r, uint32_t rule, uint64_t *sizes)
{
    assert(rule < r->b->rules.count);
    sizes[rule] = expanded_size(r, rule, sizes);
    if (sizes[rule] > RULES_MAX_EXPANDED && !r->too_large) {
        rules_build_error(
            r->b, r->b->rules.at[rule].at,
            "rule %s stands for more than %u names when its references are written out",
            r->b->rules.at[rule].name, RULES_MAX_EXPANDED);
        r->too_large = true;
    }
}

/* Depth-first over "a rule name stands for its predicate", with a stack of its own. */
static void check_references(struct resolver *r)
{
    enum { NEW, OPEN, DONE };
    size_t count = r->b->rules.count;
    uint8_t *mark = tac_calloc(count + 1, 1);
    uint64_t *sizes = tac_calloc(count + 1, sizeof *sizes);
    TAC_VEC(struct visit) stack = {0};
    for (uint32_t start = 0; start < count; start++) {
        if (mark[start] != NEW)
            continue;
        mark[start] = OPEN;
        tac_vec_push(&stack, (struct visit){start, r->b->rules.at[start].when.first});
        while (stack.count) {
            struct visit *top = &tac_vec_last(&stack);
            if (top->node > r->b->rules.at[top->rule].when.root) {
                mark[top->rule] = DONE;
                close_rule(r, top->rule, sizes);
                stack.count--;
                continue;
            }
            tac_rules_node node = r->nodes.at[top->node++];
            if (node.op != TAC_RULES_RULE || mark[node.left] == DONE)
                continue;
            if (mark[node.left] == OPEN) {
                report_reference_cycle(r, stack.at, stack.count, node.left);
                continue;
            }
            if (stack.count >= RULES_MAX_REFERENCES) {
                rules_build_error(r->b, r->b->rules.at[start].at,
                                  "rule %s refers to rules more than %u deep",
                                  r->b->rules.at[start].name, RULES_MAX_REFERENCES);
                mark[node.left] = DONE;
                continue;
            }
            mark[node.left] = OPEN;
            tac_vec_push(&stack, (struct visit){node.left, r->b->rules.at[node.left].when.first});
        }
    }
    tac_vec_free(&stack);
    free(mark);
    free(sizes);
}

/* --- The final arrays ------------------------------------------------------------------------- */

static int by_priority(const void *x, const void *y, void *context)
{
    const tac_rules_edge *a = x, *b = y;
    const tac_rules_rule *rules = context;
    if (a->state != b->state)
        return a->state < b->state ? -1 : 1;
    if (rules[a->rule].priority != rules[b->rule].priority)
        return rules[a->rule].priority < rules[b->rule].priority ? -1 : 1;
    return (a->rule > b->rule) - (a->rule < b->rule);
}

static void place_edges(struct resolver *r, tac_rules_rule *rules)
{
    if (r->edges.count == 0)
        return;
    qsort_r(r->edges.at, r->edges.count, sizeof *r->edges.at, by_priority, rules);
    for (size_t i = 0; i < r->edges.count; i++) {
        tac_rules_state *state = &r->b->states.at[r->edges.at[i].state];
        if (state->edge_count++ == 0)
            state->first_edge = (uint32_t)i;
    }
}

static void *copy(tac_arena *arena, const void *source, size_t count, size_t size)
{
    void *target = tac_arena_alloc(arena, count * size + 1);
    if (count)
        memcpy(target, source, count * size);
    return target;
}

static tac_rules_variable *final_variables(struct resolver *r)
{
    tac_rules_variable *variables =
        tac_arena_calloc(&r->b->arena, r->b->variables.count + 1, sizeof *variables);
    for (size_t i = 0; i < r->b->variables.count; i++) {
        const struct draft_variable *draft = &r->b->variables.at[i];
        variables[r->final_of[i]] = draft->variable;
        variables[r->final_of[i]].threshold = draft->number;
        variables[r->final_of[i]].strict = draft->strict;
        variables[r->final_of[i]].value = draft->value;
    }
    return variables;
}

static tac_rules_sensor *final_sensors(struct resolver *r)
{
    tac_rules_sensor *sensors =
        tac_arena_calloc(&r->b->arena, r->b->sensors.count + 1, sizeof *sensors);
    for (size_t i = 0; i < r->b->sensors.count; i++)
        sensors[i] = r->b->sensors.at[i].sensor;
    return sensors;
}

static tac_rules_expectation *final_expectations(struct resolver *r)
{
    size_t count = r->b->expectations.count;
    tac_rules_expectation *all = tac_arena_calloc(&r->b->arena, count + 1, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        const struct draft_expectation *draft = &r->b->expectations.at[i];
        all[i] = (tac_rules_expectation){.when = draft->when,
                                         .state = find_state(r->b, draft->state, draft->at),
                                         .line = draft->at.line};
    }
    return all;
}

static tac_rules *assemble(struct resolver *r, tac_rules_rule *rules,
                           tac_rules_expectation *expectations)
{
    struct rules_builder *b = r->b;
    tac_arena *arena = &b->arena;
    tac_rules *out = tac_calloc(1, sizeof *out);
    out->app = b->app;
    out->file = b->file;
    out->initial = b->initial;
    out->variables = final_variables(r);
    out->sensors = final_sensors(r);
    out->rules = rules;
    out->expectations = expectations;
    out->groups = copy(arena, b->groups.at, b->groups.count, sizeof *b->groups.at);
    out->values = copy(arena, b->values.at, b->values.count, sizeof *b->values.at);
    out->states = copy(arena, b->states.at, b->states.count, sizeof *b->states.at);
    out->edges = copy(arena, r->edges.at, r->edges.count, sizeof *r->edges.at);
    out->actions = copy(arena, r->actions.at, r->actions.count, sizeof *r->actions.at);
    out->nodes = copy(arena, r->nodes.at, r->nodes.count, sizeof *r->nodes.at);
    out->constraints =
        copy(arena, b->constraints.at, b->constraints.count, sizeof *b->constraints.at);
    out->group_count = (uint32_t)b->groups.count;
    out->sensor_count = (uint32_t)b->sensors.count;
    out->variable_count = (uint32_t)b->variables.count;
    out->state_count = (uint32_t)b->states.count;
    out->rule_count = (uint32_t)b->rules.count;
    out->edge_count = (uint32_t)r->edges.count;
    out->action_count = (uint32_t)r->actions.count;
    out->constraint_count = (uint32_t)b->constraints.count;
    out->expectation_count = (uint32_t)b->expectations.count;
    out->node_count = (uint32_t)r->nodes.count;
    out->storage = tac_calloc(1, sizeof *out->storage);
    out->storage->arena = b->arena;
    b->arena = (tac_arena){0};
    return out;
}

/* A group that only a sensor names, and whose name is nearly that of a declared one. */
static void warn_of_groups(struct rules_builder *b)
{
    TAC_VEC(const char *) names = {0};
    for (size_t g = 0; g < b->groups.count; g++)
        if (b->groups.at[g].declared)
            tac_vec_push(&names, b->groups.at[g].name);
    for (size_t i = 0; i < b->sensors.count && names.count; i++) {
        const tac_rules_sensor *sensor = &b->sensors.at[i].sensor;
        const char *name = b->groups.at[sensor->group].name;
        if (b->groups.at[sensor->group].declared || strcmp(name, sensor->name) == 0)
            continue;
        tac_meaning meant = tac_meant(name, names.at, names.count);
        if (*meant.text)
            tac_diagnostics_add(b->diagnostics, TAC_WARNING, b->file, sensor->line, 1,
                                "sensor '%s' is in a group '%s' of its own: no group statement has "
                                "that name%s",
                                sensor->name, name, meant.text);
    }
    tac_vec_free(&names);
}

tac_status rules_builder_finish(struct rules_builder *b, tac_rules **out, tac_error *err)
{
    struct resolver r = {.b = b};
    bool complete = b->diagnostics->errors == 0;
    rules_resolve_terms(&r);
    tac_rules_rule *rules = tac_arena_calloc(&b->arena, b->rules.count + 1, sizeof *rules);
    uint32_t *seen = tac_calloc(b->states.count + 1, sizeof *seen);
    for (size_t i = 0; i < b->rules.count; i++)
        resolve_rule(&r, (uint32_t)i, &rules[i], seen);
    free(seen);
    tac_rules_expectation *expectations = final_expectations(&r);
    struct place start = {1, 1};
    if (b->states.count == 0)
        rules_build_error(b, start, "there is no state: write one as in 'state General initial'");
    else if (b->initial == TAC_RULES_NONE && complete)
        rules_build_error(b, start,
                          "no state is initial: write 'initial' after one, as in 'state %s "
                          "initial'",
                          b->states.at[0].name);
    if (b->diagnostics->errors == 0)
        check_references(&r);
    place_edges(&r, rules);
    warn_of_groups(b);
    tac_status status = tac_diagnostics_fail(b->diagnostics, err);
    if (status == TAC_OK)
        *out = assemble(&r, rules, expectations);
    tac_names_free(&r.tests);
    tac_vec_free(&r.test_variables);
    tac_vec_free(&r.targets);
    tac_vec_free(&r.nodes);
    tac_vec_free(&r.actions);
    tac_vec_free(&r.edges);
    return status;
}

void tac_rules_free(tac_rules *rules)
{
    if (!rules)
        return;
    tac_arena_free(&rules->storage->arena);
    free(rules->storage);
    free(rules);
}
