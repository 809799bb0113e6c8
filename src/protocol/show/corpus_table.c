/* Tables 1 and 2 of the paper (per sensitive call and model: sensitive, verifiable, verified and
 * bad traces) and figure 11 (traces by the number of steps admitted, divided by the rule that
 * refused them), as JSON and as text. */
#include "protocol/show/corpus_table.h"
#include "base/check.h"
#include "base/data/map.h"
#include "base/io/json.h"
#include "tactus/protocol.h"
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void add_to(json_t *object, const char *key, json_int_t more)
{
    json_object_set_new(object, key, json_integer(number_of(object, key) + more));
}

static json_t *child_object(json_t *object, const char *key)
{
    json_t *child = json_object_get(object, key);
    if (!child) {
        child = json_object();
        json_object_set_new(object, key, child);
    }
    return child;
}

/* What one model says about one method over all recordings. */
struct table_cell {
    bool present;
    size_t sensitive;         /* recordings that make the call */
    size_t admitted;          /* of those, admitted by the model's rules */
    size_t inadmissible;      /* not searched: the rules do not admit them */
    size_t verifiable;        /* searched, and without a defect that is known to be real */
    size_t verified;          /* of the verifiable */
    size_t bad;               /* verified although the defect is real */
    size_t real, wrong, open; /* alarms: on a real defect, false, nobody has looked */
};

enum { MODELS = 4 };
static const char *const model_names[MODELS] = {"top", "lifecycle", "lifecycle++", "lifestate"};

struct table_row {
    char *method;
    struct table_cell cells[MODELS];
};

struct verify_table {
    tac_names methods;
    TAC_VEC(struct table_row) rows;
    struct table_row total;
};

/* One method of one problem: safe when every call of it is. */
struct method_answer {
    uint32_t method;
    bool safe;
};

static int model_index(const char *name)
{
    for (int m = 0; m < MODELS; m++)
        if (!strcmp(name, model_names[m]))
            return m;
    return MODELS - 1;
}

static uint32_t row_of(struct verify_table *t, const char *method)
{
    uint32_t index = tac_names_intern(&t->methods, method);
    if (index == t->rows.count)
        tac_vec_push(&t->rows, (struct table_row){.method = tac_strdup(method)});
    assert(index < t->rows.count && t->rows.count == t->methods.count);
    return index;
}

