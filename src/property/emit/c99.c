/* --emit c: a stand-alone C99 monitor of a whole property file, without allocation. The fixed parts
 * (export_*.c.in) are embedded; what depends on the file is written here. */
#include "base/check.h"
#include "property/emit/code.h"

#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "export_automaton_text.h"
#include "export_main_text.h"
#include "export_runtime_text.h"
#include "export_table_text.h"

/* A text inside a comment. */
static void emit_comment(FILE *out, const char *text)
{
    tac_str quoted = {0};
    tac_quote_comment(&quoted, text);
    fputs(tac_str_text(&quoted), out);
    tac_str_free(&quoted);
}

static void emit_head(FILE *out, const tac_properties *properties, const struct property_plan *plan)
{
    size_t measures = 1;
    for (size_t i = 0; i < plan->parts.count; i++)
        if (plan->parts.at[i].interval.measures.count > measures)
            measures = plan->parts.at[i].interval.measures.count;
    fprintf(out,
            "/* A monitor of %s, written by Tactus.\n"
            " *\n"
            " *   struct monitor m;             struct monitor_state s;\n"
            " *   monitor_init(&m);             s.t in nanoseconds, the inputs as declared below\n"
            " *   monitor_step(&m, &s);         once per state, in time order\n"
            " *   monitor_verdict(&m, i, end)   of property i; end: the trace is complete\n"
            " *\n"
            " * C99, no allocation, no library beyond strcmp. With -DMONITOR_MAIN it is a program\n"
            " * that reads CSV on standard input. Properties:\n",
            properties->file);
    for (size_t i = 0; i < properties->properties.count; i++)
        fprintf(out, " *   %zu  %s\n", i, properties->properties.at[i].name);
    fputs(" */\n#include <string.h>\n\n", out);
    fprintf(out,
            "#define TM_MOST_MEASURES %zu\n#define TM_CLOCKS %d\n#define TM_INPUTS %zu\n"
            "#define TM_BARE %u\n#define TM_PROPERTIES %zu\n\n",
            measures, AUTOMATON_CLOCKS, plan->program.slots.count, emit_bare_count(&plan->program),
            properties->properties.count);
    fputs("/* One state. An unknown number is NaN; discrete values come from\n"
          " * monitor_symbol, or are -1 for none and -2 for one that is not known. A verdict that\n"
          " * depends on what is not known is inconclusive. Memory: the struct monitor, whatever "
          "the\n"
          " * length of the trace. */\nstruct monitor_state {\n    long long t;\n",
          out);
    for (size_t i = 0; i < plan->program.slots.count; i++) {
        const struct column_slot *slot = &plan->program.slots.at[i];
        char name[80];
        fprintf(out, "    %s %s;%s%s%s\n", slot->discrete ? "int" : "double",
                emit_input(&plan->program, i, name), *slot->unit_text ? " /* in " : "",
                slot->unit_text, *slot->unit_text ? " */" : "");
    }
    if (emit_bare_count(&plan->program))
        fprintf(out,
                "    int bare[%u]; /* is the boolean of that name true, or, where the trace has\n"
                "                  * none, did the event of that name happen? 2: not known.",
                emit_bare_count(&plan->program));
    for (size_t i = 0; i < plan->program.nodes.count; i++)
        if (plan->program.nodes.at[i].op == COLUMN_BARE) {
            fputs(" ", out);
            emit_comment(out, plan->program.literals.text[plan->program.nodes.at[i].a]);
        }
    fputs(emit_bare_count(&plan->program) ? " */\n};\n\n" : "};\n\n", out);
}

static void emit_bytes(FILE *out, const char *type, const char *name, size_t part,
                       const uint8_t *values, size_t count)
{
    fprintf(out, "static const %s %s_%zu[] = {", type, name, part);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%u,", i % 24 ? " " : "\n    ", values[i]);
    fputs("\n    0};\n", out);
}

static void emit_words(FILE *out, const char *name, size_t part, const uint32_t *values,
                       size_t count)
{
    fprintf(out, "static const unsigned %s_%zu[] = {", name, part);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%u,", i % 16 ? " " : "\n    ", values[i]);
    fputs("\n    0};\n", out);
}

