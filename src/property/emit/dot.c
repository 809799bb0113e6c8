/* --emit dot: the automaton of a property as a drawing. A temporal formula gives its minimal
 * automaton, states coloured by their verdict; an interval property the automaton of figure 3(c):
 * outside, and inside an interval. */
#include "property/emit/code.h"

#include "base/check.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include <stdint.h>

static void add_column(tac_str *out, const struct column_program *program, uint32_t node)
{
    assert(node < program->nodes.count);
    const struct column_node *at = &program->nodes.at[node];
    enum column_op op = (enum column_op)at->op;
    if (op == COLUMN_CONSTANT)
        tac_str_addf(out, "%.6g", at->value);
    else if (op == COLUMN_TRUE || op == COLUMN_FALSE)
        tac_str_add(out, column_operations[op].word);
    else if (op == COLUMN_NUMBER)
        tac_str_add(out, program->slots.at[at->a].name);
    else if (op == COLUMN_BARE)
        tac_str_add(out, program->literals.text[at->a]);
    else if (op == COLUMN_SYMBOL_IS || op == COLUMN_SYMBOL_IS_NOT)
        tac_str_addf(out, "%s%s%s", program->slots.at[at->a].name, column_operations[op].word,
                     program->literals.text[at->b]);
    else if (op == COLUMN_SYMBOLS_EQUAL || op == COLUMN_SYMBOLS_DIFFER)
        tac_str_addf(out, "%s%s%s", program->slots.at[at->a].name, column_operations[op].word,
                     program->slots.at[at->b].name);
    else if (op == COLUMN_TEXT_SLOT)
        tac_str_add(out, program->slots.at[at->a].name);
    else if (op == COLUMN_TEXT_LITERAL)
        tac_str_addf(out, "'%.60s'", program->texts.text[at->a]);
    else {
        const struct column_operation *operation = &column_operations[op];
        bool call = operation->group == COLUMN_GROUP_OBSERVED;
        if (call || !operation->binary)
            tac_str_add(out, operation->word);
        if (call || operation->binary)
            tac_str_add_char(out, '(');
        add_column(out, program, at->a);
        if (operation->binary) {
            tac_str_add(out, call ? ", " : operation->word);
            add_column(out, program, at->b);
        }
        if (call || operation->binary)
            tac_str_add_char(out, ')');
    }
}

static void put_quoted(FILE *out, const tac_str *text)
{
    tac_str quoted = {0};
    tac_quote_dot(&quoted, tac_str_text(text));
    fprintf(out, "\"%s\"", tac_str_text(&quoted));
    tac_str_free(&quoted);
}

/* The letter's conditions: what holds, and with several atoms what does not. */
static void add_letter(tac_str *out, const struct automaton *automaton,
                       const struct column_program *program, size_t letter)
{
    bool any = false;
    while (letter > 0) { /* mixed digits: the largest weight that fits is an atom that holds */
        size_t best = SIZE_MAX;
        for (size_t a = 0; a < automaton->atom_count; a++)
            if (automaton->weights[a] <= letter &&
                (best == SIZE_MAX || automaton->weights[a] > automaton->weights[best]))
                best = a;
        assert(best != SIZE_MAX);
        letter -= automaton->weights[best];
        if (any)
            tac_str_add(out, ", ");
        add_column(out, program, automaton->atoms[best]);
        any = true;
    }
    if (!any)
        tac_str_add(out, automaton->atom_count ? "none" : "any");
}

static void put_edges(FILE *out, const struct automaton *automaton,
                      const struct column_program *program, size_t state)
{
    enum { SHOWN = 6 };
    size_t clocks = automaton->first ? automaton->clock_count[state] : 0;
    size_t start = automaton->first ? automaton->first[state] : state * automaton->letters;
    size_t rows = (size_t)1 << clocks;
    for (size_t target = 0; target < automaton->states; target++) {
        tac_str label = {0};
        size_t found = 0;
        for (size_t e = 0; e < rows; e++)
            for (size_t l = 0; l < automaton->letters; l++) {
                if (automaton->next[start + e * automaton->letters + l] != target)
                    continue;
                if (++found > SHOWN)
                    continue;
                if (found > 1)
                    tac_str_add(&label, "\n");
                add_letter(&label, automaton, program, l);
                if (e)
                    tac_str_add(&label, " [time is up]");
            }
        if (found == rows * automaton->letters) {
            tac_str_clear(&label);
            tac_str_add(&label, "any");
        } else if (found > SHOWN) {
            tac_str_addf(&label, "\nand %zu more", found - SHOWN);
        }
        if (found) {
            fprintf(out, "  s%zu -> s%zu [label=", state, target);
            put_quoted(out, &label);
            fputs("];\n", out);
        }
        tac_str_free(&label);
    }
}

