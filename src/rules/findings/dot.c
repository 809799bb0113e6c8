/* A drawing of the machine as Graphviz text. Faulty edges are marked: red = part of a cycle, orange
 * = another rule fires at once behind it, blue = fires together with another, grey dashed = dead.
 * Unreachable states are dashed, the initial one has a double border. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "rules/edges.h"
#include "rules/language/write.h"

#define PAGE_STATES 16 /* more go from top to bottom and are scaled to a page */

enum { FAULT_NONE, FAULT_RACE, FAULT_CLASH, FAULT_CYCLE, FAULT_DEAD };

static uint32_t edge_of(const tac_rules *rules, uint32_t state, uint32_t rule)
{
    assert(state < rules->state_count);
    for_each_edge (e, &rules->states[state])
        if (rules->edges[e].rule == rule)
            return e;
    return rules->edge_count;
}

/* fault[edge]; the later the enum, the more it matters. */
static uint8_t *mark_edges(const tac_rules *rules, const tac_rules_findings *f)
{
    uint8_t *fault = tac_calloc((size_t)rules->edge_count + 1, 1);
    if (!f)
        return fault;
    for (size_t i = 0; i < f->unstable_count; i++)
        fault[edge_of(rules, f->unstable[i].state, f->unstable[i].rule)] = FAULT_RACE;
    for (size_t i = 0; i < f->pair_count; i++)
        for (size_t k = 0; k < f->pairs[i].rule_count; k++)
            fault[edge_of(rules, f->pairs[i].state, f->pairs[i].rules[k])] = FAULT_CLASH;
    for (size_t i = 0; i < f->path_count; i++)
        for (size_t k = f->paths[i].loop; f->paths[i].cycle && k < f->paths[i].length; k++)
            fault[edge_of(rules, f->paths[i].states[k], f->paths[i].rules[k])] = FAULT_CYCLE;
    for (uint32_t s = 0; s < rules->state_count && f->witnesses && !f->cycles_known; s++) {
        const tac_rules_witness *w = &f->states[s].cycle_witness;
        for (size_t k = w->loop; w->exists == TAC_RULES_YES && k < w->length; k++)
            fault[edge_of(rules, w->states[k], w->rules[k])] = FAULT_CYCLE;
    }
    for (size_t i = 0; i < f->dead_rule_count; i++)
        fault[edge_of(rules, f->dead_rules[i].state, f->dead_rules[i].rule)] = FAULT_DEAD;
    return fault;
}

static void add_quoted(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_dot(out, text);
    tac_str_add_char(out, '"');
}

static void add_edge(const tac_rules *rules, uint32_t e, uint8_t fault, tac_str *out)
{
    assert(e < rules->edge_count && fault <= FAULT_DEAD);
    static const char *const styles[] = {"", ", color=darkorange, penwidth=1.6, class=race",
                                         ", color=royalblue, penwidth=1.6, class=clash",
                                         ", color=crimson, penwidth=2.4, class=cycle",
                                         ", color=gray60, style=dashed, class=dead"};
    const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
    char *when = rules_predicate_text(rules, rule->when);
    tac_str_add(out, "  ");
    add_quoted(out, rules->states[rules->edges[e].state].name);
    tac_str_add(out, " -> ");
    add_quoted(out, rules->states[rule->to].name);
    tac_str_add(out, " [label=");
    add_quoted(out, rule->name);
    tac_str_add(out, ", tooltip=");
    add_quoted(out, when);
    tac_str_addf(out, "%s];\n", styles[fault]);
    free(when);
}

/* --- A part of the machine -------------------------------------------------------------------- */

struct part {
    bool *in; /* by state */
    uint32_t count, most;
};

static void take(struct part *p, uint32_t state)
{
    if (p->in[state] || p->count >= p->most)
        return;
    p->in[state] = true;
    p->count++;
}

static void take_witness(struct part *p, const tac_rules_witness *w)
{
    for (size_t i = 0; w->exists == TAC_RULES_YES && i <= w->length; i++)
        take(p, w->states[i]);
}

