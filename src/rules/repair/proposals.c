/* Repairs as a JSON document and in words. */
#include "base/check.h"
#include "base/print/print.h"
#include "rules/findings/words.h"
#include "rules/repair/described.h"
#include <stdlib.h>
#include <string.h>

enum { MANY_EDITS = 8, FEW_EDITS = 4 };

static const struct field counts_fields[] = {
    FIELD(tac_rules_fault_counts, nondeterminism, .unknown = "?"),
    FIELD(tac_rules_fault_counts, dead, .unknown = "?"),
    FIELD(tac_rules_fault_counts, cycle, .unknown = "?"),
    FIELD(tac_rules_fault_counts, unreachable, .unknown = "?"),
    FIELD(tac_rules_fault_counts, race, .unknown = "?"),
    FIELD(tac_rules_fault_counts, hazard, .unknown = "?"),
    FIELD(tac_rules_fault_counts, cycle_states, .unknown = "?", .omit = true)};
static DESCRIBE(counts, tac_rules_fault_counts);

FIELD_GETTER(rank_of, tac_rules_proposal,
             out->integer = it - ((const struct rules_repaired *)out->context)->repairs->at + 1)
FIELD_GETTER(ends_cycle_of, tac_rules_proposal, out->yes = it->ends_cycle;
             out->absent = !((const struct rules_repaired *)out->context)->repairs->cycle)

static const struct field proposal_fields[] = {
    FIELD_GET_INTEGER("rank", rank_of),
    FIELD_TEXTS(tac_rules_proposal, edits, edit_count),
    FIELD(tac_rules_proposal, removes),
    FIELD_TEXTS(tac_rules_proposal, same, same_count),
    FIELD_GET_BOOL("ends_cycle", ends_cycle_of, .omit = true),
    FIELD_STRUCT(tac_rules_proposal, before, counts_described),
    FIELD_STRUCT(tac_rules_proposal, after, counts_described),
    FIELD(tac_rules_proposal, changed, .key = "changed_inputs")};
static DESCRIBE(proposal, tac_rules_proposal);

static const struct field repairs_fields[] = {
    FIELD_STRUCT(tac_rules_repairs, before, counts_described),
    FIELDS(tac_rules_repairs, nothing_to_do, max_edits),
    FIELD(tac_rules_repairs, least_edits, .known = IF(tac_rules_repairs, least_edits)),
    FIELDS(tac_rules_repairs, impossible_edits, exhausted),
    FIELD(tac_rules_repairs, candidates, .key = "analysed"),
    FIELD(tac_rules_repairs, found),
    FIELD_NAMES(tac_rules_repairs, cycle, cycle_length, rules_state_name,
                .only = IF(tac_rules_repairs, cycle)),
    FIELD_LIST(tac_rules_repairs, at, count, proposal_described, .key = "repairs")};
static DESCRIBE(repairs, tac_rules_repairs);

static const struct field rules_repaired_fields[] = {
    FIELD_POINTER(struct rules_repaired, given.rules, rules_app_described, .splice = true),
    FIELD(struct rules_repaired, fault),
    FIELD_POINTER(struct rules_repaired, repairs, repairs_described, .splice = true)};
DESCRIBE(rules_repaired, struct rules_repaired);

json_t *tac_rules_repairs_json(const tac_rules *rules, const tac_rules_repair_options *options,
                               const tac_rules_repairs *repairs)
{
    struct rules_repaired document = {
        {.rules = rules}, tac_rules_fault_name(options->fault), repairs};
    return describe_json_with(&rules_repaired_described, &document, &document);
}

static void add_change(tac_str *out, const char *what, const char *before, const char *after)
{
    if (strcmp(after, "?") && strcmp(before, after))
        tac_str_addf(out, "%s%s %s -> %s", out->length ? ", " : "", what, before, after);
}

