/* Repairs: the smallest edits that remove a fault, verified and ranked.
 *
 * Iterative deepening: with one edit, then two, ... up to max_edits. A node of the search is a rule
 * set with some edits; if the fault is gone, they are a repair, else its first remaining fault
 * gives the candidate edits (candidates.c). Priorities against nondeterminism have an
 * exhaustive search of their own (priorities.c). The search stops at the first size that
 * works, so the repairs shown are of the smallest size.
 *
 * Every repair is written out, read back and analysed again; they are ranked by the edits, by the
 * kinds of fault that became worse, and by the inputs on which some state now reacts differently.
 * Races and hazards seldom go away with a few edits: there an edit that makes them fewer counts. */
#include "rules/repair/repair.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bignum.h"
#include "base/data/str.h"
#include <stdlib.h>
#include <string.h>

const char *tac_rules_fault_name(tac_rules_fault fault)
{
    static const char *const names[] = {"nondeterminism", "dead", "cycle",
                                        "unreachable",    "race", "hazard"};
    return names[fault];
}

/* --- Measuring ----------------------------------------------------------------------------------
 */

/* Numbers of faults, multiplied out; negative = unknown. */
struct measure {
    mpz_t by_fault[6];
    mpz_t cycle_states; /* with a cycle, or perhaps; negative when the cycle inputs are known */
};

static void measure_init(struct measure *m)
{
    for (int i = 0; i < 6; i++)
        mpz_init_set_si(m->by_fault[i], -1);
    mpz_init_set_si(m->cycle_states, -1);
}

static void measure_clear(struct measure *m)
{
    for (int i = 0; i < 6; i++)
        mpz_clear(m->by_fault[i]);
    mpz_clear(m->cycle_states);
}

static void multiply_out(mpz_t out, const tac_rules_count *count)
{
    if (count->known)
        mpz_mul_2exp(out, count->mantissa, count->shift);
    else
        mpz_set_si(out, -1);
}

static void measure_findings(struct measure *m, const tac_rules_findings *f)
{
    tac_rules_count sums[3];
    uint32_t unreachable = 0;
    for (int i = 0; i < 3; i++) {
        rules_count_init(&sums[i]);
        rules_count_set_u64(&sums[i], 0);
    }
    for (uint32_t s = 0; s < f->state_count; s++) {
        rules_count_add(&sums[0], &f->states[s].nondeterministic);
        rules_count_add(&sums[1], &f->states[s].cycle);
        rules_count_add(&sums[2], &f->states[s].race);
        unreachable += f->states[s].unreachable;
    }
    multiply_out(m->by_fault[TAC_RULES_NONDETERMINISM], &sums[0]);
    multiply_out(m->by_fault[TAC_RULES_CYCLE], &sums[1]);
    multiply_out(m->by_fault[TAC_RULES_RACE], &sums[2]);
    mpz_set_ui(m->by_fault[TAC_RULES_DEAD], f->dead_rule_count);
    mpz_set_ui(m->by_fault[TAC_RULES_UNREACHABLE], unreachable);
    if (!sums[1].known && f->witnesses) {
        unsigned long states = 0;
        for (uint32_t s = 0; s < f->state_count; s++)
            states += f->states[s].cycle_witness.exists != TAC_RULES_NO;
        mpz_set_ui(m->cycle_states, states);
        if (states == 0)
            mpz_set_ui(m->by_fault[TAC_RULES_CYCLE], 0);
    }
    if (f->hazards && f->hazards->known)
        mpz_set(m->by_fault[TAC_RULES_HAZARD], f->hazards->total);
    for (int i = 0; i < 3; i++)
        rules_count_clear(&sums[i]);
}