static void count(struct table_cell *cell, const json_t *entry, bool safe,
                  enum triage_finding finding)
{
    bool refused = !strcmp(text_of(entry, "verdict"), "INADMISSIBLE");
    cell->present = true;
    cell->sensitive++;
    cell->admitted += !json_is_false(json_object_get(entry, "admitted"));
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

static void count_entry(struct verify_table *t, const json_t *entry, const struct triage *triage)
{
    TAC_VEC(struct method_answer) answers = {0};
    int model = model_index(text_of(entry, "model"));
    size_t i;
    json_t *target;
    json_array_foreach(json_object_get(entry, "targets"), i, target)
    {
        uint32_t method = row_of(t, text_of(target, "method"));
        bool safe = !strcmp(text_of(target, "verdict"), "SAFE");
        size_t k = 0;
        while (k < answers.count && answers.at[k].method != method)
            k++;
        if (k == answers.count)
            tac_vec_push(&answers, (struct method_answer){method, true});
        answers.at[k].safe = answers.at[k].safe && safe;
    }
    for (size_t k = 0; k < answers.count; k++) {
        struct table_row *row = &t->rows.at[answers.at[k].method];
        enum triage_finding finding =
            triage ? triage_find(triage, text_of(entry, "trace"), row->method) : TRIAGE_OPEN;
        count(&row->cells[model], entry, answers.at[k].safe, finding);
        count(&t->total.cells[model], entry, answers.at[k].safe, finding);
    }
    tac_vec_free(&answers);
}

static json_t *cell_json(const struct table_cell *cell)
{
    size_t n = cell->verifiable;
    json_t *json = json_object();
    json_object_set_new(json, "sensitive", json_integer((json_int_t)cell->sensitive));
    json_object_set_new(json, "admitted", json_integer((json_int_t)cell->admitted));
    json_object_set_new(json, "inadmissible", json_integer((json_int_t)cell->inadmissible));
    json_object_set_new(json, "verifiable", json_integer((json_int_t)n));
    json_object_set_new(json, "verified", json_integer((json_int_t)cell->verified));
    json_object_set_new(json, "percent",
                        json_integer(n ? (json_int_t)((200 * cell->verified + n) / (2 * n)) : 0));
    json_object_set_new(json, "bad", json_integer((json_int_t)cell->bad));
    json_object_set_new(json, "real", json_integer((json_int_t)cell->real));
    json_object_set_new(json, "false", json_integer((json_int_t)cell->wrong));
    json_object_set_new(json, "untriaged", json_integer((json_int_t)cell->open));
    return json;
}

static json_t *row_json(const struct table_row *row)
{
    json_t *json = json_object(), *models = json_object();
    size_t sensitive = 0, verifiable = 0;
    for (int m = 0; m < MODELS; m++) {
        const struct table_cell *cell = &row->cells[m];
        if (!cell->present)
            continue;
        json_object_set_new(models, model_names[m], cell_json(cell));
        sensitive = cell->sensitive > sensitive ? cell->sensitive : sensitive;
        verifiable = cell->verifiable > verifiable ? cell->verifiable : verifiable;
    }
    json_object_set_new(json, "method", tac_json_string(row->method ? row->method : "total"));
    json_object_set_new(json, "sensitive", json_integer((json_int_t)sensitive));
    json_object_set_new(json, "verifiable", json_integer((json_int_t)verifiable));
    json_object_set_new(json, "models", models);
    return json;
}

json_t *corpus_table_verify(const json_t *entries, const struct triage *triage)
{
    struct verify_table t = {0};
    json_t *table = json_array(), *entry;
    size_t i;
    json_array_foreach((json_t *)entries, i, entry) count_entry(&t, entry, triage);
    for (size_t k = 0; k < t.rows.count; k++) {
        json_array_append_new(table, row_json(&t.rows.at[k]));
        free(t.rows.at[k].method);
    }
    json_array_append_new(table, row_json(&t.total));
    tac_vec_free(&t.rows);
    tac_names_free(&t.methods);
    return table;
}

static void count_validation(json_t *row, const json_t *entry, json_int_t at_least)
{
    bool ok = !strcmp(text_of(entry, "result"), "OK");
    json_int_t admitted = number_of(entry, "steps") - !ok;
    if (admitted < at_least || !strcmp(text_of(entry, "result"), "UNKNOWN"))
        return;
    add_to(row, "traces", 1);
    if (ok)
        add_to(row, "no_errors", 1);
    else
        add_to(child_object(row, "refused"), text_of(json_object_get(entry, "because"), "rule"), 1);
}

json_t *corpus_table_validate(const json_t *entries)
{
    static const json_int_t steps[] = {1, 25, 50, 75};
    json_t *table = json_array(), *models = json_object(), *entry, *unused;
    const char *model;
    size_t i;
    json_array_foreach((json_t *)entries, i, entry) child_object(models, text_of(entry, "model"));
    json_object_foreach(models, model, unused)
    {
        (void)unused;
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            json_t *row = json_object();
            json_object_set_new(row, "model", json_string(model));
            json_object_set_new(row, "at_least", json_integer(steps[k]));
            json_object_set_new(row, "traces", json_integer(0));
            json_object_set_new(row, "no_errors", json_integer(0));
            child_object(row, "refused");
            json_array_foreach((json_t *)entries, i,
                               entry) if (!strcmp(text_of(entry, "model"), model))
                count_validation(row, entry, steps[k]);
            json_array_append_new(table, row);
        }
    }
    json_decref(models);
    return table;
}

