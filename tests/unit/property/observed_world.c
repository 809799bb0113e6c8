/* See observed_world.h. */
#include "observed_world.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "trace/trace.h"
#include <math.h>
#include <string.h>

static const char *const words[] = {"", "a", "b", "ab", " a ", "b\"\\", "\xc3\xa9"};
enum { WORDS = sizeof words / sizeof *words };

const char observed_declarations[] = "observe n = number(\"//n\")\nobserve m = count(\"//m\")\n"
                                     "observe s = text(\"//s\")\nobserve v = value(\"//v\")\n"
                                     "observe l = texts(\"//l\")\nobserve k = texts(css:\"k\")\n"
                                     "observe b = visible(//b)\n";

static struct node *make(int op, struct node *a, struct node *b)
{
    struct node *node = tac_calloc(1, sizeof *node);
    *node = (struct node){.op = op, .a = a, .b = b};
    return node;
}

void observed_drop(struct node *node)
{
    if (!node)
        return;
    observed_drop(node->a);
    observed_drop(node->b);
    free(node);
}

static int below(tac_random *random, int n)
{
    return (int)tac_random_below(random, (uint64_t)n);
}

static struct node *number_of(tac_random *random, int depth);
static struct node *list_of(tac_random *random, int depth)
{
    struct node *node = make(L_L + below(random, depth ? 4 : 3), NULL, NULL);
    node->number = below(random, MOST);
    node->word = below(random, WORDS);
    if (node->op == L_PREV)
        node->a = list_of(random, depth - 1);
    return node;
}
static struct node *text_of(tac_random *random, int depth)
{
    struct node *node = make(S_S + below(random, depth ? 6 : 3), NULL, NULL);
    node->word = below(random, WORDS);
    if (node->op == S_PREV || node->op == S_TRIM)
        node->a = text_of(random, depth - 1);
    if (node->op == S_ITEM) {
        node->a = list_of(random, depth - 1);
        node->b = number_of(random, 0);
    }
    return node;
}
static struct node *number_of(tac_random *random, int depth)
{
    struct node *node = make(N_N + below(random, depth ? 7 : 3), NULL, NULL);
    node->number = below(random, 5) - 2;
    if (node->op == N_SIZE_L)
        node->a = list_of(random, depth - 1);
    if (node->op == N_SIZE_S)
        node->a = text_of(random, depth - 1);
    if (node->op == N_PREV || node->op == N_PLUS)
        node->a = number_of(random, depth - 1);
    if (node->op == N_PLUS)
        node->b = number_of(random, depth - 1);
    return node;
}
struct node *observed_condition(tac_random *random, int depth)
{
    int op = depth ? C_LESS + below(random, C_FALL - C_LESS + 1) : C_LESS + below(random, 13);
    if (op <= C_EQ_N)
        return make(op, number_of(random, 2), number_of(random, 2));
    if (op == C_EQ_S || op == C_NE_S || op == C_CONTAINS_S || op == C_PREFIX_S) {
        struct node *left = text_of(random, 2);
        left->op = left->op == S_WORD ? S_S : left->op; /* two literals are not compared */
        return make(op, left, text_of(random, 2));
    }
    if (op == C_EQ_L || op == C_NE_L || op == C_PREFIX)
        return make(op, list_of(random, 1), list_of(random, 1));
    if (op == C_CONTAINS)
        return make(op, list_of(random, 1), text_of(random, 1));
    if (op <= C_EVENT)
        return make(op, NULL, NULL);
    bool two = op == C_AND || op == C_OR || op == C_IMPLIES || op == C_SINCE;
    struct node *a = observed_condition(random, depth - 1);
    return make(op, a, two ? observed_condition(random, depth - 1) : NULL);
}

static void quote(tac_str *out, const char *word)
{
    tac_str_add_char(out, '"');
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            tac_str_add_char(out, '\\');
        tac_str_add_char(out, *word);
    }
    tac_str_add_char(out, '"');
}

