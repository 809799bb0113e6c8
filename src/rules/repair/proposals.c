/* Repairs as a JSON document and in words. */
#include "base/check.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "rules/findings/words.h"
#include <stdlib.h>
#include <string.h>

enum { MANY_EDITS = 8, FEW_EDITS = 4 };

static json_t *counts_json(const tac_rules_fault_counts *counts)
{
    const char *const texts[] = {counts->nondeterminism, counts->dead, counts->cycle,
                                 counts->unreachable,    counts->race, counts->hazard};
    json_t *object = json_object();
    for (int i = 0; i < 6; i++)
        json_object_set_new(object, tac_rules_fault_name((tac_rules_fault)i),
                            strcmp(texts[i], "?") ? tac_json_string(texts[i]) : json_null());
    if (strcmp(counts->cycle_states, "?"))
        json_object_set_new(object, "cycle_states", tac_json_string(counts->cycle_states));
    return object;
}

json_t *tac_rules_repairs_json(const tac_rules *rules, const tac_rules_repair_options *options,
                               const tac_rules_repairs *repairs)
{
    json_t *document = json_object(), *proposals = json_array();
    json_object_set_new(document, "app", tac_json_string(rules->app));
    json_object_set_new(document, "fault", json_string(tac_rules_fault_name(options->fault)));
    json_object_set_new(document, "before", counts_json(&repairs->before));
    json_object_set_new(document, "nothing_to_do", json_boolean(repairs->nothing_to_do));
    json_object_set_new(document, "max_edits", json_integer(repairs->max_edits));
    json_object_set_new(document, "least_edits",
                        repairs->least_edits ? json_integer(repairs->least_edits) : json_null());
    json_object_set_new(document, "impossible_edits", json_integer(repairs->impossible_edits));
    json_object_set_new(document, "exhausted", json_boolean(repairs->exhausted));
    json_object_set_new(document, "analysed", json_integer((json_int_t)repairs->candidates));
    json_object_set_new(document, "found", json_integer((json_int_t)repairs->found));
    for (size_t i = 0; i < repairs->count; i++) {
        const tac_rules_proposal *found = &repairs->at[i];
        json_t *proposal = json_object(), *edits = json_array();
        for (size_t k = 0; k < found->edit_count; k++)
            json_array_append_new(edits, tac_json_string(found->edits[k]));
        json_object_set_new(proposal, "rank", json_integer((json_int_t)i + 1));
        json_object_set_new(proposal, "edits", edits);
        json_object_set_new(proposal, "removes", json_boolean(found->removes));
        json_t *same = json_array();
        for (size_t k = 0; k < found->same_count; k++)
            json_array_append_new(same, tac_json_string(found->same[k]));
        json_object_set_new(proposal, "same", same);
        if (repairs->cycle)
            json_object_set_new(proposal, "ends_cycle", json_boolean(found->ends_cycle));
        json_object_set_new(proposal, "before", counts_json(&found->before));
        json_object_set_new(proposal, "after", counts_json(&found->after));
        json_object_set_new(proposal, "changed_inputs", tac_json_string(found->changed));
        json_array_append_new(proposals, proposal);
    }
    if (repairs->cycle) {
        json_t *cycle = json_array();
        for (size_t i = 0; i < repairs->cycle_length; i++)
            json_array_append_new(cycle, tac_json_string(rules->states[repairs->cycle[i]].name));
        json_object_set_new(document, "cycle", cycle);
    }
    assert(json_array_size(proposals) == repairs->count && repairs->count <= repairs->found);
    json_object_set_new(document, "repairs", proposals);
    return document;
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
            fprintf(out, "      %s\n", found->edits[k]);
        else
            fprintf(out, "%4zu. %s\n", rank, found->edits[k]);
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
    const char *const texts[] = {counts->nondeterminism, counts->dead, counts->cycle,
                                 counts->unreachable,    counts->race, counts->hazard};
    assert(fault < sizeof texts / sizeof *texts);
    return texts[fault];
}

void tac_rules_repairs_text(const tac_rules *rules, const tac_rules_repair_options *options,
                            const tac_rules_repairs *repairs, FILE *out)
{
    static const char *const many[] = {"nondeterministic inputs", "dead rules",  "cycle inputs",
                                       "unreachable states",      "race inputs", "hazards"};
    static const char *const one[] = {"nondeterministic input", "dead rule",  "cycle input",
                                      "unreachable state",      "race input", "hazard"};
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