static void emit_automaton(FILE *out, const struct automaton *automaton, size_t part)
{
    emit_words(out, "next", part, automaton->next, automaton->transitions);
    emit_bytes(out, "unsigned char", "answers", part, automaton->answers, automaton->states);
    if (automaton->first) {
        size_t slots = automaton->states * AUTOMATON_CLOCKS;
        uint8_t *kinds = tac_calloc(slots + 1, 1);
        for (size_t i = 0; i < slots; i++)
            kinds[i] = (uint8_t)automaton->clock_kinds[i];
        emit_words(out, "first", part, automaton->first, automaton->states);
        emit_bytes(out, "unsigned char", "clocks", part, automaton->clock_count, automaton->states);
        emit_bytes(out, "unsigned char", "kinds", part, kinds, slots);
        emit_bytes(out, "unsigned char", "moves", part, automaton->moves,
                   automaton->transitions * AUTOMATON_CLOCKS);
        free(kinds);
        fprintf(out, "static const struct tm_clock clock_%zu[] = {", part);
        for (size_t i = 0; i < automaton->kind_count; i++)
            fprintf(out, "{%d, %d, %lldLL}, ", automaton->kinds[i].steps,
                    automaton->kinds[i].strict, (long long)automaton->kinds[i].amount);
        fputs("{0, 0, 0}};\n", out);
        fprintf(out,
                "static const struct tm_automaton automaton_%zu = {%zu, %u, next_%zu, first_%zu, "
                "clocks_%zu,\n    kinds_%zu, moves_%zu, answers_%zu, clock_%zu};\n\n",
                part, automaton->letters, automaton->start, part, part, part, part, part, part,
                part);
    } else {
        fprintf(out,
                "static const struct tm_automaton automaton_%zu = {%zu, %u, next_%zu, 0, 0, 0, 0,\n"
                "    answers_%zu, 0};\n\n",
                part, automaton->letters, automaton->start, part, part);
    }
}

static void emit_monitor(FILE *out, const struct property_plan *plan)
{
    fprintf(out, "struct monitor {\n    long long index, when[%zu];\n    int past[%zu];\n",
            emit_past_count(&plan->program) + 1, emit_past_count(&plan->program) + 1);
    for (size_t i = 0; i < plan->parts.count; i++)
        fprintf(out, "    struct %s part_%zu;\n",
                plan->parts.at[i].temporal ? "tm_automaton_state" : "tm_interval", i);
    fputs("};\n\nvoid monitor_init(struct monitor *m);\n"
          "void monitor_step(struct monitor *m, const struct monitor_state *s);\n"
          "int monitor_verdict(const struct monitor *m, int property, int ended);\n"
          "int monitor_symbol(const char *text);\n\n"
          "int monitor_symbol(const char *text)\n{\n    return symbol(text);\n}\n\n"
          "void monitor_init(struct monitor *m)\n{\n    memset(m, 0, sizeof *m);\n",
          out);
    for (size_t i = 0; i < plan->parts.count; i++)
        if (!plan->parts.at[i].temporal) {
            fputs("    (void)tm_figure;\n    (void)tm_and;\n    (void)tm_or;\n"
                  "    (void)tm_absolute;\n    (void)tm_product;\n    (void)tm_compare;\n"
                  "    (void)tm_measured;\n",
                  out);
            break;
        }
    for (size_t i = 0; i < plan->parts.count; i++)
        if (plan->parts.at[i].temporal)
            fprintf(out, "    m->part_%zu.state = %u;\n", i, plan->parts.at[i].automaton.start);
    fputs("}\n\n", out);
}

/* What a closed interval does to its property. */
void emit_close(FILE *out, const struct interval_plan *plan, size_t part)
{
    const char *decides = plan->quantifier == QUANT_FIRST    ? "!i->decided && !i->unknowns"
                          : plan->quantifier == QUANT_FORALL ? "!good && !i->decided"
                                                             : "good && !i->decided";
    fprintf(out,
            "static void close_%zu(struct tm_interval *i, int unfinished)\n{\n"
            "    int truth = judge_%zu(i, unfinished), good = truth == 2;\n"
            "    i->open = 0;\n    if (truth == 1) {\n        i->unknowns++;\n"
            "        return;\n    }\n    i->intervals++;\n    i->violated += !good;\n"
            "    if (%s) {\n        i->decided = 1;\n        i->holds = good;\n    }\n}\n\n",
            part, part, decides);
}