static void take_focus(struct part *p, const tac_rules *rules, const tac_rules_findings *f,
                       uint32_t focus)
{
    take(p, focus);
    if (f && f->witnesses) {
        take_witness(p, &f->states[focus].cycle_witness);
        take_witness(p, &f->states[focus].race_witness);
    }
    for (uint32_t e = 0; e < rules->edge_count; e++) {
        uint32_t from = rules->edges[e].state, to = rules->rules[rules->edges[e].rule].to;
        if (from == focus)
            take(p, to);
        if (to == focus)
            take(p, from);
    }
}

/* The shortest cycles first, as long as they fit whole; then states with other faults. */
static void take_faults(struct part *p, const tac_rules *rules, const tac_rules_findings *f)
{
    for (size_t length = 1; f && f->witnesses && length <= p->most; length++)
        for (uint32_t s = 0; s < rules->state_count; s++) {
            const tac_rules_witness *w = &f->states[s].cycle_witness;
            if (w->exists == TAC_RULES_YES && w->loop == 0 && w->length == length &&
                p->count + length <= p->most)
                take_witness(p, w);
        }
    for (size_t i = 0; f && i < f->pair_count; i++) {
        take(p, f->pairs[i].state);
        for (size_t k = 0; k < f->pairs[i].rule_count; k++)
            take(p, rules->rules[f->pairs[i].rules[k]].to);
    }
    for (uint32_t s = 0; f && s < rules->state_count; s++)
        if (f->states[s].dead || f->states[s].unreachable)
            take(p, s);
    take(p, rules->initial);
}

static void add_head(const tac_rules *rules, const tac_rules_findings *findings,
                     const struct part *p, tac_str *out)
{
    tac_str_add(out, "digraph ");
    add_quoted(out, rules->app[0] ? rules->app : "rules");
    tac_str_addf(out, " {\n  rankdir=%s;\n", p->count > PAGE_STATES ? "TB" : "LR");
    if (p->count > PAGE_STATES)
        tac_str_add(out, "  size=\"7.5,10.5\";\n"); /* inches: a page */
    tac_str_add(out, "  node [shape=box, style=rounded, fontname=sans];\n"
                     "  edge [fontname=sans, fontsize=10];\n");
    if (findings)
        tac_str_add(out, "  label=\"red: cycle   orange: another rule fires at once   blue: fires "
                         "together   grey: dead");
    if (findings && p->count < rules->state_count)
        tac_str_addf(out, "\\n%u of %u states", p->count, rules->state_count);
    if (findings)
        tac_str_add(out, "\";\n  fontname=sans; fontsize=10;\n");
}

char *tac_rules_dot_part(const tac_rules *rules, const tac_rules_findings *findings, uint32_t focus,
                         uint32_t most)
{
    tac_str out = {0};
    uint8_t *fault = mark_edges(rules, findings);
    struct part p = {.in = tac_calloc((size_t)rules->state_count + 1, sizeof *p.in),
                     .most = most ? most : rules->state_count};
    if (focus != TAC_RULES_NONE)
        take_focus(&p, rules, findings, focus);
    else if (most && rules->state_count > most)
        take_faults(&p, rules, findings);
    else
        for (uint32_t s = 0; s < rules->state_count; s++)
            take(&p, s);
    add_head(rules, findings, &p, &out);
    for (uint32_t s = 0; s < rules->state_count; s++) {
        bool unreachable = findings && findings->states[s].unreachable;
        if (!p.in[s])
            continue;
        tac_str_add(&out, "  ");
        add_quoted(&out, rules->states[s].name);
        tac_str_addf(&out, " [%s%s%s];\n", s == rules->initial ? "peripheries=2" : "peripheries=1",
                     unreachable ? ", style=\"rounded,dashed\", color=gray60" : "",
                     s == focus ? ", penwidth=3" : "");
    }
    for (uint32_t e = 0; e < rules->edge_count; e++)
        if (p.in[rules->edges[e].state] && p.in[rules->rules[rules->edges[e].rule].to])
            add_edge(rules, e, fault[e], &out);
    tac_str_add(&out, "}\n");
    free(fault);
    free(p.in);
    return tac_str_take(&out);
}

char *tac_rules_dot(const tac_rules *rules, const tac_rules_findings *findings)
{
    return tac_rules_dot_part(rules, findings, TAC_RULES_NONE, rules->state_count > 40 ? 30 : 0);
}
