/* Repairs: the smallest edits that remove a fault, verified and ranked.
 *
 * Iterative deepening: with one edit, then two, ... up to max_edits. A node of the search is a rule
 * set with some edits; if the fault is gone, they are a repair, else its first remaining fault
 * gives the candidate edits (candidates.c). Priorities against nondeterminism have an
 * exhaustive search of their own (priorities.c). The search stops at the first size that
 * works, so the repairs shown are of the smallest size.
 *
 * Every repair is verified and ranked against the others (rank.c), by the faults left (measure.c).
 * Races and hazards seldom go away with a few edits: there an edit that makes them fewer counts. */
#include "rules/repair/repair.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/memory.h"
#include <string.h>

const char *tac_rules_fault_name(tac_rules_fault fault)
{
    static const char *const names[] = {[TAC_RULES_NONDETERMINISM] = "nondeterminism",
                                        [TAC_RULES_DEAD] = "dead",
                                        [TAC_RULES_CYCLE] = "cycle",
                                        [TAC_RULES_UNREACHABLE] = "unreachable",
                                        [TAC_RULES_RACE] = "race",
                                        [TAC_RULES_HAZARD] = "hazard"};
    TABLE_COVERS(names, TAC_RULES_HAZARD);
    return names[fault];
}

static bool partial_counts(tac_rules_fault fault)
{
    return fault == TAC_RULES_RACE || fault == TAC_RULES_HAZARD;
}

/* Faults that do not need race and cycle sets. */
static bool local_fault(tac_rules_fault fault)
{
    return fault == TAC_RULES_NONDETERMINISM || fault == TAC_RULES_DEAD ||
           fault == TAC_RULES_UNREACHABLE;
}

/* --- Edits ------------------------------------------------------------------------------------ */

tac_rules *rules_repair_apply(const tac_rules *rules, const struct rules_edit *edits, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    tac_rules *edited = NULL;
    tac_diagnostics diagnostics = {0};
    FILE *memory = tac_memory_open(&text, &size);
    tac_status status = rules_write_edited(rules, edits, count, memory, NULL);
    tac_memory_close(memory);
    if (!status)
        status = tac_rules_parse(rules->file, text, size, &diagnostics, &edited, NULL);
    tac_diagnostics_free(&diagnostics);
    free(text);
    return status ? NULL : edited;
}

static char *priority_text(uint32_t priority)
{
    return priority == TAC_RULES_LOWEST_PRIORITY ? tac_strdup("none") : tac_format("%u", priority);
}

char *rules_repair_sentence(const tac_rules *rules, const struct rules_edit *edit)
{
    if (edit->kind == EDIT_PRIORITY) {
        char *from = priority_text(rules->rules[edit->rule].priority);
        char *to = priority_text(edit->priority);
        char *level =
            edit->between < 2 ? tac_strdup("") : tac_format(" (new level %u there)", edit->between);
        char *text = tac_format("priority of %s: %s -> %s%s%s", rules->rules[edit->rule].name, from,
                                to, edit->between ? ", and what is there grows by one" : "", level);
        free(level);
        free(from);
        free(to);
        return text;
    }
    if (edit->kind == EDIT_STRENGTHEN)
        return tac_format("condition of %s: ... and %s", rules->rules[edit->rule].name,
                          edit->condition);
    if (edit->kind == EDIT_THRESHOLD)
        return tac_format("threshold of %s: %s -> %s", rules->rules[edit->rule].name,
                          rules->variables[edit->variable].name, edit->condition);
    if (edit->kind == EDIT_ADD_RULE) {
        char *priority = priority_text(edit->priority);
        char *text = tac_format("new rule %s: %s -> %s when %s, priority %s", edit->name,
                                rules->states[edit->state].name, rules->states[edit->target].name,
                                edit->condition, priority);
        free(priority);
        return text;
    }
    return tac_format("split %s: %s leads to %s, where %s is not active",
                      rules->states[edit->state].name, rules->rules[edit->entering].name,
                      edit->name, rules->rules[edit->rule].name);
}

static int by_rule(const void *x, const void *y)
{
    const struct rules_edit *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->rule > b->rule) - (a->rule < b->rule);
}

/* Numbers the levels that the plan makes before one number: 1, 2, ... */
static void number_levels(struct repair_plan *plan)
{
    uint32_t *ranks = tac_calloc(plan->count + 1, sizeof *ranks);
    for (size_t i = 0; i < plan->count; i++) {
        const struct rules_edit *edit = &plan->edits[i];
        ranks[i] = edit->between > 0;
        for (size_t k = 0; k < plan->count && edit->between; k++) {
            const struct rules_edit *other = &plan->edits[k];
            bool first = other->kind == EDIT_PRIORITY && other->priority == edit->priority &&
                         other->between && other->between < edit->between;
            for (size_t e = 0; e < k && first; e++)
                first = plan->edits[e].priority != other->priority ||
                        plan->edits[e].between != other->between;
            ranks[i] += first;
        }
    }
    for (size_t i = 0; i < plan->count; i++)
        plan->edits[i].between = ranks[i];
    free(ranks);
}