static void put_automaton(FILE *out, const struct automaton *automaton,
                          const struct column_program *program)
{
    static const char *const colours[] = {[TAC_HOLDS] = "palegreen",
                                          [TAC_VIOLATED] = "salmon",
                                          [TAC_INCONCLUSIVE] = "white",
                                          [TAC_PRESUMABLY_HOLDS] = "honeydew",
                                          [TAC_PRESUMABLY_VIOLATED] = "mistyrose"};
    TABLE_COVERS(colours, TAC_PRESUMABLY_VIOLATED);
    fprintf(out, "  start [shape=point];\n  start -> s%u;\n", automaton->start);
    for (size_t s = 0; s < automaton->states; s++)
        fprintf(out, "  s%zu [label=\"%s\", style=filled, fillcolor=%s%s];\n", s,
                tac_answer_name((tac_answer)automaton->answers[s]), colours[automaton->answers[s]],
                automaton->first && automaton->clock_count[s] ? ", peripheries=2" : "");
    for (size_t s = 0; s < automaton->states; s++)
        put_edges(out, automaton, program, s);
}

static void put_interval(FILE *out, const struct interval_plan *plan,
                         const struct column_program *program, const struct ast *ast)
{
    tac_arena arena = {0};
    tac_str p = {0}, q = {0}, body = {0};
    add_column(&p, program, plan->p);
    if (plan->ahead)
        tac_str_addf(&q, "%s is shown", ast_source(&arena, ast->q));
    else if (plan->q != COLUMN_NONE)
        add_column(&q, program, plan->q);
    else
        tac_str_addf(&q, "not %s", tac_str_text(&p));
    tac_str_addf(&q, "\n%s", ast->a ? ast_source(&arena, ast->a) : "");
    fputs("  start [shape=point];\n  start -> outside;\n  outside -> inside [label=", out);
    put_quoted(out, &p);
    fputs("];\n  inside -> outside [label=", out);
    put_quoted(out, &q);
    fputs("];\n", out);
    tac_str_free(&p);
    tac_str_free(&q);
    tac_str_free(&body);
    tac_arena_free(&arena);
}

tac_status tac_property_emit_dot(const tac_properties *properties, size_t index, FILE *out,
                                 tac_error *err)
{
    struct property_plan plan;
    tac_diagnostics unused = {0};
    tac_status status = TAC_OK;
    assert(index < properties->properties.count);
    property_plan_compile(properties, NULL, TAC_SEMANTICS_DEF, true, "the trace", &unused, &plan);
    tac_diagnostics_free(&unused);
    const struct property_statement *property = &properties->properties.at[index];
    const struct combine *root = &plan.combines.at[plan.roots[index]];
    const struct property_part *part = root->op == COMBINE_PART ? &plan.parts.at[root->a] : NULL;
    if (!part)
        status = tac_fail_at(err, TAC_E_INPUT, properties->file, property->line, property->column,
                             "a combined property has no automaton of its own; draw its parts");
    else if (part->queued)
        status = tac_fail_at(err, TAC_E_INPUT, properties->file, property->line, property->column,
                             "this formula is checked by queues of obligations (bounds that do not "
                             "start at 0, or operators inside each other that would take too large "
                             "an automaton) and has no automaton to draw");
    if (status == TAC_OK) {
        tac_str name = {0};
        tac_str_add(&name, property->name);
        fputs("digraph ", out);
        put_quoted(out, &name);
        fputs(" {\n  rankdir=LR;\n  node [fontname=Helvetica];\n  edge [fontname=Helvetica];\n",
              out);
        if (part->temporal)
            put_automaton(out, &part->automaton, part->program);
        else
            put_interval(out, &part->interval, part->program, part->ast);
        fputs("}\n", out);
        tac_str_free(&name);
    }
    property_plan_free(&plan);
    return status;
}
