/* Every cycle of a rule set at once, where they are too many to count.
 *
 * A run that never ends takes, again and again, pairs of rules of which the second can fire right
 * after the first (witness/pairs.h). Where N follows R and needs a variable on, "R and not X" ends
 * that pair, and every other one whose second rule needs X on, for good: conditions only become
 * stronger. Chains of pairs that come round are cut where one literal ends the most of them, until
 * none is left, which proves that no input cycles; then the edited rules are analysed again,
 * because a rule that gives way lets others fire. "R and not N" is taken where N needs no single
 * variable, unless that would close a circle of references; and where nothing else is left, R never
 * fires. Few cuts are tried for being needed at all; so no edit of a small result can be spared. It
 * need not be the smallest. Rules without actions only. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/language/operator.h"
#include "rules/repair/repair.h"
#include "rules/witness/pairs.h"
#include <string.h>

#define MOST_ROUNDS 60
#define MOST_CUTS 20000
#define FEW_CUTS 60 /* so many are tried for being needed */

typedef TAC_VEC(uint32_t) u32_list;

/* rule and (variable = on), or rule and not next, or rule and false. */
struct cut {
    uint32_t rule, next; /* next: TAC_RULES_NONE when by a variable */
    uint32_t variable;
    bool on, never;
};

struct cycle_cutter {
    struct repair *r;
    TAC_VEC(struct cut) cuts;
    u32_list *needs; /* by rule: 2 * variable + on, what its condition cannot do without */
    bool *next;      /* by rule; scratch */
    uint8_t *seen;   /* by rule; scratch of refers() */
};

/* --- What a condition needs --- */

static void collect_needs(const tac_rules *rules, uint32_t node, bool on, u32_list *out, int depth)
{
    /* of a truth table, those where the left or the right operand is off, or on */
    static const uint8_t rows_of[2][2] = {{0x3, 0xc}, {0x5, 0xa}};
    const tac_rules_node *at = &rules->nodes[node];
    if (depth > 64)
        return;
    if (at->op == TAC_RULES_VARIABLE)
        tac_vec_push(out, 2 * at->left + on);
    else if (at->op == TAC_RULES_RULE)
        collect_needs(rules, rules->rules[at->left].when.root, on, out, depth + 1);
    unsigned rows = rules_operators[at->op].truth ^ (on ? 0 : 15);
    for (int side = 0; side < rules_operators[at->op].operands; side++)
        for (int value = 0; value < 2; value++)
            if (!(rows & rows_of[side][!value]))
                collect_needs(rules, side ? at->right : at->left, value, out, depth + 1);
}

static bool needs(const struct cycle_cutter *in, uint32_t rule, uint32_t literal)
{
    for (size_t i = 0; i < in->needs[rule].count; i++)
        if (in->needs[rule].at[i] == literal)
            return true;
    return false;
}

/* Whether the condition of a rule stands, directly or not, on that of another. */
static bool refers(struct cycle_cutter *in, uint32_t from, uint32_t to)
{
    const tac_rules *rules = in->r->rules;
    if (from == to)
        return true;
    if (in->seen[from])
        return false;
    in->seen[from] = 1;
    tac_rules_predicate when = rules->rules[from].when;
    for (uint32_t i = when.first; i <= when.root; i++)
        if (rules->nodes[i].op == TAC_RULES_RULE && refers(in, rules->nodes[i].left, to))
            return true;
    for (size_t i = 0; i < in->cuts.count; i++)
        if (in->cuts.at[i].rule == from && in->cuts.at[i].next != TAC_RULES_NONE &&
            refers(in, in->cuts.at[i].next, to))
            return true;
    return false;
}

/* --- Chains --- */