void rules_repair_record(struct repair *r, const struct rules_edit *edits, size_t count)
{
    struct repair_plan plan = {.edits = tac_arena_calloc(&r->arena, count + 1, sizeof *plan.edits),
                               .count = count};
    tac_str key = {0};
    if (count)
        memcpy(plan.edits, edits, count * sizeof *edits);
    qsort(plan.edits, count, sizeof *plan.edits, by_rule);
    number_levels(&plan);
    for (size_t i = 0; i < count; i++) {
        char *sentence = rules_repair_sentence(r->rules, &plan.edits[i]);
        tac_str_addf(&key, "%s\n", sentence);
        free(sentence);
    }
    size_t known = r->seen.count;
    if (tac_names_intern(&r->seen, tac_str_text(&key)) == known)
        tac_vec_push(&r->plans, plan);
    tac_str_free(&key);
    if (r->plans.count >= (r->rules->edge_count > LARGE_RULE_SET ? MAX_PLANS_OF_LARGE : MAX_PLANS))
        r->stopped = true;
}

/* --- Search ----------------------------------------------------------------------------------- */

struct repair_node {
    struct rules_edit edits[MAX_REPAIR_EDITS];
    size_t count;
};

static bool edited_already(const struct repair_node *node, const struct rules_edit *edit)
{
    for (size_t i = 0; i < node->count; i++)
        if (node->edits[i].kind == edit->kind && node->edits[i].rule == edit->rule &&
            (edit->kind != EDIT_THRESHOLD || node->edits[i].variable == edit->variable) &&
            (edit->kind != EDIT_ADD_RULE || node->edits[i].target == edit->target))
            return true;
    return false;
}

static void search(struct repair *r, struct repair_node *node, size_t limit,
                   const struct measure *before);

static void expand(struct repair *r, struct repair_node *node, size_t limit, const tac_rules *now,
                   const tac_rules_findings *findings, const struct measure *before)
{
    assert(node->count < limit);
    edit_list edits = {0};
    rules_repair_candidates(r, now, findings, &edits);
    for (size_t i = 0; i < edits.count && !r->stopped; i++) {
        if (edited_already(node, &edits.at[i]))
            continue;
        node->edits[node->count++] = edits.at[i];
        search(r, node, limit, before);
        node->count--;
    }
    tac_vec_free(&edits);
}

static bool better(const struct repair *r, const tac_rules *rules, const struct measure *now,
                   const struct measure *before)
{
    tac_rules_fault fault = r->options->fault;
    if (r->by_states && mpz_sgn(now->by_fault[fault]) != 0)
        return mpz_cmp(now->cycle_states, before->cycle_states) < 0 ||
               !rules_loop_possible(rules, r->loop_states, r->loop_rules, r->loop_length);
    if (mpz_sgn(now->by_fault[fault]) < 0)
        return false;
    if (!partial_counts(fault))
        return mpz_sgn(now->by_fault[fault]) == 0;
    return mpz_cmp(now->by_fault[fault], before->by_fault[fault]) < 0;
}

static void search(struct repair *r, struct repair_node *node, size_t limit,
                   const struct measure *before)
{
    assert(node->count <= limit && limit <= MAX_REPAIR_EDITS);
    tac_rules *now = rules_repair_apply(r->rules, node->edits, node->count);
    if (!now)
        return;
    tac_rules_findings *findings = NULL;
    if (++r->candidates >= MAX_CANDIDATES)
        r->stopped = true;
    if (!tac_watch_tick(r->options->watch, "repairs", r->candidates, 0))
        r->stopped = r->interrupted = true;
    bool local = local_fault(r->options->fault);
    if (rules_repair_analyse(r, now, node->count < limit && !local, local, &findings, NULL) ==
        TAC_OK) {
        struct measure m;
        if (findings->hazards && findings->hazards->chance && r->candidates >= MOST_BY_CHANCE)
            r->stopped = true;
        rules_measure_init(&m);
        rules_measure_findings(&m, findings);
        if (node->count && better(r, now, &m, before))
            rules_repair_record(r, node->edits, node->count);
        else if (node->count == limit)
            r->cut_short = true;
        else
            expand(r, node, limit, now, findings, before);
        rules_measure_clear(&m);
    }
    tac_rules_findings_free(findings);
    tac_rules_free(now);
}

/* --- The whole -------------------------------------------------------------------------------- */