static void tell_proposal(const tac_rules_proposal *found, size_t rank, FILE *out)
{
    tac_str changes = {0};
    add_change(&changes, "nondeterministic inputs", found->before.nondeterminism,
               found->after.nondeterminism);
    add_change(&changes, "dead rules", found->before.dead, found->after.dead);
    add_change(&changes, "unreachable states", found->before.unreachable, found->after.unreachable);
    add_change(&changes, "cycle inputs", found->before.cycle, found->after.cycle);
    add_change(&changes, "states with a cycle", found->before.cycle_states,
               found->after.cycle_states);
    add_change(&changes, "race inputs", found->before.race, found->after.race);
    add_change(&changes, "hazards", found->before.hazard, found->after.hazard);
    size_t shown = found->edit_count > MANY_EDITS ? FEW_EDITS : found->edit_count;
    for (size_t k = 0; k < shown; k++)
        if (k)
            tac_print(out, "      %s\n", found->edits[k]);
        else
            tac_print(out, "%4zu. %s\n", rank, found->edits[k]);
    if (shown < found->edit_count)
        rules_write_paragraph(out, 6, "... and %zu more edits.", found->edit_count - shown);
    rules_write_paragraph(out, 6, "%s%s%s. A state leads elsewhere on %s %s.",
                          found->removes      ? "Removes it"
                          : found->ends_cycle ? "Ends this cycle"
                                              : "Makes it less",
                          changes.length ? ": " : "", tac_str_text(&changes), found->changed,
                          strcmp(found->changed, "1") ? "inputs" : "input");
    for (size_t k = 0; k < found->same_count && k < 3; k++)
        rules_write_paragraph(out, 6, "The same: %s.", found->same[k]);
    if (found->same_count > 3)
        rules_write_paragraph(out, 6, "And %zu more that do the same.", found->same_count - 3);
    tac_str_free(&changes);
}

static const char *count_of(const tac_rules_fault_counts *counts, tac_rules_fault fault)
{
    const char *const texts[] = {[TAC_RULES_NONDETERMINISM] = counts->nondeterminism,
                                 [TAC_RULES_DEAD] = counts->dead,
                                 [TAC_RULES_CYCLE] = counts->cycle,
                                 [TAC_RULES_UNREACHABLE] = counts->unreachable,
                                 [TAC_RULES_RACE] = counts->race,
                                 [TAC_RULES_HAZARD] = counts->hazard};
    TABLE_COVERS(texts, TAC_RULES_HAZARD);
    assert(fault < sizeof texts / sizeof *texts);
    return texts[fault];
}

void tac_rules_repairs_text(const tac_rules *rules, const tac_rules_repair_options *options,
                            const tac_rules_repairs *repairs, FILE *out)
{
    static const char *const many[] = {[TAC_RULES_NONDETERMINISM] = "nondeterministic inputs",
                                       [TAC_RULES_DEAD] = "dead rules",
                                       [TAC_RULES_CYCLE] = "cycle inputs",
                                       [TAC_RULES_UNREACHABLE] = "unreachable states",
                                       [TAC_RULES_RACE] = "race inputs",
                                       [TAC_RULES_HAZARD] = "hazards"};
    TABLE_COVERS(many, TAC_RULES_HAZARD);
    static const char *const one[] = {[TAC_RULES_NONDETERMINISM] = "nondeterministic input",
                                      [TAC_RULES_DEAD] = "dead rule",
                                      [TAC_RULES_CYCLE] = "cycle input",
                                      [TAC_RULES_UNREACHABLE] = "unreachable state",
                                      [TAC_RULES_RACE] = "race input",
                                      [TAC_RULES_HAZARD] = "hazard"};
    TABLE_COVERS(one, TAC_RULES_HAZARD);
    const char *name = rules->app[0] ? rules->app : rules->file;
    if (repairs->nothing_to_do) {
        rules_write_paragraph(out, 0, "%s has no fault of this kind (%s): nothing to repair.", name,
                              tac_rules_fault_name(options->fault));
        return;
    }
    const char *count = count_of(&repairs->before, options->fault);
    if (repairs->cycle) {
        tac_str states = {0};
        rules_words_of_states(rules, repairs->cycle, repairs->cycle_length, &states);
        rules_write_paragraph(
            out, 0,
            "%s has cycles from %s states, too many to count their inputs. One of "
            "the shortest: %s.",
            name, repairs->before.cycle_states, tac_str_text(&states));
        tac_str_free(&states);
    }
    if (!repairs->cycle)
        rules_write_paragraph(out, 0, "%s has %s %s.", name, count,
                              (strcmp(count, "1") ? many : one)[options->fault]);
    if (options->fault == TAC_RULES_NONDETERMINISM && repairs->impossible_edits)
        rules_write_paragraph(
            out, 0,
            "Changing the priorities of %u %s or fewer never removes them: every way "
            "was tried.",
            repairs->impossible_edits, rules_plural(repairs->impossible_edits, "rule", "rules"));
    if (repairs->count == 0)
        rules_write_paragraph(out, 0, "No repair with %u %s or fewer was found%s.",
                              repairs->max_edits, rules_plural(repairs->max_edits, "edit", "edits"),
                              repairs->exhausted ? "" : " before the search was cut off");
    else
        rules_write_paragraph(out, 0, "%zu %s found, each analysed again from the start; %s:",
                              repairs->found, rules_plural(repairs->found, "repair", "repairs"),
                              repairs->found > repairs->count ? "the best" : "best first");
    for (size_t i = 0; i < repairs->count; i++)
        tell_proposal(&repairs->at[i], i + 1, out);
}
