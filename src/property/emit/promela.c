/* --emit promela: a monitor in the style of Listing 7 with its never claim, for SPIN 6.5.
 *
 * The model's one process steps through the trace; the update functions keep the interval and its
 * captured values as the automaton of the 2015 paper's figure 3(c) does (an interval starts at p,
 * ends at the first q strictly after it), not on rising edges. The claim is written out, because
 * SPIN has no next operator: reaching its end is the violation. Numbers are kept as integers, the
 * value times SCALE. */
#include "property/emit/code.h"

#include "export_reader_text.h"
#include "export_runtime_text.h"
#include <string.h>

enum { SCALE = 1000 };

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
    fprintf(
        out,
        "/* A monitor of property %s of %s, written by tactus check --emit promela.\n"
        " *   %s\n"
        " *\n"
        " *   spin -a FILE && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c\n"
        " *   TRACE=trace.csv ./pan -m10000000 (for short traces -w12 saves memory)\n"
        " *\n"
        " * \"errors: 0\": the property holds on the trace; \"errors: 1\": it is violated. One\n"
        " * compiled monitor serves any number of traces. Numbers are integers here, the value\n"
        " * times SCALE = %d: digits beyond are rounded. */\n\n",
        property->name, properties->file, property->source, SCALE);
}

static void emit_inputs(FILE *out, const struct column_program *program)
{
    fprintf(out,
            "\\#define SCALE %d\n\\#define NO_VALUE (-9223372036854775807LL)\n"
            "\\#define TM_INPUTS %zu\n",
            SCALE, program->slots.count);
    fputs("static const char *const input_names[] = {", out);
    for (size_t i = 0; i < program->slots.count; i++) {
        emit_string(out, program->slots.at[i].name);
        fputs(", ", out);
    }
    fputs("\"\"};\nstatic const char input_is_event[] = {", out);
    for (size_t i = 0; i < program->slots.count; i++)
        fprintf(out, "%d, ", program->slots.at[i].is_event);
    fputs("0}, input_is_discrete[] = {", out);
    for (size_t i = 0; i < program->slots.count; i++)
        fprintf(out, "%d, ", program->slots.at[i].discrete);
    fputs("0};\n\n", out);
}

static void emit_evaluate(FILE *out, const struct column_program *program)
{
    char name[80];
    fprintf(out, "struct watch {\n    int past[%zu];\n    struct tm_interval interval;\n};\n\n",
            emit_past_count(program) + 1);
    fputs("static void evaluate(const struct row *row, int *past, double *n, int *b)\n{\n", out);
    for (size_t i = 0; i < program->slots.count; i++) {
        emit_input(program, i, name);
        if (program->slots.at[i].discrete)
            fprintf(out, "    long long %s = row->value[%zu];\n", name, i);
        else
            fprintf(out, "    double %s = number(row->value[%zu]);\n", name, i);
    }
    emit_columns(out, program, "");
    fputs("}\n\n", out);
}

/* Sets p, q and phi of the state that was just read. */
static void emit_interval_update(FILE *out, const struct plan *plan,
                                 const struct interval_plan *interval)
{
    size_t nodes = plan->program.nodes.count + 1, measures = interval->measures.count;
    bool runs = interval->q == COLUMN_NONE;
    fprintf(out,
            "static void update(struct watch *w, long at, unsigned char *p, unsigned char *q,\n"
            "                   unsigned char *phi)\n{\n"
            "    double n[%zu];\n    int b[%zu];\n    const struct row *row = &rows[at];\n"
            "    evaluate(row, w->past, n, b);\n    *p = b[%u] != 0;\n",
            nodes, nodes, interval->p);
    if (runs)
        fputs("    *q = !*p;\n", out);
    else
        fprintf(out, "    *q = b[%u] != 0;\n", interval->q);
    fprintf(out,
            "    if (w->interval.open%s)\n"
            "        tm_extend(&w->interval, measures_0, %zu, n, b, row->t);\n"
            "    *phi = w->interval.open && judge_0(&w->interval) != 0;\n"
            "    if (w->interval.open && *q)\n        w->interval.open = 0;\n"
            "    else if (!w->interval.open && *p)\n"
            "        tm_begin(&w->interval, measures_0, %zu, n, b, row->t);\n%s}\n\n",
            runs ? " && *p" : "", measures, measures,
            runs ? "    if (w->interval.open)\n        *phi = judge_0(&w->interval) != 0;\n" : "");
}