/* The readings other than the definitions: rp and rq are the rising edges of p and q. */
static void emit_reading(FILE *out, const struct interval_plan *plan, size_t part,
                         const char *begin, const char *extend)
{
    assert(plan->semantics != TAC_SEMANTICS_DEF && !plan->runs);
    fprintf(
        out,
        "        int p = b[%u] != 0, q = b[%u] != 0, rp = p && !i->last_p, rq = q && !i->last_q;\n"
        "        (void)rq;\n        i->last_p = p;\n        i->last_q = q;\n",
        plan->p, plan->q);
    if (plan->semantics == TAC_SEMANTICS_EQ3)
        fprintf(out,
                "        if (rp)\n            %s;\n        else if (i->open)\n            %s;\n"
                "        if (i->open && q)\n            close_%zu(i, 0);\n",
                begin, extend, part);
    else if (plan->semantics == TAC_SEMANTICS_RISING)
        fprintf(out,
                "        if (rp && !i->open)\n            %s;\n        else if (i->open) {\n"
                "            %s;\n            if (rq && !rp)\n                close_%zu(i, 0);\n"
                "        }\n",
                begin, extend, part);
    else
        fprintf(out,
                "        int before = i->flag, pending = i->open;\n"
                "        i->flag = rp || (before && !rq);\n"
                "        if (i->flag && !before) {\n            %s;\n"
                "            i->open = pending;\n            i->captured = 1;\n"
                "        } else if (i->captured)\n            %s;\n"
                "        i->open |= p;\n        if (i->open && q)\n            close_%zu(i, 0);\n",
                begin, extend, part);
}

void emit_interval_step(FILE *out, const struct interval_plan *plan, size_t part,
                        const char *interval, const char *time)
{
    char *begin =
        tac_format("tm_begin(i, measures_%zu, %zu, n, b, m, %s)", part, plan->measures.count, time);
    char *extend = plan->runs ? tac_format("tm_extend(i, measures_%zu, %zu, n, b, m, %s, b[%u])",
                                           part, plan->measures.count, time, plan->q)
                              : tac_format("tm_extend(i, measures_%zu, %zu, n, b, m, %s, 0)", part,
                                           plan->measures.count, time);
    fprintf(out, "    {\n        struct tm_interval *i = %s;\n", interval);
    bool definitions = plan->semantics == TAC_SEMANTICS_DEF || plan->runs;
    if (definitions)
        fprintf(out,
                "        if (i->doubt)\n            i->doubt = m[%u] || !b[%u];\n"
                "        else if (i->open ? b[%u] != m[%u] : b[%u] != m[%u]) {\n",
                plan->p, plan->q, plan->q, plan->q, plan->p, plan->p);
    else
        fprintf(out, "        if (!i->doubt && (b[%u] != m[%u] || b[%u] != m[%u])) {\n", plan->p,
                plan->p, plan->q, plan->q);
    fputs("            i->doubt = 1;\n            i->open = 0;\n            i->unknowns++;\n"
          "        }",
          out);
    if (definitions)
        fprintf(out,
                " else if (i->open) {\n            %s;\n            if (b[%u])\n"
                "                close_%zu(i, 0);\n        } else if (b[%u])\n            %s;\n",
                extend, plan->q, part, plan->p, begin);
    else {
        fputs("\n        if (!i->doubt) {\n", out);
        emit_reading(out, plan, part, begin, extend);
        fputs("        }\n", out);
    }
    fputs("    }\n", out);
    free(begin);
    free(extend);
}