static tac_rules_fault_counts counts_of(const struct measure *m)
{
    char *texts[6];
    for (int i = 0; i < 6; i++)
        texts[i] =
            mpz_sgn(m->by_fault[i]) < 0 ? tac_strdup("?") : tac_big_text_short(m->by_fault[i], 60);
    char *states =
        mpz_sgn(m->cycle_states) < 0 ? tac_strdup("?") : tac_big_text_short(m->cycle_states, 60);
    return (tac_rules_fault_counts){texts[0], texts[1], texts[2], texts[3],
                                    texts[4], texts[5], states};
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

static tac_status analyse(const struct repair *r, const tac_rules *rules, bool paths, bool quick,
                          tac_rules_findings **out, tac_error *err)
{
    tac_rules_options options = {.max_bytes = r->options->max_bytes,
                                 .hazards = r->options->fault == TAC_RULES_HAZARD,
                                 .work = quick ? 1 : 0};
    if (paths || r->by_states)
        return tac_rules_check(rules, &options, out, err);
    tac_status status = rules_check_sets(rules, &options, out, err);
    if (status || r->options->fault != TAC_RULES_CYCLE || !(*out)->truncated)
        return status;
    tac_rules_findings_free(*out); /* existence and witnesses instead of counts */
    *out = NULL;
    return tac_rules_check(rules, &options, out, err);
}

/* --- Edits ------------------------------------------------------------------------------------ */

tac_rules *rules_repair_apply(const tac_rules *rules, const struct rules_edit *edits, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    tac_rules *edited = NULL;
    tac_diagnostics diagnostics = {0};
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return NULL;
    tac_status status = rules_write_edited(rules, edits, count, memory, NULL);
    fclose(memory);
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
        char *text = tac_format("priority of %s: %s -> %s%s", rules->rules[edit->rule].name, from,
                                to, edit->between ? ", and what is there grows by one" : "");
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

void rules_repair_record(struct repair *r, const struct rules_edit *edits, size_t count)
{
    assert(count <= MAX_REPAIR_EDITS);
    struct repair_plan plan = {.count = count};
    tac_str key = {0};
    if (count)
        memcpy(plan.edits, edits, count * sizeof *edits);
    qsort(plan.edits, count, sizeof *plan.edits, by_rule);
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
    if (analyse(r, now, node->count < limit && !local, local, &findings, NULL) == TAC_OK) {
        struct measure m;
        measure_init(&m);
        measure_findings(&m, findings);
        if (node->count && better(r, now, &m, before))
            rules_repair_record(r, node->edits, node->count);
        else if (node->count == limit)
            r->cut_short = true;
        else
            expand(r, node, limit, now, findings, before);
        measure_clear(&m);
    }
    tac_rules_findings_free(findings);
    tac_rules_free(now);
}

/* --- Ranking ---------------------------------------------------------------------------------- */

struct ranked {
    tac_rules_proposal proposal;
    int worse;           /* kinds of fault that are more than before */
    int kinds;           /* prefer priorities and variables to rule names, new rules, splits */
    mpz_t left, changed; /* of the fault; inputs */
    mpz_t unrest;        /* race and cycle inputs afterwards */
};

static int compare(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    bool gone_a = mpz_sgn(a->left) == 0, gone_b = mpz_sgn(b->left) == 0;
    if (gone_a != gone_b)
        return gone_a ? -1 : 1;
    if (a->proposal.edit_count != b->proposal.edit_count)
        return a->proposal.edit_count < b->proposal.edit_count ? -1 : 1;
    if (a->worse != b->worse)
        return a->worse - b->worse;
    int order = mpz_cmp(a->left, b->left);
    order = order ? order : mpz_cmp(a->changed, b->changed);
    order = order ? order : a->kinds - b->kinds;
    order = order ? order : mpz_cmp(a->unrest, b->unrest);
    for (size_t i = 0; !order && i < a->proposal.edit_count; i++)
        order = strcmp(a->proposal.edits[i], b->proposal.edits[i]);
    return order;
}

static int kinds_of(const struct repair_plan *plan)
{
    int kinds = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct rules_edit *edit = &plan->edits[i];
        kinds += edit->kind == EDIT_PRIORITY ? edit->between : (int)edit->kind;
        kinds += edit->kind == EDIT_STRENGTHEN && edit->by_rule;
    }
    return kinds;
}

static uint32_t *origins(const tac_rules *before, const tac_rules *after,
                         const struct repair_plan *plan)
{
    assert(after->state_count >= before->state_count);
    uint32_t *origin = tac_calloc((size_t)after->state_count + 1, sizeof *origin);
    for (uint32_t s = 0; s < after->state_count; s++) {
        origin[s] = s < before->state_count ? s : 0;
        for (size_t i = 0; i < plan->count; i++)
            if (plan->edits[i].kind == EDIT_SPLIT &&
                strcmp(plan->edits[i].name, after->states[s].name) == 0)
                origin[s] = plan->edits[i].state;
    }
    return origin;
}

/* Both rule sets with all tests that either has, so that their inputs are the same. */
static tac_rules *with_tests(const struct repair *r, const tac_rules *rules,
                             const struct repair_plan *plan)
{
    struct rules_edit mentions[MAX_REPAIR_EDITS * 2];
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->edits[i].kind == EDIT_THRESHOLD) {
            mentions[count++] =
                (struct rules_edit){.kind = EDIT_MENTION, .condition = plan->edits[i].condition};
            mentions[count++] =
                (struct rules_edit){.kind = EDIT_MENTION,
                                    .condition = r->rules->variables[plan->edits[i].variable].name};
        }
    return rules_repair_apply(rules, mentions, count);
}