static void emit_interval_claim(FILE *out, const struct interval_plan *interval)
{
    bool runs = interval->q == COLUMN_NONE;
    const char *closes = runs ? "(ended || q)" : "!ended && q";
    const char *stays = runs ? "!ended && !q" : "!ended && !q";
    bool forall = interval->quantifier == QUANT_FORALL;
    bool exists = interval->quantifier == QUANT_EXISTS;
    fprintf(out, "never { /* not %s */\n", forall ? "forall" : exists ? "exists" : "first");
    fputs("outside:\n\tdo\n\t:: started && !ended && p -> goto inside\n"
          "\t:: !ended && !(started && p)\n",
          out);
    if (!forall)
        fputs("\t:: ended -> goto violated\n", out);
    fputs("\tod;\ninside:\n\tdo\n", out);
    fprintf(out, "\t:: %s && phi -> goto %s\n", closes, forall ? "outside" : "satisfied");
    fprintf(out, "\t:: %s && !phi -> goto %s\n", closes, exists ? "outside" : "violated");
    fprintf(out, "\t:: %s\n", stays);
    if (!forall && !runs)
        fputs("\t:: ended -> goto violated\n", out);
    fputs("\tod;\n", out);
    if (!forall)
        fputs("satisfied:\n\tfalse;\n", out);
    fputs("violated:\n\tskip\n}\n", out);
}

static void emit_model(FILE *out, bool interval)
{
    fputs("bool started = false, ended = false;\n", out);
    fputs(interval ? "byte p = 0, q = 0, phi = 0;\n" : "int letter = 0;\n", out);
    fputs("int current = -1;\nc_state \"struct watch watch\" \"Global\"\n\ninit {\n\tdo\n"
          "\t:: d_step { !ended -> c_code {\n"
          "\t\tif (row_count < 0)\n\t\t\tread_trace();\n"
          "\t\tnow.current++;\n"
          "\t\tif (now.current >= row_count)\n\t\t\tnow.ended = 1;\n"
          "\t\telse {\n\t\t\tnow.started = 1;\n",
          out);
    fputs(interval ? "\t\t\tupdate(&now.watch, now.current, &now.p, &now.q, &now.phi);\n"
                   : "\t\t\tnow.letter = letter_of(&now.watch, now.current);\n",
          out);
    fputs("\t\t}\n\t} }\n\t:: ended -> break\n\tod\n}\n\n", out);
}

static void emit_letter(FILE *out, const struct plan *plan, const struct automaton *automaton)
{
    size_t nodes = plan->program.nodes.count + 1;
    fprintf(out,
            "static int letter_of(struct watch *w, long at)\n{\n"
            "    double n[%zu];\n    int b[%zu], letter = 0;\n"
            "    evaluate(&rows[at], w->past, n, b);\n",
            nodes, nodes);
    for (size_t a = 0; a < automaton->atom_count; a++)
        fprintf(out, "    if (b[%u])\n        letter += %u;\n", automaton->atoms[a],
                automaton->weights[a]);
    fputs("    return letter;\n}\n\n", out);
}

static void emit_automaton_claim(FILE *out, const struct automaton *automaton)
{
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

static void emit_declarations(FILE *out, const struct plan *plan, const struct part *part)
{
    size_t measures = part->interval.measures.count;
    fputs("c_decl {\n\\#include <stdio.h>\n\\#include <stdlib.h>\n\\#include <string.h>\n", out);
    fprintf(out, "\\#define TM_MOST_MEASURES %zu\n", measures ? measures : 1);
    emit_inputs(out, &plan->program);
    emit_embedded(out, export_runtime_text);
    emit_symbols(out, &plan->program);
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

tac_status tac_property_emit_promela(const tac_properties *properties, size_t index, FILE *out,
                                     tac_error *err)
{
    struct plan plan;
    tac_diagnostics unused = {0};
    property_plan_compile(properties, NULL, TAC_SEMANTICS_DEF, "the trace", &unused, &plan);
    tac_diagnostics_free(&unused);
    const struct property_statement *property = &properties->properties.at[index];
    const struct combine *root = &plan.combines.at[plan.roots[index]];
    tac_status status = emit_check(properties, &plan, err);
    if (status == TAC_OK && root->op != COMBINE_PART)
        status = tac_fail_at(err, TAC_E_INPUT, properties->file, property->line, property->column,
                             "a combined property has no claim of its own; export its parts");
    const struct part *part = root->op == COMBINE_PART ? &plan.parts.at[root->a] : NULL;
    if (status == TAC_OK && part->temporal && part->automaton.first)
        status =
            tac_fail_at(err, TAC_E_INPUT, properties->file, property->line, property->column,
                        "bounds in time (and above 64 steps) have no never claim; use --emit c");
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