static void emit_step(FILE *out, const struct property_plan *plan)
{
    fprintf(out,
            "void monitor_step(struct monitor *tm, const struct monitor_state *s)\n{\n"
            "    double n[%zu];\n    int b[%zu], m[%zu], *past = tm->past;\n    unsigned letter;\n"
            "    long long *when = tm->when, tm_time = s->t, tm_index = tm->index;\n"
            "    (void)n;\n    (void)past;\n    (void)letter;\n    (void)when;\n"
            "    (void)tm_time;\n    (void)tm_index;\n",
            plan->program.nodes.count + 1, plan->program.nodes.count + 1,
            plan->program.nodes.count + 1);
    emit_columns(out, &plan->program, "s->");
    for (size_t i = 0; i < plan->parts.count; i++) {
        const struct property_part *part = &plan->parts.at[i];
        if (!part->temporal) {
            char *interval = tac_format("&tm->part_%zu", i);
            emit_interval_step(out, &part->interval, i, interval, "s->t");
            free(interval);
            continue;
        }
        fputs("    letter = 0", out);
        for (size_t a = 0; a < part->automaton.atom_count; a++)
            fprintf(out, " + (b[%u] ? %uu : 0u)", part->automaton.atoms[a],
                    part->automaton.weights[a]);
        fputs(";\n    if (0", out);
        for (size_t a = 0; a < part->automaton.atom_count; a++)
            fprintf(out, " || b[%u] != m[%u]", part->automaton.atoms[a], part->automaton.atoms[a]);
        fprintf(out,
                ")\n        tm_lose(&automaton_%zu, &tm->part_%zu);\n"
                "    tm_advance(&automaton_%zu, &tm->part_%zu, letter, tm->index, s->t);\n",
                i, i, i, i);
    }
    fputs("    tm->index++;\n}\n\n", out);
}

static void emit_part_verdict(FILE *out, const struct property_part *part, size_t number)
{
    assert(!part->queued && !part->each_count);
    fprintf(out, "static int verdict_part_%zu(const struct monitor *m, int ended)\n{\n", number);
    if (part->temporal) {
        fprintf(out,
                "    (void)ended;\n"
                "    return m->part_%zu.lost ? 2 : answers_%zu[m->part_%zu.state];\n}\n\n",
                number, number, number);
        return;
    }
    fprintf(out, "    struct tm_interval i = m->part_%zu;\n", number);
    if (part->interval.runs)
        fprintf(out, "    if (ended && i.open)\n        close_%zu(&i, 1);\n", number);
    else if (part->interval.quantifier == QUANT_FORALL &&
             (part->interval.semantics == TAC_SEMANTICS_EQ3 ||
              part->interval.semantics == TAC_SEMANTICS_SPIN2015))
        fputs("    if (ended && i.open && !i.decided)\n        return 1; /* an open interval is "
              "false */\n",
              out);
    fprintf(out,
            "    if (i.decided)\n        return i.holds ? 0 : 1;\n"
            "    return ended && !i.unknowns ? %d : 2;\n}\n\n",
            part->interval.quantifier == QUANT_FORALL ? 0 : 1);
}

static void emit_combine(FILE *out, const struct property_plan *plan, uint32_t node)
{
    assert(node < plan->combines.count);
    const struct combine *at = &plan->combines.at[node];
    if (at->op == COMBINE_PART) {
        fprintf(out, "rank[verdict_part_%u(m, ended)]", at->a);
    } else if (at->op == COMBINE_PROPERTY) {
        emit_combine(out, plan, plan->roots[at->a]);
    } else if (at->op == COMBINE_NOT) {
        fputs("(4 - ", out);
        emit_combine(out, plan, at->a);
        fputs(")", out);
    } else {
        fputs(at->op == COMBINE_AND ? "tm_least(" : "tm_most(", out);
        emit_combine(out, plan, at->a);
        fputs(", ", out);
        emit_combine(out, plan, at->b);
        fputs(")", out);
    }
}