static void count_changes(const struct repair *r, const struct repair_plan *plan,
                          struct ranked *out)
{
    tac_rules_count changed;
    rules_count_init(&changed);
    uint32_t *origin = origins(r->rules, out->proposal.repaired, plan);
    tac_rules *before = with_tests(r, r->rules, plan);
    tac_rules *after = with_tests(r, out->proposal.repaired, plan);
    if (!before || !after || before->variable_count != after->variable_count ||
        rules_changed(before, after, origin, &changed, NULL))
        changed.known = false;
    tac_rules_free(before);
    tac_rules_free(after);
    multiply_out(out->changed, &changed);
    out->proposal.changed = rules_count_text(&changed);
    free(origin);
    rules_count_clear(&changed);
}

/* Analyses the repaired rules from the start. */
static bool judge(const struct repair *r, const struct repair_plan *plan,
                  const struct measure *before, struct ranked *out)
{
    tac_rules_findings *findings = NULL;
    memset(out, 0, sizeof *out);
    out->proposal.repaired = rules_repair_apply(r->rules, plan->edits, plan->count);
    if (!out->proposal.repaired ||
        analyse(r, out->proposal.repaired, false, false, &findings, NULL) != TAC_OK) {
        tac_rules_free(out->proposal.repaired);
        return false;
    }
    struct measure after;
    measure_init(&after);
    measure_findings(&after, findings);
    tac_rules_findings_free(findings);
    mpz_inits(out->left, out->changed, out->unrest, NULL);
    mpz_add(out->unrest, after.by_fault[TAC_RULES_RACE], after.by_fault[TAC_RULES_CYCLE]);
    mpz_set(out->left, r->by_states && mpz_sgn(after.by_fault[TAC_RULES_CYCLE]) != 0
                           ? after.cycle_states
                           : after.by_fault[r->options->fault]);
    out->proposal.ends_cycle =
        r->by_states && mpz_sgn(out->left) != 0 &&
        !rules_loop_possible(out->proposal.repaired, r->loop_states, r->loop_rules, r->loop_length);
    for (int i = 0; i < 6; i++)
        out->worse += i != TAC_RULES_RACE && i != (int)r->options->fault &&
                      mpz_cmp(after.by_fault[i], before->by_fault[i]) > 0;
    out->kinds = kinds_of(plan);
    count_changes(r, plan, out);
    out->proposal.before = counts_of(before);
    out->proposal.after = counts_of(&after);
    out->proposal.edit_count = plan->count;
    out->proposal.edits = tac_calloc(plan->count + 1, sizeof *out->proposal.edits);
    for (size_t i = 0; i < plan->count; i++)
        out->proposal.edits[i] = rules_repair_sentence(r->rules, &plan->edits[i]);
    out->proposal.removes = mpz_sgn(out->left) == 0;
    measure_clear(&after);
    return true;
}

static void free_counts(tac_rules_fault_counts *counts)
{
    free(counts->nondeterminism);
    free(counts->dead);
    free(counts->cycle);
    free(counts->unreachable);
    free(counts->race);
    free(counts->hazard);
    free(counts->cycle_states);
}

static void free_proposal(tac_rules_proposal *proposal)
{
    for (size_t i = 0; i < proposal->edit_count; i++)
        free(proposal->edits[i]);
    free(proposal->edits);
    free(proposal->changed);
    for (size_t i = 0; i < proposal->same_count; i++)
        free(proposal->same[i]);
    free(proposal->same);
    free_counts(&proposal->before);
    free_counts(&proposal->after);
    tac_rules_free(proposal->repaired);
}

/* --- Repairs that are the same ------------------------------------------------------------------
 */

static bool same_variables(const tac_rules *a, const tac_rules *b)
{
    bool same = a->variable_count == b->variable_count && a->state_count == b->state_count;
    for (uint32_t v = 0; v < a->variable_count && same; v++)
        same = strcmp(a->variables[v].name, b->variables[v].name) == 0;
    for (uint32_t s = 0; s < a->state_count && same; s++)
        same = strcmp(a->states[s].name, b->states[s].name) == 0;
    return same;
}

