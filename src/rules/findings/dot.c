/* A drawing of the machine as Graphviz text. Faulty edges are marked: red = part of a cycle, orange
 * = another rule fires at once behind it, blue = fires together with another, grey dashed = dead.
 * Unreachable states are dashed, the initial one has a double border. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "rules/findings/findings.h"
#include "rules/language/write.h"
#include <stdlib.h>
#include <string.h>

enum { FAULT_NONE, FAULT_RACE, FAULT_CLASH, FAULT_CYCLE, FAULT_DEAD };

static uint32_t edge_of(const tac_rules *rules, uint32_t state, uint32_t rule)
{
    assert(state < rules->state_count);
    const tac_rules_state *s = &rules->states[state];
    for (uint32_t e = s->first_edge; e < s->first_edge + s->edge_count; e++)
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

char *tac_rules_dot(const tac_rules *rules, const tac_rules_findings *findings)
{
    tac_str out = {0};
    uint8_t *fault = mark_edges(rules, findings);
    tac_str_add(&out, "digraph ");
    add_quoted(&out, rules->app[0] ? rules->app : "rules");
    tac_str_add(&out, " {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=sans];\n"
                      "  edge [fontname=sans, fontsize=10];\n");
    if (findings)
        tac_str_add(&out, "  label=\"red: cycle   orange: another rule fires at once   blue: fires "
                          "together   grey: dead\";\n  fontname=sans; fontsize=10;\n");
    for (uint32_t s = 0; s < rules->state_count; s++) {
        bool unreachable = findings && findings->states[s].unreachable;
        tac_str_add(&out, "  ");
        add_quoted(&out, rules->states[s].name);
        tac_str_addf(&out, " [%s%s];\n", s == rules->initial ? "peripheries=2" : "peripheries=1",
                     unreachable ? ", style=\"rounded,dashed\", color=gray60" : "");
    }
    for (uint32_t e = 0; e < rules->edge_count; e++)
        add_edge(rules, e, fault[e], &out);
    tac_str_add(&out, "}\n");
    free(fault);
    return tac_str_take(&out);
}