/* A cycle in the chains of pairs, from an edge that is endless: rules in their order. */
static void find_chain(const struct rule_pairs *pairs, uint32_t edge, u32_list *out)
{
    uint32_t *place = tac_calloc((size_t)pairs->rules->edge_count + 1, sizeof *place);
    u32_list edges = {0};
    while (!place[edge]) {
        tac_vec_push(&edges, edge);
        place[edge] = (uint32_t)edges.count;
        uint32_t i = pairs->first[edge];
        while (pairs->next[i] == TAC_RULES_NONE || !pairs->endless[pairs->next[i]])
            i++;
        assert(i < pairs->first[edge + 1]);
        edge = pairs->next[i];
    }
    out->count = 0;
    for (size_t i = place[edge] - 1; i < edges.count; i++)
        tac_vec_push(out, pairs->rules->edges[edges.at[i]].rule);
    free(place);
    tac_vec_free(&edges);
}

/* Endless pairs behind a rule whose second rule needs the literal. */
static uint32_t count_ended(const struct cycle_cutter *in, const struct rule_pairs *pairs,
                            uint32_t rule, uint32_t literal)
{
    const tac_rules *rules = pairs->rules;
    uint32_t count = 0;
    for (uint32_t e = 0; e < rules->edge_count; e++)
        for (uint32_t i = pairs->first[e]; rules->edges[e].rule == rule && i < pairs->first[e + 1];
             i++) {
            uint32_t next = pairs->next[i];
            count += next != TAC_RULES_NONE && pairs->endless[next] &&
                     needs(in, rules->edges[next].rule, literal);
        }
    return count;
}

/* The best cut of a chain by a literal that its rule does not need itself; else by a rule's name.
 */
static void choose_cut(struct cycle_cutter *in, const struct rule_pairs *pairs,
                       const u32_list *chain, struct cut *best)
{
    uint32_t most = 0;
    for (size_t i = 0; i < chain->count; i++) {
        uint32_t rule = chain->at[i], next = chain->at[(i + 1) % chain->count];
        for (size_t k = 0; k < in->needs[next].count; k++) {
            uint32_t literal = in->needs[next].at[k];
            uint32_t ended = needs(in, rule, literal) ? 0 : count_ended(in, pairs, rule, literal);
            if (ended > most) {
                most = ended;
                *best = (struct cut){.rule = rule,
                                     .next = TAC_RULES_NONE,
                                     .variable = literal / 2,
                                     .on = !(literal & 1)};
            }
        }
    }
    for (size_t i = 0; i < chain->count && !most; i++) {
        uint32_t rule = chain->at[i], next = chain->at[(i + 1) % chain->count];
        memset(in->seen, 0, in->r->rules->rule_count);
        if (refers(in, next, rule))
            continue;
        *best = (struct cut){.rule = rule, .next = next};
        most = 1;
    }
    if (!most) /* a rule that leads back to its own state, or a circle of references */
        *best = (struct cut){.rule = chain->at[0], .next = TAC_RULES_NONE, .never = true};
}

static void take_cut(struct cycle_cutter *in, struct rule_pairs *pairs, const struct cut *cut)
{
    for (uint32_t rule = 0; rule < pairs->rules->rule_count; rule++)
        in->next[rule] = cut->never || (cut->next != TAC_RULES_NONE
                                            ? rule == cut->next
                                            : needs(in, rule, 2 * cut->variable + !cut->on));
    rules_pairs_cut(pairs, cut->rule, in->next);
    if (cut->next == TAC_RULES_NONE && !cut->never)
        tac_vec_push(&in->needs[cut->rule], 2 * cut->variable + cut->on);
    tac_vec_push(&in->cuts, *cut);
}

/* Cuts chains until none comes round; false when there are too many. */
static bool cut_chains(struct cycle_cutter *in, struct rule_pairs *pairs)
{
    u32_list chain = {0};
    bool fine = true;
    for (uint32_t e = 0; e < pairs->rules->edge_count && fine; e++)
        while (fine && pairs->endless[e]) {
            struct cut cut;
            find_chain(pairs, e, &chain);
            fine = in->cuts.count < MOST_CUTS;
            choose_cut(in, pairs, &chain, &cut);
            take_cut(in, pairs, &cut);
        }
    tac_vec_free(&chain);
    return fine;
}

/* --- Rounds --- */

