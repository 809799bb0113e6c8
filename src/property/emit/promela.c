/* --emit promela: a monitor in the style of Listing 7 with its never claim, for SPIN 6.5.
 *
 * The model's one process steps through the trace; the update functions keep the interval and its
 * captured values as the automaton of the 2015 paper's figure 3(c) does (an interval starts at p,
 * ends at the first q strictly after it), not on rising edges. The claim is written out, because
 * SPIN has no next operator: reaching its end is the violation. Numbers stay in C, as doubles, so
 * that the verdict is that of the library. */
#include "base/check.h"
#include "property/emit/code.h"

#include "base/data/quote.h"
#include "base/data/str.h"
#include "export_reader_text.h"
#include "export_runtime_text.h"
#include "export_table_text.h"

/* Embedded C goes through SPIN's preprocessor run: comments are left out, '#' is escaped. */
static void emit_embedded(FILE *out, const char *text)
{
    for (bool comment = false; *text; text++) {
        if (!comment && text[0] == '/' && text[1] == '*')
            comment = true;
        if (!comment)
            fputc(*text, out);
        if (comment && text[0] == '*' && text[1] == '/') {
            comment = false;
            text++;
        }
    }
}

static void emit_head(FILE *out, const tac_properties *properties, size_t index)
{
    const struct property_statement *property = &properties->properties.at[index];
    tac_str source = {0};
    tac_quote_comment(&source, property->source);
    fprintf(
        out,
        "/* A monitor of property %s of %s, written by Tactus.\n"
        " *   %s\n"
        " *\n"
        " *   spin -a FILE && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c\n"
        " *   TRACE=trace.csv ./pan -m10000000 (for short traces -w12 saves memory)\n"
        " *\n"
        " * \"errors: 0\": the property holds on the trace; \"errors: 1\": it is violated. One\n"
        " * compiled monitor serves any number of traces. Exit code 3 and \"inconclusive\": a "
        "value that\n"
        " * decides is not known. Numbers are computed in C, as\n"
        " * doubles at scale 1: SPIN itself sees only what happened to intervals. */\n\n",
        property->name, properties->file, tac_str_text(&source));
    tac_str_free(&source);
}

static void emit_evaluate(FILE *out, const struct column_program *program)
{
    char name[80];
    size_t past = emit_past_count(program) + 1;
    fprintf(out,
            "struct watch {\n    int past[%zu];\n    long long when[%zu];\n"
            "    struct tm_interval interval;\n};\n\n",
            past, past);
    fputs("static void evaluate(const struct row *row, long tm_index, struct watch *w, double *n,\n"
          "                     int *b, int *m)\n{\n    int *past = w->past;\n"
          "    const int *bare = row->bare;\n    long long *when = w->when, tm_time = row->t;\n",
          out);
    for (size_t i = 0; i < program->slots.count; i++) {
        emit_input(program, i, name);
        if (program->slots.at[i].discrete)
            fprintf(out, "    int %s = row->symbol[%zu];\n", name, i);
        else
            fprintf(out, "    double %s = row->number[%zu];\n", name, i);
    }
    emit_columns(out, program, "");
    fputs("}\n\n", out);
}

