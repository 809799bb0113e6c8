/* The tables over many problems, as JSON and as text. */
#include "base/check.h"
#include "base/print/print.h"
#include "protocol/show/corpus_table.h"

/* The paper's order of columns. */
static const tac_protocol_model columns[TABLE_MODELS] = {
    TAC_MODEL_TOP, TAC_MODEL_LIFECYCLE, TAC_MODEL_LIFECYCLE_PLUS, TAC_MODEL_LIFESTATE};

static size_t percent(const struct table_cell *cell)
{
    size_t n = cell->verifiable;
    return n ? (200 * cell->verified + n) / (2 * n) : 0;
}

FIELD_GETTER(percent_of, struct table_cell, out->integer = (int64_t)percent(it))
static const struct field cell_fields[] = {
    FIELDS(struct table_cell, sensitive, admitted, inadmissible, verifiable, verified),
    FIELD_GET_INTEGER("percent", percent_of), FIELDS(struct table_cell, bad, real),
    FIELD(struct table_cell, wrong, .key = "false"),
    FIELD(struct table_cell, open, .key = "untriaged")};
static DESCRIBE(cell, struct table_cell);

/* A cell by its model's name. */
struct named_cell {
    const char *model;
    const struct table_cell *cell;
};
static const struct field named_cell_fields[] = {
    FIELD(struct named_cell, model),
    FIELD_POINTER(struct named_cell, cell, cell_described, .splice = true)};
static DESCRIBE(named_cell, struct named_cell, .keyed = true);

/* The greatest over the models: what a table has once per row. */
static void row_figures(const struct table_row *row, size_t *sensitive, size_t *verifiable)
{
    *sensitive = *verifiable = 0;
    for (int m = 0; m < TABLE_MODELS; m++) {
        const struct table_cell *cell = &row->cells[m];
        *sensitive = cell->sensitive > *sensitive ? cell->sensitive : *sensitive;
        *verifiable = cell->verifiable > *verifiable ? cell->verifiable : *verifiable;
    }
}

static const char *row_name(const struct table_row *row)
{
    return row->method ? row->method : "total";
}

static int64_t row_figure(const struct table_row *row, bool verifiable)
{
    size_t figures[2];
    row_figures(row, &figures[0], &figures[1]);
    return (int64_t)figures[verifiable];
}
FIELD_GETTER(method_of, struct table_row, out->text = row_name(it))
FIELD_GETTER(sensitive_of, struct table_row, out->integer = row_figure(it, false))
FIELD_GETTER(verifiable_of, struct table_row, out->integer = row_figure(it, true))
static void models_of(const void *value, struct field_value *out)
{
    const struct table_row *row = value;
    struct named_cell *list = tac_arena_calloc(out->arena, TABLE_MODELS, sizeof *list);
    for (int m = 0; m < TABLE_MODELS; m++)
        if (row->cells[columns[m]].present)
            list[out->count++] =
                (struct named_cell){corpus_model_name(columns[m]), &row->cells[columns[m]]};
    out->at = list;
}
static const struct field row_fields[] = {
    FIELD_GET_TEXT("method", method_of), FIELD_GET_INTEGER("sensitive", sensitive_of),
    FIELD_GET_INTEGER("verifiable", verifiable_of),
    FIELD_GET_LIST("models", models_of, named_cell_described)};
static DESCRIBE(row, struct table_row);

struct refusal {
    const char *rule;
    size_t count;
};
static const struct field refusal_fields[] = {FIELDS(struct refusal, rule, count)};
static DESCRIBE(refusal, struct refusal, .keyed = true, .form = DESCRIBE_VALUE);
static void refused_by(const void *value, struct field_value *out)
{
    const struct table_length *row = value;
    struct refusal *list = tac_arena_calloc(out->arena, row->refused.count, sizeof *list);
    for (size_t i = 0; i < row->refused.count; i++)
        list[i] = (struct refusal){row->rules.text[i], row->refused.at[i]};
    out->at = list;
    out->count = row->refused.count;
}
FIELD_GETTER(model_of, struct table_length, out->text = corpus_model_name(it->model))
static const struct field length_fields[] = {
    FIELD_GET_TEXT("model", model_of), FIELDS(struct table_length, at_least, traces, no_errors),
    FIELD_GET_LIST("refused", refused_by, refusal_described)};