static size_t make_edits(const struct cycle_cutter *in, size_t without, struct rules_edit *out)
{
    const tac_rules *rules = in->r->rules;
    size_t count = 0;
    for (size_t i = 0; i < in->cuts.count; i++) {
        const struct cut *cut = &in->cuts.at[i];
        bool by_rule = cut->next != TAC_RULES_NONE;
        const char *name =
            by_rule ? rules->rules[cut->next].name : rules->variables[cut->variable].name;
        if (cut->never)
            name = "false";
        if (i != without)
            out[count++] =
                (struct rules_edit){.kind = EDIT_STRENGTHEN,
                                    .rule = cut->rule,
                                    .by_rule = by_rule,
                                    .condition = tac_arena_format(
                                        &in->r->arena, "%s%s",
                                        by_rule || !(cut->on || cut->never) ? "not " : "", name)};
    }
    return count;
}

enum round_result { ROUND_FAILED, ROUND_CUT, ROUND_CLEAN };

/* The rules with the cuts but one (SIZE_MAX: all): whether a chain is left, which is cut when
 * asked.
 */
static enum round_result go_round(struct cycle_cutter *in, size_t without, bool cutting)
{
    struct rules_edit *edits = tac_calloc(in->cuts.count + 1, sizeof *edits);
    size_t count = make_edits(in, without, edits);
    tac_rules *now = rules_repair_apply(in->r->rules, edits, count);
    struct components *components = NULL;
    tac_bdd_limits limits = {.variables = 256};
    enum round_result result = ROUND_FAILED;
    free(edits);
    in->r->candidates++;
    if (!tac_watch_tick(in->r->options->watch, "cycles cut", in->cuts.count, 0))
        in->r->stopped = in->r->interrupted = true;
    if (now && !in->r->interrupted && tac_bdd_start(&limits, NULL) == TAC_OK) {
        struct rule_pairs pairs;
        if (rules_components_open(now, false, &components, NULL) == TAC_OK &&
            rules_pairs_open(&pairs, now, components, in->r->options->watch)) {
            bool endless = false;
            for (uint32_t s = 0; s < now->state_count; s++)
                endless = endless || rules_pairs_endless(&pairs, s);
            result = !endless                            ? ROUND_CLEAN
                     : cutting && cut_chains(in, &pairs) ? ROUND_CUT
                                                         : ROUND_FAILED;
            rules_pairs_close(&pairs);
        }
        rules_components_close(components);
        tac_bdd_stop();
    }
    tac_rules_free(now);
    return result;
}

static void spare_cuts(struct cycle_cutter *in)
{
    for (size_t i = in->cuts.count <= FEW_CUTS ? in->cuts.count : 0; i-- > 0;)
        if (go_round(in, i, false) == ROUND_CLEAN) {
            memmove(&in->cuts.at[i], &in->cuts.at[i + 1],
                    (in->cuts.count - i - 1) * sizeof *in->cuts.at);
            in->cuts.count--;
        }
}

void rules_repair_all_cycles(struct repair *r)
{
    const tac_rules *rules = r->rules;
    struct cycle_cutter in = {.r = r,
                              .needs = tac_calloc((size_t)rules->rule_count + 1, sizeof *in.needs),
                              .next = tac_calloc((size_t)rules->rule_count + 1, sizeof *in.next),
                              .seen = tac_calloc((size_t)rules->rule_count + 1, 1)};
    enum round_result result = rules->action_count ? ROUND_FAILED : ROUND_CUT;
    for (uint32_t rule = 0; rule < rules->rule_count; rule++)
        collect_needs(rules, rules->rules[rule].when.root, true, &in.needs[rule], 0);
    for (int round = 0; round < MOST_ROUNDS && result == ROUND_CUT; round++)
        result = go_round(&in, SIZE_MAX, true);
    if (result == ROUND_CLEAN) {
        spare_cuts(&in);
        struct rules_edit *edits = tac_calloc(in.cuts.count + 1, sizeof *edits);
        size_t count = make_edits(&in, SIZE_MAX, edits);
        if (!r->interrupted)
            rules_repair_record(r, edits, count);
        free(edits);
    }
    for (uint32_t rule = 0; rule < rules->rule_count; rule++)
        tac_vec_free(&in.needs[rule]);
    tac_vec_free(&in.cuts);
    free(in.needs);
    free(in.next);
    free(in.seen);
}