static void print_entries(const json_t *document, bool validate, FILE *out)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(document, "traces"), i, entry)
    {
        const char *word = text_of(entry, validate ? "result" : "verdict");
        const char *end = text_of(entry, "end");
        fprintf(out, "%-12s %-11s %s", word, text_of(entry, "model"), text_of(entry, "trace"));
        if (!strcmp(end, "error"))
            fprintf(out, ": %s", text_of(entry, "error"));
        else if (strcmp(end, "done"))
            fprintf(out, ": %s", end);
        else if (!strcmp(word, "INADMISSIBLE"))
            fprintf(out, ": %s", text_of(json_object_get(entry, "because"), "rule"));
        else if (!strcmp(word, "UNSAFE"))
            fprintf(out, ": %lld event%s to %s", (long long)number_of(entry, "witness_events"),
                    number_of(entry, "witness_events") == 1 ? "" : "s",
                    text_of(json_object_get(entry, "violation"), "words"));
        else if (validate && strcmp(word, "OK"))
            fprintf(out, ": step %lld, %s", (long long)number_of(entry, "steps"),
                    text_of(json_object_get(entry, "because"), "rule"));
        fprintf(out, "\n");
    }
}

/* Tables 1 and 2 of the paper: a block of columns per model. */
static void print_verify_table(const json_t *table, FILE *out)
{
    bool present[MODELS] = {false};
    size_t i;
    json_t *row;
    json_array_foreach((json_t *)table, i, row) for (int m = 0; m < MODELS; m++) present[m] =
        present[m] || json_object_get(json_object_get(row, "models"), model_names[m]);
    fprintf(out, "\n%-44s %9s %10s", "", "", "");
    for (int m = 0; m < MODELS; m++)
        if (present[m])
            fprintf(out, " | %-28s", model_names[m]);
    fprintf(out, "\n%-44s %9s %10s", "sensitive call", "sensitive", "verifiable");
    for (int m = 0; m < MODELS; m++)
        if (present[m])
            fprintf(out, " | %8s %13s %5s", "admitted", "verified", "bad");
    fprintf(out, "\n");
    json_array_foreach((json_t *)table, i, row)
    {
        fprintf(out, "%-44s %9lld %10lld", text_of(row, "method"),
                (long long)number_of(row, "sensitive"), (long long)number_of(row, "verifiable"));
        for (int m = 0; m < MODELS; m++) {
            const json_t *cell = json_object_get(json_object_get(row, "models"), model_names[m]);
            if (cell)
                fprintf(out, " | %8lld %6lld (%3lld%%) %5lld",
                        (long long)number_of(cell, "admitted"),
                        (long long)number_of(cell, "verified"),
                        (long long)number_of(cell, "percent"), (long long)number_of(cell, "bad"));
            else if (present[m])
                fprintf(out, " | %28s", "-");
        }
        fprintf(out, "\n");
    }
}

static void print_validate_table(const json_t *table, FILE *out)
{
    size_t i;
    json_t *row, *count;
    const char *rule;
    fprintf(out, "\n%-12s %-10s %7s %10s  refused by\n", "model", "steps", "traces", "no errors");
    json_array_foreach((json_t *)table, i, row)
    {
        fprintf(out, "%-12s >= %-7lld %7lld %10lld ", text_of(row, "model"),
                (long long)number_of(row, "at_least"), (long long)number_of(row, "traces"),
                (long long)number_of(row, "no_errors"));
        json_object_foreach(json_object_get(row, "refused"), rule, count)
            fprintf(out, " %s: %lld", rule, (long long)json_integer_value(count));
        fprintf(out, "\n");
    }
}

void tac_protocol_corpus_text(const json_t *document, bool validate, FILE *out)
{
    print_entries(document, validate, out);
    if (validate)
        print_validate_table(json_object_get(document, "table"), out);
    else
        print_verify_table(json_object_get(document, "table"), out);
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(document, "triage_unused"), i, line) fprintf(
        out, "note: line %lld of the triage concerns nothing here: %s, %s\n",
        (long long)number_of(line, "line"), text_of(line, "recording"), text_of(line, "call"));
}