void observed_show(tac_str *out, const struct node *node)
{
    static const char *const calls[] = {[N_SIZE_L] = "size",
                                        [N_SIZE_S] = "size",
                                        [N_PREV] = "previous",
                                        [S_PREV] = "previous",
                                        [S_ITEM] = "item",
                                        [S_TRIM] = "trim",
                                        [L_PREV] = "previous",
                                        [C_CONTAINS] = "contains",
                                        [C_PREFIX] = "prefix",
                                        [C_CONTAINS_S] = "contains",
                                        [C_PREFIX_S] = "prefix",
                                        [C_NOT] = "not ",
                                        [C_PREVIOUSLY] = "previously ",
                                        [C_ONCE] = "once ",
                                        [C_HISTORICALLY] = "historically ",
                                        [C_RISE] = "rise",
                                        [C_FALL] = "fall"};
    static const char *const signs[] = {
        [N_PLUS] = "+",  [C_LESS] = "<",     [C_EQ_N] = "==",     [C_EQ_S] = "==",
        [C_NE_S] = "!=", [C_EQ_L] = "==",    [C_NE_L] = "!=",     [C_AND] = "and",
        [C_OR] = "or",   [C_IMPLIES] = "->", [C_SINCE] = "since", [C_FALL] = NULL};
    static const char *const names[] = {
        [N_N] = "n",     [N_M] = "m", [S_S] = "s",    [S_V] = "v",
        [L_L] = "l",     [L_K] = "k", [C_BOOL] = "b", [C_BOOL_PREV] = "previous(b)",
        [C_EVENT] = "go"};
    int op = node->op;
    if (op == N_CONST)
        tac_str_addf(out, "%d", node->number);
    else if (op == S_WORD)
        quote(out, words[node->word]);
    else if (op == L_LITERAL) {
        for (int i = 0; i < node->number; i++) {
            tac_str_add(out, i ? ", " : "[");
            quote(out, words[(node->word + i) % WORDS]);
        }
        tac_str_add(out, node->number ? "]" : "[]");
    } else if (op <= C_EVENT && names[op]) {
        tac_str_add(out, names[op]);
    } else if (calls[op]) {
        tac_str_addf(out, "%s(", calls[op]);
        observed_show(out, node->a);
        if (node->b) {
            tac_str_add(out, ", ");
            observed_show(out, node->b);
        }
        tac_str_add_char(out, ')');
    } else {
        tac_str_add_char(out, '(');
        observed_show(out, node->a);
        tac_str_addf(out, " %s ", signs[op]);
        observed_show(out, node->b);
        tac_str_add_char(out, ')');
    }
}

/* --- The definition --- */

struct text {
    bool missing;
    char text[16];
};
struct list {
    bool missing;
    int size, item[MOST];
};

static struct list list_at(const struct world *world, const struct node *node, long i)
{
    struct list out = {.missing = true};
    if (i < 0)
        return out;
    if (node->op == L_PREV)
        return list_at(world, node->a, i - 1);
    out.missing = false;
    if (node->op == L_LITERAL) {
        out.size = node->number;
        for (int k = 0; k < out.size; k++)
            out.item[k] = (node->word + k) % WORDS;
        return out;
    }
    const struct value *value = node->op == L_L ? &world->l[i] : &world->k[i];
    out.missing = value->missing;
    out.size = value->size;
    memcpy(out.item, value->list, sizeof out.item);
    return out;
}

static double number_at(const struct world *world, const struct node *node, long i);

static struct text text_at(const struct world *world, const struct node *node, long i)
{
    struct text out = {.missing = true};
    if (i < 0)
        return out;
    if (node->op == S_PREV)
        return text_at(world, node->a, i - 1);
    if (node->op == S_WORD) {
        out.missing = false;
        strcpy(out.text, words[node->word]);
    } else if (node->op == S_ITEM) {
        struct list list = list_at(world, node->a, i);
        double place = number_at(world, node->b, i);
        if (!list.missing && !isnan(place) && place == floor(place)) {
            int at = (int)place + (place < 0 ? list.size : 0);
            if (at >= 0 && at < list.size) {
                out.missing = false;
                strcpy(out.text, words[list.item[at]]);
            }
        }
    } else if (node->op == S_TRIM) {
        struct text inner = text_at(world, node->a, i);
        out.missing = inner.missing;
        char *start = inner.text + strspn(inner.text, " ");
        while (*start && start[strlen(start) - 1] == ' ')
            start[strlen(start) - 1] = '\0';
        strcpy(out.text, start);
    } else {
        const struct value *value = node->op == S_S ? &world->s[i] : &world->v[i];
        out.missing = value->missing;
        strcpy(out.text, words[value->text]);
    }
    return out;
}