/* Deepens until some repair is found; *proved: the smaller sizes were searched to their end. */
static tac_status deepen(struct repair *r, const struct measure *before, uint32_t most,
                         tac_rules_repairs *out, tac_error *err)
{
    bool complete = true;
    for (uint32_t limit = 1; limit <= most && r->plans.count == 0 && !r->stopped; limit++) {
        struct repair_node node = {.count = 0};
        if (r->options->fault == TAC_RULES_NONDETERMINISM &&
            !rules_repair_priorities(r, limit, &complete, err))
            return err->status;
        if (r->plans.count == 0 && complete)
            out->impossible_edits = limit;
        search(r, &node, limit, before);
        if (r->plans.count)
            out->impossible_edits = limit - 1;
    }
    out->exhausted = !r->stopped;
    out->more_may_help = r->cut_short || r->stopped;
    return r->interrupted ? tac_fail(err, TAC_E_INTERRUPTED, "interrupted") : TAC_OK;
}

/* Where cycles are too many to count, one of the shortest is what repairs are sought for. */
static void note_cycle(struct repair *r, const tac_rules_findings *findings,
                       const struct measure *before)
{
    const uint32_t *states, *rules;
    size_t length;
    if (r->options->fault != TAC_RULES_CYCLE || mpz_sgn(before->by_fault[TAC_RULES_CYCLE]) >= 0 ||
        !rules_first_cycle(findings, &states, &rules, &length))
        return;
    r->by_states = true;
    r->loop_length = length;
    r->loop_states = tac_calloc(length + 1, sizeof *r->loop_states);
    r->loop_rules = tac_calloc(length + 1, sizeof *r->loop_rules);
    memcpy(r->loop_states, states, length * sizeof *states);
    memcpy(r->loop_rules, rules, length * sizeof *rules);
}

/* Every repair that claims to remove the fault does so for the enumerative engine too. */
static __attribute__((unused)) bool repairs_hold(const struct repair *r,
                                                 const tac_rules_repairs *repairs)
{
    bool hold = true;
    for (size_t i = 0; i < repairs->count && hold; i++) {
        const tac_rules *repaired = repairs->at[i].repaired;
        tac_rules_options options = {.engine = TAC_RULES_ENUMERATIVE,
                                     .hazards = r->options->fault == TAC_RULES_HAZARD};
        tac_rules_findings *findings = NULL;
        if (!repairs->at[i].removes || repaired->variable_count > 12 ||
            rules_check_sets(repaired, &options, &findings, NULL) != TAC_OK)
            continue;
        struct measure m;
        rules_measure_init(&m);
        rules_measure_findings(&m, findings);
        hold = mpz_sgn(m.by_fault[r->options->fault]) == 0;
        rules_measure_clear(&m);
        tac_rules_findings_free(findings);
    }
    return hold;
}

tac_status tac_rules_repair(const tac_rules *rules, const tac_rules_repair_options *options,
                            tac_rules_repairs **out, tac_error *err)
{
    struct repair r = {.rules = rules, .options = options};
    struct measure before;
    tac_error own = {0};
    tac_rules_findings *findings = NULL;
    if (!err)
        err = &own;
    tac_status status = rules_repair_analyse(&r, rules, false, false, &findings, err);
    if (status)
        return status;
    tac_rules_repairs *repairs = tac_calloc(1, sizeof *repairs);
    rules_measure_init(&before);
    rules_measure_findings(&before, findings);
    note_cycle(&r, findings, &before);
    tac_rules_findings_free(findings);
    uint32_t most = options->max_edits                              ? options->max_edits
                    : partial_counts(options->fault) || r.by_states ? 1
                                                                    : 3;
    if (most > MAX_REPAIR_EDITS)
        most = MAX_REPAIR_EDITS;
    repairs->before = rules_measure_texts(&before);
    repairs->max_edits = most;
    if (mpz_sgn(before.by_fault[options->fault]) == 0)
        repairs->nothing_to_do = true;
    else if (mpz_sgn(before.by_fault[options->fault]) < 0 && !r.by_states)
        status = tac_fail(err, TAC_E_LIMIT,
                          "the %s inputs of these rules are too many to compute, so no repair of "
                          "them can be verified",
                          tac_rules_fault_name(options->fault));
    else
        status = deepen(&r, &before, most, repairs, err);
    if (!status && r.by_states) {
        rules_repair_all_cycles(&r);
        if (r.interrupted)
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    }
    if (!status)
        rules_repair_rank(&r, &before, repairs);
    assert_costly(status != TAC_OK || repairs_hold(&r, repairs));
    repairs->candidates = r.candidates;
    repairs->cycle = r.loop_states;
    repairs->cycle_length = r.loop_length;
    free(r.loop_rules);
    rules_measure_clear(&before);
    tac_vec_free(&r.plans);
    tac_names_free(&r.seen);
    tac_arena_free(&r.arena);
    if (status)
        tac_rules_repairs_free(repairs);
    else
        *out = repairs;
    return status;
}
