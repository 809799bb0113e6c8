/* Tables 1 and 2 of the paper (per sensitive call and model: sensitive, verifiable, verified and
 * bad traces) and figure 11 (traces by the number of steps admitted, divided by the rule that
 * refused them). */
#include "protocol/show/corpus_table.h"
#include "base/check.h"
#include "base/data/alloc.h"

/* One method of one problem: safe when every call of it is. */
struct method_answer {
    uint32_t method;
    bool safe;
};

static uint32_t row_of(tac_protocol_table *t, const char *method)
{
    uint32_t index = tac_names_intern(&t->methods, method);
    if (index == t->rows.count)
        tac_vec_push(&t->rows, (struct table_row){.method = tac_strdup(method)});
    assert(index < t->rows.count && t->rows.count == t->methods.count);
    return index;
}

static void count_call(struct table_cell *cell, const struct corpus_entry *entry, bool safe,
                       enum triage_finding finding)
{
    bool refused = entry->result.safety == TAC_INADMISSIBLE;
    cell->present = true;
    cell->sensitive++;
    cell->admitted += corpus_entry_admitted(entry);
    cell->inadmissible += refused;
    if (refused)
        return;
    bool real = finding == TRIAGE_REAL;
    cell->verifiable += !real;
    cell->verified += safe && !real;
    cell->bad += safe && real;
    cell->real += !safe && real;
    cell->wrong += !safe && finding == TRIAGE_FALSE;
    cell->open += !safe && finding == TRIAGE_OPEN;
    assert(cell->verified + cell->wrong + cell->open <= cell->verifiable);
    assert(cell->verifiable + cell->bad + cell->real + cell->inadmissible <= cell->sensitive);
}

static void count_entry(tac_protocol_table *t, const struct corpus_entry *entry,
                        struct table_row *total)
{
    TAC_VEC(struct method_answer) answers = {0};
    for (size_t i = 0; i < entry->result.call_count; i++) {
        const tac_protocol_call *call = &entry->result.calls[i];
        uint32_t method = row_of(t, call->method ? call->method : "");
        size_t k = 0;
        while (k < answers.count && answers.at[k].method != method)
            k++;
        if (k == answers.count)
            tac_vec_push(&answers, (struct method_answer){method, true});
        answers.at[k].safe = answers.at[k].safe && call->safety == TAC_SAFE;
    }
    for (size_t k = 0; k < answers.count; k++) {
        struct table_row *row = &t->rows.at[answers.at[k].method];
        enum triage_finding finding = triage_find(&t->triage, entry->trace, row->method);
        count_call(&row->cells[entry->model], entry, answers.at[k].safe, finding);
        count_call(&total->cells[entry->model], entry, answers.at[k].safe, finding);
    }
    tac_vec_free(&answers);
}

static void count_validation(struct table_length *row, const struct corpus_entry *entry)
{
    bool ok = entry->result.admission == TAC_ADMITTED;
    if (entry->end != CORPUS_DONE || entry->model != row->model ||
        entry->result.steps < row->at_least + !ok)
        return;
    row->traces++;
    row->no_errors += ok;
    if (ok)
        return;
    assert(entry->result.because);
    uint32_t rule = tac_names_intern(&row->rules, entry->result.because->rule);
    if (rule == row->refused.count)
        tac_vec_push(&row->refused, 0);
    row->refused.at[rule]++;
}

/* Four lengths for every model, in the order in which models first appear. */
static void count_lengths(tac_protocol_table *t)
{
    static const size_t steps[] = {1, 25, 50, 75};
    bool seen[TABLE_MODELS] = {false};
    for (size_t i = 0; i < t->entries.count; i++) {
        tac_protocol_model model = t->entries.at[i].model;
        for (size_t k = 0; !seen[model] && k < sizeof steps / sizeof *steps; k++) {
            struct table_length row = {.model = model, .at_least = steps[k]};
            for (size_t e = 0; e < t->entries.count; e++)
                count_validation(&row, &t->entries.at[e]);
            tac_vec_push(&t->lengths, row);
        }
        seen[model] = true;
    }
}

void table_count(tac_protocol_table *table)
{
    if (table->validate) {
        count_lengths(table);
        return;
    }
    struct table_row total = {0};
    for (size_t i = 0; i < table->entries.count; i++)
        count_entry(table, &table->entries.at[i], &total);
    tac_vec_push(&table->rows, total);
}

tac_answer tac_protocol_table_answer(const tac_protocol_table *table)
{
    tac_answer answer = TAC_HOLDS;
    for (size_t i = 0; i < table->entries.count; i++)
        answer =
            tac_answer_both(answer, corpus_entry_answer(&table->entries.at[i], table->validate));
    return answer;
}

size_t tac_protocol_table_count(const tac_protocol_table *table)
{
    return table->entries.count;
}

tac_protocol_entry tac_protocol_table_entry(const tac_protocol_table *table, size_t index)
{
    assert(index < table->entries.count);
    const struct corpus_entry *entry = &table->entries.at[index];
    return (tac_protocol_entry){.trace = entry->trace,
                                .model = corpus_model_name(entry->model),
                                .end = corpus_end_name(entry->end),
                                .result = entry->end == CORPUS_DONE ? &entry->result : NULL};
}

void tac_protocol_table_free(tac_protocol_table *table)
{
    if (!table)
        return;
    corpus_entries_free(&table->entries);
    triage_free(&table->triage);
    for (size_t i = 0; i < table->rows.count; i++)
        free(table->rows.at[i].method);
    tac_vec_free(&table->rows);
    tac_names_free(&table->methods);
    for (size_t i = 0; i < table->lengths.count; i++) {
        tac_names_free(&table->lengths.at[i].rules);
        tac_vec_free(&table->lengths.at[i].refused);
    }
    tac_vec_free(&table->lengths);
    free(table);
}
