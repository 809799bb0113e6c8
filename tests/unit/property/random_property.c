/* Random traces and properties: see random_property.h. */
#include "random_property.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Random traces ---------------------------------------------------------------------------- */

static const char *const events[] = {"A", "B", "C"};

void random_trace(tac_random *random, struct ref_trace *t, size_t most)
{
    static const int64_t gaps[] = {0, 250000000, 500000000, 500000000, 1000000000, 2000000000};
    int64_t time = tac_random_below(random, 4) ? 0 : 1610043590123456789;
    unsigned quiet = 1 + (unsigned)tac_random_below(random, 5);
    t->count = 1 + tac_random_below(random, most);
    t->shown = REF_NONE;
    int key = (int)tac_random_below(random, 3);
    for (size_t i = 0; i < t->count; i++) {
        t->time[i] = time;
        time += gaps[tac_random_below(random, 6)];
        t->p[i] = tac_random_below(random, quiet + 1) == 0;
        t->q[i] = tac_random_below(random, quiet + 1) == 0;
        t->r[i] = tac_random_below(random, 2);
        t->tenths[i] = (int)tac_random_below(random, 40) - 10;
        t->event[i] = tac_random_below(random, 2) ? REF_NONE : (int)tac_random_below(random, 3);
        if (tac_random_below(random, 2))
            key = (int)tac_random_below(random, 3);
        t->key[i] = key;
    }
}

/* --- Random formulas: the text and the tree together ------------------------------------------ */

int add_node(struct ref_formula *f, struct ref_node node)
{
    if (f->count == REF_NODES)
        abort();
    f->node[f->count] = node;
    return f->count++;
}

static void random_bound(tac_random *random, struct ref_node *node, tac_str *text)
{
    static const int64_t half = 500000000;
    if (tac_random_below(random, 4) == 0)
        return;
    node->bounded = true;
    node->steps = tac_random_below(random, 3) == 0;
    int low = (int)tac_random_below(random, 4), high = low + 1 + (int)tac_random_below(random, 5);
    if (tac_random_below(random, 3) == 0)
        low = 0;
    node->low = node->steps ? low : low * half;
    node->high = node->steps ? high : high * half;
    const char *unit = node->steps ? "" : " ms";
    int scale = node->steps ? 1 : 500;
    unsigned shape = (unsigned)tac_random_below(random, 8);
    if (shape == 0) {
        node->endless = true;
        node->low_strict = tac_random_below(random, 2);
        tac_str_addf(text, "[%s %d%s]", node->low_strict ? ">" : ">=", low * scale, unit);
    } else if (shape < 3) {
        node->low = 0;
        node->high_strict = tac_random_below(random, 3) == 0;
        tac_str_addf(text, "[%s %d%s]", node->high_strict ? "<" : "<=", high * scale, unit);
    } else {
        node->low_strict = tac_random_below(random, 4) == 0;
        node->high_strict = tac_random_below(random, 4) == 0;
        tac_str_addf(text, "%c%d%s, %d%s%c", node->low_strict ? '(' : '[', low * scale, unit,
                     high * scale, unit, node->high_strict ? ')' : ']');
    }
}

static int random_atom(tac_random *random, struct ref_formula *f, tac_str *text)
{
    struct ref_node node = {.op = (enum ref_op)tac_random_below(random, 5)};
    static const char *const names[] = {"p", "q", "r"};
    if (node.op <= REF_R) {
        tac_str_add(text, names[node.op]);
    } else if (node.op == REF_EVENT) {
        node.value = (int)tac_random_below(random, 3);
        tac_str_add(text, events[node.value]);
    } else {
        node.value = (int)tac_random_below(random, 30) - 5;
        tac_str_addf(text, "x < %s%d.%d", node.value < 0 ? "-" : "", abs(node.value) / 10,
                     abs(node.value) % 10);
    }
    return add_node(f, node);
}

