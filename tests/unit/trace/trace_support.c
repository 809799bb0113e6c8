/* See trace_support.h. */
#include "trace_support.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include <inttypes.h>
#include <math.h>

static void add_state(tac_str *text, int64_t time)
{
    if (text->length)
        tac_str_add_char(text, '\n');
    tac_str_addf(text, "%" PRId64 ".%09" PRId64, time / 1000000000,
                 (time < 0 ? -time : time) % 1000000000);
}

static void add_number(tac_str *text, const char *name, double value)
{
    if (!isnan(value))
        tac_str_addf(text, " %s=%.17g", name, value);
}

static void add_symbol(tac_str *text, const char *name, const char *value)
{
    if (value)
        tac_str_addf(text, " %s=%s", name, value);
}

static void add_block(tac_str *text, const tac_trace_source *source, const tac_trace_block *block)
{
    size_t variables, symbols;
    const tac_trace_variable *variable = tac_trace_variables(source, &variables);
    const char *const *names = tac_trace_symbols(source, &symbols);
    for (size_t i = 0; i < block->count; i++) {
        add_state(text, block->time[i]);
        for (size_t v = 0; v < variables; v++) {
            if (variable[v].kind == TAC_CONTINUOUS)
                add_number(text, variable[v].name, block->numbers[v][i]);
            else if (block->symbols[v][i] != TAC_TRACE_NO_SYMBOL)
                add_symbol(text, variable[v].name, names[block->symbols[v][i]]);
        }
    }
}

char *dump_trace(const char *path, const tac_trace_options *options, tac_error *err)
{
    tac_str text = {0};
    tac_trace_source *source;
    tac_error ignored;
    if (!err)
        err = &ignored;
    *err = (tac_error){0};
    if (tac_trace_open(path, options, &source, err))
        return tac_strdup("");
    const tac_trace_block *block;
    uint64_t states = 0;
    while (!tac_trace_next(source, &block, err) && block) {
        if (block->first != states || !block->count || block->count > TAC_TRACE_BLOCK_STATES)
            abort();
        states += block->count;
        add_block(&text, source, block);
    }
    tac_trace_close(source);
    return text.text ? tac_str_take(&text) : tac_strdup("");
}

char *dump_schema(const char *path, const tac_trace_options *options)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    if (tac_trace_open(path, options, &source, &err))
        return tac_strdup(err.message);
    while (!tac_trace_next(source, &block, &err) && block)
        continue;
    size_t count;
    const tac_trace_variable *variables = tac_trace_variables(source, &count);
    tac_str text = {0};
    for (size_t i = 0; i < count; i++)
        tac_str_addf(&text, "%s%s:%s%s%s", i ? " " : "", variables[i].name,
                     variables[i].kind == TAC_CONTINUOUS ? "number" : "name",
                     *variables[i].unit ? ":" : "", variables[i].unit);
    tac_trace_close(source);
    return text.text ? tac_str_take(&text) : tac_strdup("");
}

static double random_number(tac_random *random)
{
    switch (tac_random_below(random, 6)) {
    case 0:
        return (double)tac_random_below(random, 1000);
    case 1:
        return -(double)tac_random_below(random, 1000000) / 1000;
    case 2:
        return tac_random_unit(random);
    case 3:
        return ldexp(tac_random_unit(random) - 0.5, (int)tac_random_below(random, 600) - 300);
    case 4:
        return (double)tac_random_next(random);
    default:
        return 0.1 * (double)tac_random_below(random, 100);
    }
}

static const char *random_symbol(tac_random *random, bool wild)
{
    static const char *const tame[] = {
        "Tap", "StartPlaying", "x", "a,b", "two words", "say \"hi\"", "PausePlayingOfTheSong"};
    static const char *const odd[] = {"12",          "line\nbreak", "\xc3\xa9t\xc3\xa9",
                                      "tab\tinside", "\\",          "true"};
    size_t pick = tac_random_below(random, wild ? 13 : 7);
    return pick < 7 ? tame[pick] : odd[pick - 7];
}

random_trace *make_random_trace(uint64_t seed, size_t most_states, bool wild)
{
    static const tac_trace_variable variables[6] = {
        {"event", "", TAC_DISCRETE, false, TAC_VALUE_NAME},
        {"rxData", "kB", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
        {"activity", "", TAC_DISCRETE, false, TAC_VALUE_NAME},
        {"energy", "J", TAC_CONTINUOUS, true, TAC_VALUE_NAME},
        {"heap", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
        {"screen name", "", TAC_DISCRETE, false, TAC_VALUE_NAME}};
    tac_random random;
    tac_random_seed(&random, seed);
    random_trace *trace = tac_calloc(1, sizeof *trace);
    trace->states = tac_random_below(&random, most_states + 1);
    trace->variables = 1 + tac_random_below(&random, 6);
    memcpy(trace->variable, variables, sizeof variables);
    int64_t time = wild ? -(int64_t)tac_random_below(&random, 5000000000) : 0;
    bool sparse = tac_random_below(&random, 2);
    for (size_t i = 0; i < trace->states; i++) {
        time += (int64_t)tac_random_below(&random, wild ? 9000000000 : 1000000000);
        trace->time[i] = time;
        for (size_t v = 0; v < 6; v++) {
            /* The first state sets all, so that a table can tell numbers from names. */
            bool set = (i == 0 && !wild) || tac_random_below(&random, 10) < (sparse ? 2u : 8u);
            trace->number[i][v] = set ? random_number(&random) : NAN;
            trace->symbol[i][v] = set ? random_symbol(&random, wild) : NULL;
        }
    }
    return trace;
}

char *expected_dump(const random_trace *trace)
{
    tac_str text = {0};
    double number[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const char *symbol[6] = {0};
    for (size_t i = 0; i < trace->states; i++) {
        add_state(&text, trace->time[i]);
        for (size_t v = 0; v < trace->variables; v++) {
            if (!isnan(trace->number[i][v]))
                number[v] = trace->number[i][v];
            if (trace->symbol[i][v] || v == 0)
                symbol[v] = trace->symbol[i][v];
            if (trace->variable[v].kind == TAC_CONTINUOUS)
                add_number(&text, trace->variable[v].name, number[v]);
            else
                add_symbol(&text, trace->variable[v].name, symbol[v]);
        }
    }
    return text.text ? tac_str_take(&text) : tac_strdup("");
}

void write_random_trace(const random_trace *trace, const char *path, const char *format)
{
    FILE *file = fopen(path, "w");
    tac_trace_writer *writer;
    tac_error err;
    if (!file || tac_trace_writer_new(file, format, NULL, &writer, &err))
        abort();
    for (size_t v = 0; v < trace->variables; v++)
        if (tac_trace_writer_variable(writer, &trace->variable[v]) != v)
            abort();
    for (size_t i = 0; i < trace->states; i++) {
        tac_trace_writer_begin(writer, trace->time[i]);
        for (size_t v = 0; v < trace->variables; v++) {
            if (trace->variable[v].kind == TAC_CONTINUOUS && !isnan(trace->number[i][v]))
                tac_trace_writer_number(writer, v, trace->number[i][v]);
            if (trace->variable[v].kind == TAC_DISCRETE && trace->symbol[i][v])
                tac_trace_writer_symbol(writer, v, trace->symbol[i][v]);
        }
        if (tac_trace_writer_end(writer, &err)) {
            fprintf(stderr, "%s\n", err.message);
            abort();
        }
    }
    if (tac_trace_writer_finish(writer, NULL, &err) || fclose(file))
        abort();
}