/* Every state leads to the same state on every input. */
static bool same_behaviour(const struct ranked *x, const struct ranked *y)
{
    const tac_rules *a = x->proposal.repaired, *b = y->proposal.repaired;
    if (mpz_cmp(x->changed, y->changed) != 0 || mpz_cmp(x->unrest, y->unrest) != 0 ||
        mpz_cmp(x->left, y->left) != 0 || x->proposal.edit_count != y->proposal.edit_count ||
        a->action_count || !same_variables(a, b))
        return false;
    uint32_t *origin = tac_calloc((size_t)a->state_count + 1, sizeof *origin);
    tac_rules_count changed;
    rules_count_init(&changed);
    for (uint32_t s = 0; s < a->state_count; s++)
        origin[s] = s;
    bool same =
        rules_changed(a, b, origin, &changed, NULL) == TAC_OK && rules_count_is_zero(&changed);
    rules_count_clear(&changed);
    free(origin);
    return same;
}

/* Moves the edits of `twin` to the list of those that do the same. */
static void merge(tac_rules_proposal *kept, tac_rules_proposal *twin)
{
    tac_str text = {0};
    for (size_t i = 0; i < twin->edit_count; i++)
        tac_str_addf(&text, "%s%s", i ? "; " : "", twin->edits[i]);
    kept->same = tac_realloc(kept->same, kept->same_count + 1, sizeof *kept->same);
    kept->same[kept->same_count++] = tac_str_take(&text);
}

/* Equal repairs stand close together in the order; the first one stays. */
static size_t merge_equal(struct ranked *all, size_t count)
{
    size_t kept = 0, compared = 0;
    for (size_t i = 0; i < count; i++) {
        size_t twin = kept;
        for (size_t k = kept; k-- > 0 && compared < MOST_COMPARED && twin == kept;) {
            if (mpz_cmp(all[k].changed, all[i].changed) != 0)
                continue;
            compared++;
            if (same_behaviour(&all[k], &all[i]))
                twin = k;
        }
        if (twin == kept) {
            all[kept++] = all[i];
            continue;
        }
        merge(&all[twin].proposal, &all[i].proposal);
        mpz_clears(all[i].left, all[i].changed, all[i].unrest, NULL);
        free_proposal(&all[i].proposal);
    }
    return kept;
}

static void rank(struct repair *r, const struct measure *before, tac_rules_repairs *out)
{
    struct ranked *all = tac_calloc(r->plans.count + 1, sizeof *all);
    size_t count = 0, most = r->options->max_proposals ? r->options->max_proposals : 20;
    for (size_t i = 0; i < r->plans.count; i++)
        count += judge(r, &r->plans.at[i], before, &all[count]);
    if (count > 1)
        qsort(all, count, sizeof *all, compare);
    count = merge_equal(all, count);
    out->found = count;
    out->at = tac_calloc(most + 1, sizeof *out->at);
    for (size_t i = 0; i < count; i++) {
        if (all[i].proposal.removes &&
            (!out->least_edits || all[i].proposal.edit_count < out->least_edits))
            out->least_edits = (uint32_t)all[i].proposal.edit_count;
        mpz_clears(all[i].left, all[i].changed, all[i].unrest, NULL);
        if (i < most)
            out->at[out->count++] = all[i].proposal;
        else
            free_proposal(&all[i].proposal);
    }
    free(all);
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
        measure_init(&m);
        measure_findings(&m, findings);
        hold = mpz_sgn(m.by_fault[r->options->fault]) == 0;
        measure_clear(&m);
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
    tac_status status = analyse(&r, rules, false, false, &findings, err);
    if (status)
        return status;
    tac_rules_repairs *repairs = tac_calloc(1, sizeof *repairs);
    measure_init(&before);
    measure_findings(&before, findings);
    note_cycle(&r, findings, &before);
    tac_rules_findings_free(findings);
    uint32_t most = options->max_edits                              ? options->max_edits
                    : partial_counts(options->fault) || r.by_states ? 1
                                                                    : 3;
    if (most > MAX_REPAIR_EDITS)
        most = MAX_REPAIR_EDITS;
    repairs->before = counts_of(&before);
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
    if (!status)
        rank(&r, &before, repairs);
    assert_costly(status != TAC_OK || repairs_hold(&r, repairs));
    repairs->candidates = r.candidates;
    repairs->cycle = r.loop_states;
    repairs->cycle_length = r.loop_length;
    free(r.loop_rules);
    measure_clear(&before);
    tac_vec_free(&r.plans);
    tac_names_free(&r.seen);
    tac_arena_free(&r.arena);
    if (status)
        tac_rules_repairs_free(repairs);
    else
        *out = repairs;
    return status;
}

void tac_rules_repairs_free(tac_rules_repairs *repairs)
{
    if (!repairs)
        return;
    for (size_t i = 0; i < repairs->count; i++)
        free_proposal(&repairs->at[i]);
    free(repairs->at);
    free_counts(&repairs->before);
    free(repairs->cycle);
    free(repairs);
}
