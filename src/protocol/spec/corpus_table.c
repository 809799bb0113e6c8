/* Tables 1 and 2 of the paper (verified traces per sensitive call and model) and figure 11 (traces
 * by the number of steps admitted, divided by the rule that refused them), as JSON and as text. */
#include "protocol/spec/corpus_table.h"
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

/* Per method of one entry: is every target of that method safe? */
static json_t *methods_of(const json_t *entry)
{
    json_t *methods = json_object();
    size_t i;
    json_t *target;
    json_array_foreach(json_object_get(entry, "targets"), i, target)
    {
        const char *method = text_of(target, "method");
        bool safe = !strcmp(text_of(target, "verdict"), "SAFE");
        json_t *known = json_object_get(methods, method);
        json_object_set_new(methods, method, json_boolean(safe && (!known || json_is_true(known))));
    }
    return methods;
}

static void count_method(json_t *row, const char *model, bool safe)
{
    json_t *cell = child_object(child_object(row, "models"), model);
    add_to(cell, "sensitive", 1);
    add_to(cell, "verified", safe);
}

/* "sensitive" of the row is the greatest of its columns; percentages follow. */
static void finish_row(json_t *row)
{
    const char *model;
    json_t *cell;
    json_int_t sensitive = 0;
    json_object_foreach(json_object_get(row, "models"), model, cell)
    {
        json_int_t n = number_of(cell, "sensitive"), verified = number_of(cell, "verified");
        sensitive = n > sensitive ? n : sensitive;
        json_object_set_new(cell, "percent", json_integer(n ? (200 * verified + n) / (2 * n) : 0));
    }
    json_object_set_new(row, "sensitive", json_integer(sensitive));
}

json_t *corpus_table_verify(const json_t *entries)
{
    json_t *rows = json_object(), *total = json_object(), *table = json_array();
    size_t i;
    json_t *entry, *safe, *row;
    const char *method;
    json_array_foreach((json_t *)entries, i, entry)
    {
        json_t *methods = methods_of(entry);
        json_object_foreach(methods, method, safe)
        {
            row = child_object(rows, method);
            count_method(row, text_of(entry, "model"), json_is_true(safe));
            count_method(total, text_of(entry, "model"), json_is_true(safe));
        }
        json_decref(methods);
    }
    json_object_foreach(rows, method, row)
    {
        json_object_set_new(row, "method", json_string(method));
        finish_row(row);
        json_array_append(table, row);
    }
    json_object_set_new(total, "method", json_string("total"));
    child_object(total, "models");
    finish_row(total);
    json_array_append_new(table, total);
    json_decref(rows);
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
        fprintf(out, "%-9s %-11s %s", word, text_of(entry, "model"), text_of(entry, "trace"));
        if (!strcmp(end, "error"))
            fprintf(out, ": %s", text_of(entry, "error"));
        else if (strcmp(end, "done"))
            fprintf(out, ": %s", end);
        else if (!strcmp(word, "UNSAFE"))
            fprintf(out, ": %lld events to %s", (long long)number_of(entry, "witness_events"),
                    text_of(json_object_get(entry, "violation"), "words"));
        else if (validate && strcmp(word, "OK"))
            fprintf(out, ": step %lld, %s", (long long)number_of(entry, "steps"),
                    text_of(json_object_get(entry, "because"), "rule"));
        fprintf(out, "\n");
    }
}

static void print_verify_table(const json_t *table, FILE *out)
{
    static const char *const models[] = {"top", "lifecycle", "lifecycle++", "lifestate"};
    bool present[4] = {false};
    size_t i;
    json_t *row;
    json_array_foreach((json_t *)table, i, row) for (int m = 0; m < 4; m++) present[m] =
        present[m] || json_object_get(json_object_get(row, "models"), models[m]);
    fprintf(out, "\n%-52s %9s", "verified traces per sensitive call", "sensitive");
    for (int m = 0; m < 4; m++)
        if (present[m])
            fprintf(out, " %14s", models[m]);
    fprintf(out, "\n");
    json_array_foreach((json_t *)table, i, row)
    {
        fprintf(out, "%-52s %9lld", text_of(row, "method"), (long long)number_of(row, "sensitive"));
        for (int m = 0; m < 4; m++) {
            const json_t *cell = json_object_get(json_object_get(row, "models"), models[m]);
            if (cell)
                fprintf(out, " %7lld (%3lld%%)", (long long)number_of(cell, "verified"),
                        (long long)number_of(cell, "percent"));
            else if (present[m])
                fprintf(out, " %14s", "-");
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
}
