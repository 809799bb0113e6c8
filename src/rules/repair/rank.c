/* Which repairs are shown, and in which order.
 *
 * Every plan of edits is written out, read back and analysed again. The repairs that remove the
 * fault come first, then those with fewer edits, with fewer kinds of fault that became worse, with
 * fewer inputs on which some state now reacts differently. Repairs that behave alike are shown
 * once, the others named with it. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "rules/repair/repair.h"
#include <string.h>

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
        kinds += edit->kind == EDIT_PRIORITY ? edit->between > 0 : (int)edit->kind;
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
    struct rules_edit *mentions = tac_calloc(plan->count * 2 + 1, sizeof *mentions);
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->edits[i].kind == EDIT_THRESHOLD) {
            mentions[count++] =
                (struct rules_edit){.kind = EDIT_MENTION, .condition = plan->edits[i].condition};
            mentions[count++] =
                (struct rules_edit){.kind = EDIT_MENTION,
                                    .condition = r->rules->variables[plan->edits[i].variable].name};
        }
    assert(count <= plan->count * 2);
    tac_rules *same = rules_repair_apply(rules, mentions, count);
    free(mentions);
    return same;
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
    rules_multiply_out(out->changed, &changed);
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
        rules_repair_analyse(r, out->proposal.repaired, false, false, &findings, NULL) != TAC_OK) {
        tac_rules_free(out->proposal.repaired);
        return false;
    }
    struct measure after;
    rules_measure_init(&after);
    rules_measure_findings(&after, findings);
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
    out->proposal.before = rules_measure_texts(before);
    out->proposal.after = rules_measure_texts(&after);
    out->proposal.edit_count = plan->count;
    out->proposal.edits = tac_calloc(plan->count + 1, sizeof *out->proposal.edits);
    for (size_t i = 0; i < plan->count; i++)
        out->proposal.edits[i] = rules_repair_sentence(r->rules, &plan->edits[i]);
    out->proposal.removes = mpz_sgn(out->left) == 0;
    assert(!(out->proposal.removes && out->proposal.ends_cycle));
    rules_measure_clear(&after);
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

/* --- Repairs that are the same ---------------------------------------------------------------- */

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
    assert(kept <= count && (kept > 0 || count == 0));
    return kept;
}

void rules_repair_rank(struct repair *r, const struct measure *before, tac_rules_repairs *out)
{
    struct ranked *all = tac_calloc(r->plans.count + 1, sizeof *all);
    size_t count = 0, most = r->options->max_proposals ? r->options->max_proposals : 20;
    for (size_t i = 0; i < r->plans.count; i++)
        count += judge(r, &r->plans.at[i], before, &all[count]);
    if (count > 1)
        qsort(all, count, sizeof *all, compare);
    count = merge_equal(all, count);
    out->found = count;
    most = most < count ? most : count;
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
    assert(out->count <= out->found && out->count <= most);
    free(all);
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