static DESCRIBE(length, struct table_length);

static const struct field triage_fields[] = {FIELDS(struct triage_line, line, recording, call)};
static DESCRIBE(triage, struct triage_line);
static const struct field protocol_table_fields[] = {
    FIELD_LIST(tac_protocol_table, entries.at, entries.count, corpus_entry_described,
               .key = "traces"),
    FIELD_LIST(tac_protocol_table, rows.at, rows.count, row_described, .key = "table",
               .only = IF_NOT(tac_protocol_table, validate)),
    FIELD_LIST(tac_protocol_table, lengths.at, lengths.count, length_described, .key = "table",
               .only = IF(tac_protocol_table, validate)),
    FIELD_LIST(tac_protocol_table, triage.lines.at, triage.lines.count, triage_described,
               .key = "triage_unused", .each = IF_NOT(struct triage_line, used))};
DESCRIBE(protocol_table, tac_protocol_table);

json_t *tac_protocol_table_json(const tac_protocol_table *table)
{
    assert(table->validate ? !table->rows.count : !table->lengths.count);
    return describe_json_with(&protocol_table_described, table, &table->validate);
}

static void print_row(const struct table_row *row, const struct table_row *total, FILE *out)
{
    size_t sensitive, verifiable;
    row_figures(row, &sensitive, &verifiable);
    tac_print(out, "%-44s %9zu %10zu", row_name(row), sensitive, verifiable);
    for (int m = 0; m < TABLE_MODELS; m++) {
        const struct table_cell *cell = &row->cells[columns[m]];
        if (cell->present)
            tac_print(out, " | %8zu %6zu (%3zu%%) %5zu", cell->admitted, cell->verified,
                      percent(cell), cell->bad);
        else if (total->cells[columns[m]].present)
            tac_print(out, " | %28s", "-");
    }
    tac_print(out, "\n");
}

/* Tables 1 and 2 of the paper: a block of columns per model. */
static void print_rows(const tac_protocol_table *table, FILE *out)
{
    assert(table->rows.count);
    const struct table_row *total = &table->rows.at[table->rows.count - 1];
    tac_print(out, "\n%-44s %9s %10s", "", "", "");
    for (int m = 0; m < TABLE_MODELS; m++)
        if (total->cells[columns[m]].present)
            tac_print(out, " | %-28s", corpus_model_name(columns[m]));
    tac_print(out, "\n%-44s %9s %10s", "sensitive call", "sensitive", "verifiable");
    for (int m = 0; m < TABLE_MODELS; m++)
        if (total->cells[columns[m]].present)
            tac_print(out, " | %8s %13s %5s", "admitted", "verified", "bad");
    tac_print(out, "\n");
    for (size_t i = 0; i < table->rows.count; i++)
        print_row(&table->rows.at[i], total, out);
}

static void print_lengths(const tac_protocol_table *table, FILE *out)
{
    tac_print(out, "\n%-12s %-10s %7s %10s  refused by\n", "model", "steps", "traces", "no errors");
    for (size_t i = 0; i < table->lengths.count; i++) {
        const struct table_length *row = &table->lengths.at[i];
        tac_print(out, "%-12s >= %-7zu %7zu %10zu ", corpus_model_name(row->model), row->at_least,
                  row->traces, row->no_errors);
        for (size_t k = 0; k < row->refused.count; k++)
            tac_print(out, " %s: %zu", row->rules.text[k], row->refused.at[k]);
        tac_print(out, "\n");
    }
}

void tac_protocol_table_text(const tac_protocol_table *table, FILE *out)
{
    for (size_t i = 0; i < table->entries.count; i++)
        corpus_entry_print(&table->entries.at[i], table->validate, out);
    if (table->validate)
        print_lengths(table, out);
    else
        print_rows(table, out);
    for (size_t i = 0; i < table->triage.lines.count; i++) {
        const struct triage_line *line = &table->triage.lines.at[i];
        if (!line->used)
            tac_print(out, "note: line %zu of the triage concerns nothing here: %s, %s\n",
                      line->line, line->recording, line->call);
    }
}