static double number_at(const struct world *world, const struct node *node, long i)
{
    if (i < 0)
        return NAN;
    if (node->op == N_CONST)
        return node->number;
    if (node->op == N_N || node->op == N_M) {
        const struct value *value = node->op == N_N ? &world->n[i] : &world->m[i];
        return value->missing ? (double)NAN : value->number;
    }
    if (node->op == N_PREV)
        return number_at(world, node->a, i - 1);
    if (node->op == N_PLUS)
        return number_at(world, node->a, i) + number_at(world, node->b, i);
    if (node->op == N_SIZE_L) {
        struct list list = list_at(world, node->a, i);
        return list.missing ? (double)NAN : list.size;
    }
    struct text text = text_at(world, node->a, i);
    double size = 0;
    for (const char *c = text.text; *c; c++)
        size += ((unsigned char)*c & 0xc0) != 0x80;
    return text.missing ? (double)NAN : size;
}

static bool same_list(const struct list *a, const struct list *b, int size)
{
    return !memcmp(a->item, b->item, (size_t)size * sizeof *a->item);
}

static int leaf_at(const struct world *world, const struct node *node, long i)
{
    if (node->op == C_EVENT)
        return world->event[i] ? TRUE_ : FALSE_;
    if (node->op == C_BOOL || node->op == C_BOOL_PREV) {
        long at = node->op == C_BOOL ? i : i - 1;
        if (at < 0 || world->b[at].missing)
            return UNKNOWN;
        return world->b[at].text ? TRUE_ : FALSE_;
    }
    if (node->op <= C_EQ_N) {
        double a = number_at(world, node->a, i), b = number_at(world, node->b, i);
        if (isnan(a) || isnan(b))
            return UNKNOWN;
        return (node->op == C_LESS ? a < b : !(a < b) && !(a > b)) ? TRUE_ : FALSE_;
    }
    if (node->op == C_EQ_L || node->op == C_NE_L || node->op == C_PREFIX) {
        struct list a = list_at(world, node->a, i), b = list_at(world, node->b, i);
        if (a.missing || b.missing)
            return UNKNOWN;
        bool prefix = a.size <= b.size && same_list(&a, &b, a.size);
        bool equal = a.size == b.size && prefix;
        bool holds = node->op == C_PREFIX ? prefix : equal == (node->op == C_EQ_L);
        return holds ? TRUE_ : FALSE_;
    }
    struct text b = text_at(world, node->b, i);
    if (node->op == C_CONTAINS) {
        struct list a = list_at(world, node->a, i);
        bool found = false;
        for (int k = 0; k < a.size; k++)
            found = found || !strcmp(words[a.item[k]], b.text);
        return a.missing || b.missing ? UNKNOWN : found ? TRUE_ : FALSE_;
    }
    struct text a = text_at(world, node->a, i);
    if (a.missing || b.missing)
        return UNKNOWN;
    bool holds = node->op == C_EQ_S         ? !strcmp(a.text, b.text)
                 : node->op == C_NE_S       ? strcmp(a.text, b.text) != 0
                 : node->op == C_CONTAINS_S ? strstr(a.text, b.text) != NULL
                                            : !strncmp(a.text, b.text, strlen(a.text));
    return holds ? TRUE_ : FALSE_;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}
static int most(int a, int b)
{
    return a > b ? a : b;
}
static int opposite(int a)
{
    return FALSE_ + TRUE_ - a;
}

int observed_truth(const struct world *world, const struct node *node, long i)
{
    if (i < 0)
        return node->op == C_HISTORICALLY ? TRUE_ : FALSE_;
    if (node->op <= C_EVENT)
        return leaf_at(world, node, i);
    int a = observed_truth(world, node->a, i);
    int b = node->b ? observed_truth(world, node->b, i) : a;
    int was = i ? observed_truth(world, node->a, i - 1) : FALSE_;
    switch (node->op) {
    case C_NOT:
        return opposite(a);
    case C_AND:
        return least(a, b);
    case C_OR:
        return most(a, b);
    case C_IMPLIES:
        return most(opposite(a), b);
    case C_PREVIOUSLY:
        return was;
    case C_ONCE:
        return most(a, observed_truth(world, node, i - 1));
    case C_HISTORICALLY:
        return least(a, observed_truth(world, node, i - 1));
    case C_SINCE:
        return most(b, least(a, observed_truth(world, node, i - 1)));
    case C_RISE:
        return least(a, opposite(was));
    default:
        return least(opposite(a), was);
    }
}