/* Tells what happened in the state that was just read, or with ended at the end of the trace. */
static void emit_interval_update(FILE *out, const struct property_plan *plan,
                                 const struct interval_plan *interval)
{
    size_t nodes = plan->program.nodes.count + 1;
    emit_close(out, interval, 0);
    fprintf(out,
            "static void update(struct watch *w, long at, unsigned char *closed, unsigned char "
            "*phi,\n                   unsigned char *open)\n{\n"
            "    double n[%zu];\n    int b[%zu], m[%zu];\n    const struct row *row = &rows[at];\n"
            "    unsigned long before = w->interval.intervals, bad = w->interval.violated;\n"
            "    evaluate(row, at, w, n, b, m);\n",
            nodes, nodes, nodes);
    emit_interval_step(out, interval, 0, "&w->interval", "row->t");
    fputs("    if (w->interval.unknowns)\n        unknown(at);\n"
          "    *closed = w->interval.intervals > before;\n"
          "    *phi = w->interval.violated == bad;\n    *open = w->interval.open != 0;\n}\n\n"
          "static void finish(struct watch *w, unsigned char *closed, unsigned char *phi,\n"
          "                   unsigned char *open)\n{\n",
          out);
    if (interval->runs)
        fputs("    unsigned long bad = w->interval.violated;\n"
              "    *closed = w->interval.open != 0;\n"
              "    if (*closed)\n        close_0(&w->interval, 1);\n"
              "    if (w->interval.unknowns)\n        unknown(row_count);\n"
              "    *phi = w->interval.violated == bad;\n    *open = 0;\n}\n\n",
              out);
    else
        fputs("    *closed = 0;\n    *phi = 1;\n    *open = w->interval.open != 0;\n}\n\n", out);
}

static void emit_interval_claim(FILE *out, const struct interval_plan *interval)
{
    assert(!quantifier_samples(interval->quantifier) && !interval->ahead);
    bool forall = interval->quantifier == QUANT_FORALL;
    bool exists = interval->quantifier == QUANT_EXISTS;
    bool open_is_false =
        forall && !interval->runs &&
        (interval->semantics == TAC_SEMANTICS_EQ3 || interval->semantics == TAC_SEMANTICS_SPIN2015);
    fprintf(out, "never { /* not %s */\n\tdo\n", forall ? "forall" : exists ? "exists" : "first");
    fprintf(out, "\t:: closed && phi%s\n", forall ? " && !ended" : " -> goto satisfied");
    fprintf(out, "\t:: closed && !phi%s\n", exists ? " && !ended" : " -> goto violated");
    fputs("\t:: !closed && !ended\n", out);
    if (forall) {
        fprintf(out, "\t:: ended && !(closed && !phi)%s -> goto satisfied\n",
                open_is_false ? " && !open" : "");
        if (open_is_false)
            fputs("\t:: ended && open -> goto violated\n", out);
    } else {
        fputs("\t:: ended && !(closed && phi) -> goto violated\n", out);
    }
    fputs("\tod;\nsatisfied:\n\tfalse;\nviolated:\n\tskip\n}\n", out);
}

static void emit_model(FILE *out, bool interval)
{
    fputs("bool started = false, ended = false;\n", out);
    fputs(interval ? "byte closed = 0, phi = 0, open = 0;\n" : "int letter = 0;\n", out);
    fputs("int current = -1;\nc_state \"struct watch watch\" \"Global\"\n\ninit {\n\tdo\n"
          "\t:: d_step { !ended -> c_code {\n"
          "\t\tif (row_count < 0)\n\t\t\tread_trace();\n"
          "\t\tnow.current++;\n"
          "\t\tif (now.current >= row_count) {\n\t\t\tnow.ended = 1;\n",
          out);
    fputs(interval ? "\t\t\tfinish(&now.watch, &now.closed, &now.phi, &now.open);\n" : "", out);
    fputs("\t\t} else {\n\t\t\tnow.started = 1;\n", out);
    fputs(interval ? "\t\t\tupdate(&now.watch, now.current, &now.closed, &now.phi, &now.open);\n"
                   : "\t\t\tnow.letter = letter_of(&now.watch, now.current);\n",
          out);
    fputs("\t\t}\n\t} }\n\t:: ended -> break\n\tod\n}\n\n", out);
}

static void emit_letter(FILE *out, const struct property_plan *plan,
                        const struct automaton *automaton)
{
    size_t nodes = plan->program.nodes.count + 1;
    fprintf(out,
            "static int letter_of(struct watch *w, long at)\n{\n"
            "    double n[%zu];\n    int b[%zu], m[%zu], letter = 0;\n"
            "    evaluate(&rows[at], at, w, n, b, m);\n",
            nodes, nodes, nodes);
    for (size_t a = 0; a < automaton->atom_count; a++)
        fprintf(out,
                "    if (b[%u] != m[%u])\n        unknown(at);\n"
                "    if (b[%u])\n        letter += %u;\n",
                automaton->atoms[a], automaton->atoms[a], automaton->atoms[a],
                automaton->weights[a]);
    fputs("    return letter;\n}\n\n", out);
}