static int random_unary(tac_random *random, struct ref_formula *f, tac_str *text, int depth,
                        bool future, enum ref_op op)
{
    static const char *const words[] = {
        [REF_NOT] = "not ",      [REF_PREVIOUSLY] = "previously ",
        [REF_ONCE] = "once",     [REF_HISTORICALLY] = "historically",
        [REF_RISE] = "rise",     [REF_FALL] = "fall",
        [REF_ALWAYS] = "always", [REF_EVENTUALLY] = "eventually",
        [REF_NEXT] = "next"};
    struct ref_node node = {.op = op};
    tac_str_add(text, words[op]);
    if (op == REF_ONCE || op == REF_HISTORICALLY || (op >= REF_ALWAYS && op <= REF_NEXT))
        random_bound(random, &node, text);
    tac_str_add(text, " (");
    node.a =
        random_formula(random, f, text, depth - 1, future && (op == REF_NOT || op >= REF_ALWAYS));
    tac_str_add(text, ")");
    return add_node(f, node);
}

int random_formula(tac_random *random, struct ref_formula *f, tac_str *text, int depth, bool future)
{
    static const enum ref_op past[] = {REF_NOT,        REF_AND,  REF_OR,    REF_IMPLIES,
                                       REF_PREVIOUSLY, REF_ONCE, REF_SINCE, REF_HISTORICALLY,
                                       REF_RISE,       REF_FALL};
    static const enum ref_op ahead[] = {REF_NOT,    REF_AND,        REF_OR,   REF_IMPLIES,
                                        REF_ALWAYS, REF_EVENTUALLY, REF_NEXT, REF_UNTIL,
                                        REF_ALWAYS, REF_EVENTUALLY, REF_UNTIL};
    if (depth <= 0 || tac_random_below(random, 5) == 0)
        return random_atom(random, f, text);
    bool look = future && tac_random_below(random, 4) > 0;
    enum ref_op op =
        look ? ahead[tac_random_below(random, 11)] : past[tac_random_below(random, 10)];
    bool inner = future && (look || op <= REF_IMPLIES);
    if (op != REF_AND && op != REF_OR && op != REF_IMPLIES && op != REF_SINCE && op != REF_UNTIL)
        return random_unary(random, f, text, depth, inner, op);
    struct ref_node node = {.op = op};
    tac_str_add(text, "(");
    node.a = random_formula(random, f, text, depth - 1, inner);
    tac_str_add(text, op == REF_AND       ? ") and ("
                      : op == REF_OR      ? ") or ("
                      : op == REF_IMPLIES ? ") -> ("
                      : op == REF_SINCE   ? ") since"
                                          : ") until");
    if (op == REF_SINCE || op == REF_UNTIL) {
        random_bound(random, &node, text);
        tac_str_add(text, " (");
    }
    node.b = random_formula(random, f, text, depth - 1, inner);
    tac_str_add(text, ")");
    return add_node(f, node);
}

/* --- Feeding ---------------------------------------------------------------------------------- */

struct columns {
    double p[REF_STATES], q[REF_STATES], r[REF_STATES], x[REF_STATES];
    uint32_t event[REF_STATES], key[REF_STATES];
};

