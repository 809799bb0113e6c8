/* The tables over many problems, as JSON and as text. */
#include "base/check.h"
#include "base/io/json.h"
#include "protocol/show/corpus_table.h"

/* The paper's order of columns. */
static const tac_protocol_model columns[TABLE_MODELS] = {
    TAC_MODEL_TOP, TAC_MODEL_LIFECYCLE, TAC_MODEL_LIFECYCLE_PLUS, TAC_MODEL_LIFESTATE};

static size_t percent(const struct table_cell *cell)
{
    size_t n = cell->verifiable;
    return n ? (200 * cell->verified + n) / (2 * n) : 0;
}

static json_t *number(size_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *cell_json(const struct table_cell *cell)
{
    json_t *json = json_object();
    json_object_set_new(json, "sensitive", number(cell->sensitive));
    json_object_set_new(json, "admitted", number(cell->admitted));
    json_object_set_new(json, "inadmissible", number(cell->inadmissible));
    json_object_set_new(json, "verifiable", number(cell->verifiable));
    json_object_set_new(json, "verified", number(cell->verified));
    json_object_set_new(json, "percent", number(percent(cell)));
    json_object_set_new(json, "bad", number(cell->bad));
    json_object_set_new(json, "real", number(cell->real));
    json_object_set_new(json, "false", number(cell->wrong));
    json_object_set_new(json, "untriaged", number(cell->open));
    return json;
}

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

static json_t *row_json(const struct table_row *row)
{
    json_t *json = json_object(), *models = json_object();
    size_t sensitive, verifiable;
    row_figures(row, &sensitive, &verifiable);
    for (int m = 0; m < TABLE_MODELS; m++)
        if (row->cells[columns[m]].present)
            json_object_set_new(models, corpus_model_name(columns[m]),
                                cell_json(&row->cells[columns[m]]));
    json_object_set_new(json, "method", tac_json_string(row_name(row)));
    json_object_set_new(json, "sensitive", number(sensitive));
    json_object_set_new(json, "verifiable", number(verifiable));
    json_object_set_new(json, "models", models);
    return json;
}

static json_t *length_json(const struct table_length *row)
{
    json_t *json = json_object(), *refused = json_object();
    for (size_t i = 0; i < row->refused.count; i++)
        json_object_set_new(refused, row->rules.text[i], number(row->refused.at[i]));
    json_object_set_new(json, "model", json_string(corpus_model_name(row->model)));
    json_object_set_new(json, "at_least", number(row->at_least));
    json_object_set_new(json, "traces", number(row->traces));
    json_object_set_new(json, "no_errors", number(row->no_errors));
    json_object_set_new(json, "refused", refused);
    return json;
}

json_t *tac_protocol_table_json(const tac_protocol_table *table)
{
    json_t *document = json_object(), *traces = json_array(), *rows = json_array();
    json_t *unused = json_array();
    for (size_t i = 0; i < table->entries.count; i++)
        json_array_append_new(traces, corpus_entry_json(&table->entries.at[i], table->validate));
    for (size_t i = 0; i < table->rows.count; i++)
        json_array_append_new(rows, row_json(&table->rows.at[i]));
    for (size_t i = 0; i < table->lengths.count; i++)
        json_array_append_new(rows, length_json(&table->lengths.at[i]));
    for (size_t i = 0; i < table->triage.lines.count; i++) {
        const struct triage_line *line = &table->triage.lines.at[i];
        if (!line->used)
            json_array_append_new(unused, json_pack("{s:I,s:o,s:o}", "line", (json_int_t)line->line,
                                                    "recording", tac_json_string(line->recording),
                                                    "call", tac_json_string(line->call)));
    }
    json_object_set_new(document, "traces", traces);
    json_object_set_new(document, "table", rows);
    json_object_set_new(document, "triage_unused", unused);
    return document;
}

static void print_row(const struct table_row *row, const struct table_row *total, FILE *out)
{
    size_t sensitive, verifiable;
    row_figures(row, &sensitive, &verifiable);
    fprintf(out, "%-44s %9zu %10zu", row_name(row), sensitive, verifiable);
    for (int m = 0; m < TABLE_MODELS; m++) {
        const struct table_cell *cell = &row->cells[columns[m]];
        if (cell->present)
            fprintf(out, " | %8zu %6zu (%3zu%%) %5zu", cell->admitted, cell->verified,
                    percent(cell), cell->bad);
        else if (total->cells[columns[m]].present)
            fprintf(out, " | %28s", "-");
    }
    fprintf(out, "\n");
}

/* Tables 1 and 2 of the paper: a block of columns per model. */
static void print_rows(const tac_protocol_table *table, FILE *out)
{
    assert(table->rows.count);
    const struct table_row *total = &table->rows.at[table->rows.count - 1];
    fprintf(out, "\n%-44s %9s %10s", "", "", "");
    for (int m = 0; m < TABLE_MODELS; m++)
        if (total->cells[columns[m]].present)
            fprintf(out, " | %-28s", corpus_model_name(columns[m]));
    fprintf(out, "\n%-44s %9s %10s", "sensitive call", "sensitive", "verifiable");
    for (int m = 0; m < TABLE_MODELS; m++)
        if (total->cells[columns[m]].present)
            fprintf(out, " | %8s %13s %5s", "admitted", "verified", "bad");
    fprintf(out, "\n");
    for (size_t i = 0; i < table->rows.count; i++)
        print_row(&table->rows.at[i], total, out);
}

static void print_lengths(const tac_protocol_table *table, FILE *out)
{
    fprintf(out, "\n%-12s %-10s %7s %10s  refused by\n", "model", "steps", "traces", "no errors");
    for (size_t i = 0; i < table->lengths.count; i++) {
        const struct table_length *row = &table->lengths.at[i];
        fprintf(out, "%-12s >= %-7zu %7zu %10zu ", corpus_model_name(row->model), row->at_least,
                row->traces, row->no_errors);
        for (size_t k = 0; k < row->refused.count; k++)
            fprintf(out, " %s: %zu", row->rules.text[k], row->refused.at[k]);
        fprintf(out, "\n");
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
            fprintf(out, "note: line %zu of the triage concerns nothing here: %s, %s\n", line->line,
                    line->recording, line->call);
    }
}