static void emit_automaton_claim(FILE *out, const struct automaton *automaton)
{
    assert(!automaton->first && automaton->start < automaton->states);
    fprintf(out, "never { /* not the formula: its automaton with %zu states */\n\tgoto S%u;\n",
            automaton->states, automaton->start);
    for (size_t s = 0; s < automaton->states; s++) {
        bool bad = automaton->answers[s] == TAC_VIOLATED ||
                   automaton->answers[s] == TAC_PRESUMABLY_VIOLATED;
        fprintf(out, "S%zu:\n\tif\n", s);
        if (s == automaton->start)
            fprintf(out, "\t:: !started && !ended -> goto S%zu\n", s);
        for (size_t l = 0; l < automaton->letters; l++)
            fprintf(out, "\t:: started && !ended && letter == %zu -> goto S%u\n", l,
                    automaton->next[s * automaton->letters + l]);
        fprintf(out, "\t:: ended -> goto %s\n\tfi;\n", bad ? "violated" : "satisfied");
    }
    fputs("satisfied:\n\tfalse;\nviolated:\n\tskip\n}\n", out);
}

static void emit_declarations(FILE *out, const struct property_plan *plan,
                              const struct property_part *part)
{
    size_t measures = part->interval.measures.count;
    fputs("c_decl {\n\\#include <stdio.h>\n\\#include <stdlib.h>\n\\#include <string.h>\n", out);
    fprintf(out, "\\#define TM_MOST_MEASURES %zu\n\\#define TM_INPUTS %zu\n\\#define TM_BARE %u\n",
            measures ? measures : 1, plan->program.slots.count, emit_bare_count(&plan->program));
    emit_inputs(out, &plan->program);
    emit_embedded(out, export_runtime_text);
    emit_symbols(out, &plan->program);
    emit_embedded(out, export_table_text);
    emit_embedded(out, export_reader_text);
    emit_evaluate(out, &plan->program);
    if (part->temporal) {
        emit_letter(out, plan, &part->automaton);
    } else {
        emit_judge(out, &part->interval, 0);
        emit_interval_update(out, plan, &part->interval);
    }
    fputs("}\n\n", out);
}

tac_status tac_property_emit_promela(const tac_properties *properties, size_t index,
                                     tac_semantics semantics, FILE *out, tac_error *err)
{
    struct property_plan plan;
    tac_diagnostics found = {0};
    property_plan_export(properties, semantics, &found, &plan);
    tac_status status = found.errors ? tac_diagnostics_fail(&found, err) : TAC_OK;
    tac_diagnostics_free(&found);
    const struct property_statement *property = &properties->properties.at[index];
    const struct combine *root = &plan.combines.at[plan.roots[index]];
    const struct property_part *part = root->op == COMBINE_PART ? &plan.parts.at[root->a] : NULL;
    if (status == TAC_OK && !part)
        status = tac_fail_at(err, TAC_E_INPUT, properties->file, property->line, property->column,
                             "a combined property has no claim of its own; export its parts");
    if (status == TAC_OK)
        status = emit_check(properties, &plan, root->a, err);
    if (status == TAC_OK && part->temporal && part->automaton.first)
        status = tac_fail_at(err, TAC_E_INPUT, properties->file, property->line, property->column,
                             "a bound in time (or above 64 steps) has no never claim: SPIN has no "
                             "clocks; the C export has");
    if (status == TAC_OK) {
        emit_head(out, properties, index);
        emit_declarations(out, &plan, part);
        emit_model(out, !part->temporal);
        if (part->temporal)
            emit_automaton_claim(out, &part->automaton);
        else
            emit_interval_claim(out, &part->interval);
    }
    property_plan_free(&plan);
    return status;
}