static const tac_trace_variable variables[] = {{"p", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
                                               {"q", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
                                               {"r", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
                                               {"x", "", TAC_CONTINUOUS, false, TAC_VALUE_NAME},
                                               {"event", "", TAC_DISCRETE, false, TAC_VALUE_NAME},
                                               {"key", "", TAC_DISCRETE, false, TAC_VALUE_NAME}};
static const char *const symbols[] = {"A", "B", "C", "k0", "k1", "k2"};
static struct columns columns;

static void fill_columns(const struct ref_trace *t)
{
    for (size_t i = 0; i < t->count; i++) {
        columns.p[i] = t->p[i];
        columns.q[i] = t->q[i];
        columns.r[i] = t->r[i];
        columns.x[i] = (double)t->tenths[i] / 10;
        columns.event[i] = t->event[i] == REF_NONE ? TAC_TRACE_NO_SYMBOL : (uint32_t)t->event[i];
        columns.key[i] = (uint32_t)t->key[i] + 3;
    }
}

static void feed(tac_monitor *monitor, const struct ref_trace *t, size_t from, size_t to)
{
    tac_monitor_schema schema = {variables, 6, symbols, 6};
    const double *numbers[] = {
        columns.p + from, columns.q + from, columns.r + from, columns.x + from, NULL, NULL};
    const uint32_t *names[] = {NULL, NULL, NULL, NULL, columns.event + from, columns.key + from};
    tac_trace_block block = {to - from, from, t->time + from, numbers, names};
    tac_error err;
    if (tac_monitor_feed(monitor, &schema, &block, &err) != TAC_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

void feed_pieces(tac_monitor *monitor, const struct ref_trace *t, tac_random *random)
{
    fill_columns(t);
    for (size_t from = 0; from < t->count;) {
        size_t to = from + 1 + tac_random_below(random, t->count - from);
        feed(monitor, t, from, to);
        from = to;
    }
}

tac_monitor *monitor_of(const tac_properties *properties)
{
    tac_monitor_options options = {.allow_missing = true};
    tac_monitor *monitor;
    tac_error err;
    if (tac_monitor_new(properties, &options, &monitor, &err) != TAC_OK)
        abort();
    return monitor;
}

/* --- Intervals and what is asked of them ------------------------------------------------------ */

static const char *const figure_words[] = {"diff(x)",     "min(x)",  "max(x)",   "avg(x)",
                                           "integral(x)", "rate(x)", "first(x)", "last(x)",
                                           "count(r)",    "duration"};

const char *const comparison_signs[] = {"<", "<=", ">", ">=", "==", "!="};

struct bound random_bound_on(tac_random *random, tac_str *text)
{
    struct bound out = {(enum ref_figure)tac_random_below(random, FIGURES),
                        (int)tac_random_below(random, 6), (int)tac_random_below(random, 40) - 8};
    tac_str_addf(text, "%s %s %s%d.%d%s", figure_words[out.figure], comparison_signs[out.op],
                 out.tenths < 0 ? "-" : "", abs(out.tenths) / 10, abs(out.tenths) % 10,
                 out.figure == FIG_DURATION ? " s" : "");
    return out;
}

bool bound_holds(const struct ref_trace *t, struct ref_interval at, const struct bound *b,
                 bool *has_margin, mpq_t margin)
{
    mpq_t value, limit;
    bool infinite;
    mpq_inits(value, limit, NULL);
    mpq_set_si(limit, b->tenths, 10);
    mpq_canonicalize(limit);
    bool there = ref_figure(t, at, b->figure, value, &infinite);
    int order = infinite ? mpq_sgn(value) : mpq_cmp(value, limit);
    bool truth = b->op == 0   ? order < 0
                 : b->op == 1 ? order <= 0
                 : b->op == 2 ? order > 0
                 : b->op == 3 ? order >= 0
                 : b->op == 4 ? order == 0
                              : order != 0;
    *has_margin = there && !infinite;
    mpq_sub(margin, limit, value);
    if (b->op == 2 || b->op == 3)
        mpq_neg(margin, margin);
    if (b->op >= 4) {
        mpq_abs(margin, margin);
        if (b->op == 4)
            mpq_neg(margin, margin);
    }
    mpq_clears(value, limit, NULL);
    return there && truth;
}

void random_ends(tac_random *random, struct ref_formula *p, struct ref_formula *q, bool *has_q,
                 tac_str *text)
{
    *has_q = tac_random_below(random, 4) > 0;
    tac_str_add(text, "[");
    random_formula(random, p, text, 1, false);
    if (*has_q) {
        tac_str_add(text, ", ");
        random_formula(random, q, text, 2, tac_random_below(random, 4) == 0);
    }
    tac_str_add(text, "] ");
}