static void emit_verdicts(FILE *out, const tac_properties *properties,
                          const struct property_plan *plan)
{
    for (size_t i = 0; i < plan->parts.count; i++)
        emit_part_verdict(out, &plan->parts.at[i], i);
    bool joins = false;
    for (size_t i = 0; i < plan->combines.count; i++)
        joins |= plan->combines.at[i].op == COMBINE_AND || plan->combines.at[i].op == COMBINE_OR;
    if (joins)
        fputs("int tm_least(int a, int b);\nint tm_most(int a, int b);\n\n"
              "int tm_least(int a, int b)\n{\n    return a < b ? a : b;\n}\n\n"
              "int tm_most(int a, int b)\n{\n    return a > b ? a : b;\n}\n\n",
              out);
    fputs("/* 0 true, 1 false, 2 inconclusive, 3 presumably true, 4 presumably false. */\n"
          "int monitor_verdict(const struct monitor *m, int property, int ended)\n{\n"
          "    static const int rank[] = {4, 0, 2, 3, 1}, answer[] = {1, 4, 2, 3, 0};\n"
          "    switch (property) {\n",
          out);
    for (size_t i = 0; i < properties->properties.count; i++) {
        fprintf(out, "    case %zu:\n        return answer[", i);
        emit_combine(out, plan, plan->roots[i]);
        fputs("];\n", out);
    }
    fputs("    default:\n        return 2;\n    }\n}\n", out);
}

static void emit_reader(FILE *out, const tac_properties *properties,
                        const struct property_plan *plan)
{
    char name[80];
    fputs("\n#ifdef MONITOR_MAIN\n#include <stdio.h>\n#include <stdlib.h>\n", out);
    emit_inputs(out, &plan->program);
    fputs("static const char *const monitor_properties[] = {", out);
    for (size_t i = 0; i < properties->properties.count; i++) {
        emit_string(out, properties->properties.at[i].name);
        fputs(", ", out);
    }
    fputs("\"\"};\nstatic const char *const monitor_verdicts[] = {\"true\", \"false\", "
          "\"inconclusive\",\n    \"presumably true\", \"presumably false\"};\n",
          out);
    fputs(export_table_text, out);
    fputs("\nstatic void monitor_read(struct monitor_state *s, long long t, const int *bare)\n{\n"
          "    s->t = t;\n    (void)bare;\n",
          out);
    for (size_t i = 0; i < plan->program.slots.count; i++) {
        emit_input(&plan->program, i, name);
        if (plan->program.slots.at[i].discrete)
            fprintf(out, "    s->%s = symbol(tm_held[%zu]);\n", name, i);
        else
            fprintf(out,
                    "    s->%s = *tm_held[%zu] && strcmp(tm_held[%zu], \"?\")\n"
                    "        ? strtod(tm_held[%zu], 0) : 0.0 / 0.0;\n",
                    name, i, i, i);
    }
    if (emit_bare_count(&plan->program))
        fputs("    memcpy(s->bare, bare, sizeof s->bare);\n", out);
    fputs("}\n", out);
}

tac_status tac_property_emit_c(const tac_properties *properties, tac_semantics semantics, FILE *out,
                               tac_error *err)
{
    struct property_plan plan;
    tac_diagnostics found = {0};
    property_plan_export(properties, semantics, &found, &plan);
    tac_status status = found.errors ? tac_diagnostics_fail(&found, err) : TAC_OK;
    tac_diagnostics_free(&found);
    if (status == TAC_OK)
        status = emit_check(properties, &plan, SIZE_MAX, err);
    if (status == TAC_OK) {
        bool intervals = false, automata = false;
        for (size_t i = 0; i < plan.parts.count; i++) {
            automata |= plan.parts.at[i].temporal;
            intervals |= !plan.parts.at[i].temporal;
        }
        emit_head(out, properties, &plan);
        fputs("/* Discrete values as numbers: -2 not known, -1 none, 0 a value that no property "
              "names. */\n",
              out);
        emit_symbols(out, &plan.program);
        if (intervals)
            fputs(export_runtime_text, out);
        if (automata)
            fputs(export_automaton_text, out);
        fputc('\n', out);
        for (size_t i = 0; i < plan.parts.count; i++)
            if (plan.parts.at[i].temporal) {
                emit_automaton(out, &plan.parts.at[i].automaton, i);
            } else {
                emit_judge(out, &plan.parts.at[i].interval, i);
                emit_close(out, &plan.parts.at[i].interval, i);
            }
        emit_monitor(out, &plan);
        emit_step(out, &plan);
        emit_verdicts(out, properties, &plan);
        emit_reader(out, properties, &plan);
        fputs(export_main_text, out);
    }
    property_plan_free(&plan);
    return status;
}