/* --- The same trace for the monitor --- */

static void random_values(tac_random *random, struct value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i && below(random, 2)) {
            values[i] = values[i - 1];
            continue;
        }
        values[i] = (struct value){.missing = below(random, 5) == 0,
                                   .number = (below(random, 9) - 4) / 2.0,
                                   .text = below(random, WORDS),
                                   .size = below(random, MOST)};
        for (int k = 0; k < values[i].size; k++)
            values[i].list[k] = below(random, WORDS);
    }
}

struct world *observed_random(tac_random *random)
{
    struct world *world = tac_calloc(1, sizeof *world);
    world->count = 1 + (size_t)below(random, STATES);
    struct value *const all[] = {world->n, world->m, world->s, world->v,
                                 world->l, world->k, world->b};
    for (size_t i = 0; i < 7; i++)
        random_values(random, all[i], world->count);
    for (size_t i = 0; i < world->count; i++) {
        world->b[i].text %= 2;
        world->event[i] = below(random, 2);
    }
    return world;
}

static uint32_t symbol_of(tac_names *names, const struct value *value, int kind)
{
    if (value->missing)
        return TAC_TRACE_NO_SYMBOL;
    if (kind == 0)
        return tac_names_intern(names, words[value->text]);
    if (kind == 2)
        return tac_names_intern(names, value->text ? "true" : "false");
    const char *texts[MOST];
    for (int i = 0; i < value->size; i++)
        texts[i] = words[value->list[i]];
    char *list = tac_trace_list(texts, (size_t)value->size);
    uint32_t id = tac_names_intern(names, list);
    free(list);
    return id;
}

void observed_feed(tac_monitor *monitor, const struct world *world, tac_names *names,
                   tac_random *random)
{
    static const tac_trace_variable variables[] = {
        {.name = "event", .unit = ""},
        {.name = "n", .unit = "", .kind = TAC_CONTINUOUS},
        {.name = "m", .unit = "", .kind = TAC_CONTINUOUS},
        {.name = "s", .unit = "", .type = TAC_VALUE_TEXT},
        {.name = "v", .unit = "", .type = TAC_VALUE_TEXT},
        {.name = "l", .unit = "", .type = TAC_VALUE_LIST},
        {.name = "k", .unit = "", .type = TAC_VALUE_LIST},
        {.name = "b", .unit = "", .type = TAC_VALUE_BOOLEAN}};
    double numbers[2][STATES];
    uint32_t symbols[6][STATES];
    int64_t time[STATES];
    const struct value *const discrete[] = {world->s, world->v, world->l, world->k, world->b};
    static const int kinds[] = {0, 0, 1, 1, 2};
    for (size_t i = 0; i < world->count; i++) {
        time[i] = (int64_t)i;
        numbers[0][i] = world->n[i].missing ? (double)NAN : world->n[i].number;
        numbers[1][i] = world->m[i].missing ? (double)NAN : world->m[i].number;
        symbols[0][i] = world->event[i] ? tac_names_intern(names, "go") : TAC_TRACE_NO_SYMBOL;
        for (size_t k = 0; k < 5; k++)
            symbols[k + 1][i] = symbol_of(names, &discrete[k][i], kinds[k]);
    }
    tac_error err = {0};
    for (size_t from = 0; from < world->count;) {
        size_t count = 1 + (size_t)below(random, (int)(world->count - from));
        const double *const n[] = {
            NULL, numbers[0] + from, numbers[1] + from, NULL, NULL, NULL, NULL, NULL};
        const uint32_t *const s[] = {symbols[0] + from,
                                     NULL,
                                     NULL,
                                     symbols[1] + from,
                                     symbols[2] + from,
                                     symbols[3] + from,
                                     symbols[4] + from,
                                     symbols[5] + from};
        tac_trace_block block = {count, from, time + from, n, s};
        tac_monitor_schema schema = {variables, 8, names->text, names->count};
        tac_status status = tac_monitor_feed(monitor, &schema, &block, &err);
        assert(status == TAC_OK);
        from += count;
    }
}
