/* Reads and evaluates formulas; see formula.h. A formula is evaluated bottom-up, from the last
 * event to the first: time nodes x events. */
#include "mining/template/formula.h"
#include "base/check.h"
#include <ctype.h>
#include <string.h>

struct formula_parser {
    const struct tac_runs *runs;
    struct formula *out;
    const char *at;
    unsigned depth;
    tac_error *err;
    tac_status status;
};

static void complain(struct formula_parser *p, const char *what)
{
    if (p->status == TAC_OK)
        p->status = tac_fail(p->err, TAC_E_USAGE, "the template '%s', column %zu: %s", p->out->text,
                             (size_t)(p->at - p->out->text) + 1, what);
}

static uint32_t add(struct formula_parser *p, struct formula_node node)
{
    if (p->out->nodes.count == MOST_NODES)
        complain(p, "more than 64 operators and names");
    if (p->status != TAC_OK)
        return 0;
    tac_vec_push(&p->out->nodes, node);
    return (uint32_t)p->out->nodes.count - 1;
}

static void skip(struct formula_parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

static bool take(struct formula_parser *p, const char *word)
{
    size_t length = strlen(word);
    skip(p);
    if (strncmp(p->at, word, length) != 0)
        return false;
    if (isalpha((unsigned char)*word) &&
        (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
        return false;
    p->at += length;
    return true;
}

static uint32_t parse_same(struct formula_parser *p);

/* A state or an input with this text; TAC_NONE: there is none. */
static uint32_t token_named(const struct tac_runs *runs, const char *name)
{
    static const char sources[] = {STATE_EVENT, INPUT_EVENT};
    uint32_t found = TAC_NONE;
    for (size_t i = 0; i < 2 && found == TAC_NONE; i++) {
        char *key = tac_format("%c%s", sources[i], name);
        found = tac_names_find(&runs->tokens, key);
        free(key);
    }
    return found;
}

static uint32_t named(struct formula_parser *p, char *name, bool quoted)
{
    uint32_t token = token_named(p->runs, name), node = 0;
    if (token != TAC_NONE) {
        node = add(p, (struct formula_node){.kind = FORMULA_TOKEN, .token = token});
    } else if (quoted) {
        complain(p, "no state or input of the runs has this name");
    } else {
        uint32_t place = tac_names_intern(&p->out->places, name);
        if (place >= MOST_PLACES)
            complain(p, "more than 3 names that are neither states nor inputs of the runs");
        node = add(p, (struct formula_node){.kind = FORMULA_PLACE, .place = place});
    }
    return node;
}

static uint32_t name(struct formula_parser *p)
{
    bool quoted = *p->at == '"';
    const char *from = p->at + quoted;
    size_t length = quoted ? strcspn(from, "\"") : strcspn(from, " \t\n()!&|<>-\"");
    if (length == 0 || (quoted && from[length] != '"')) {
        complain(p, "expected the name of a state or an input, or a placeholder");
        return 0;
    }
    char *text = tac_strndup(from, length);
    p->at = from + length + quoted;
    uint32_t node = named(p, text, quoted);
    free(text);
    return node;
}

/* G, F and X may be written together: XF a is X(F(a)). */
static size_t operators_here(const struct formula_parser *p)
{
    size_t length = strspn(p->at, "GFX");
    unsigned char after = (unsigned char)p->at[length];
    return isalnum(after) || after == '_' || after == '.' ? 0 : length;
}

static uint32_t parse_unary(struct formula_parser *p)
{
    uint32_t node = 0;
    skip(p);
    if (++p->depth > 40)
        complain(p, "parentheses nested more than 40 deep");
    size_t operators = operators_here(p);
    if (p->status != TAC_OK) {
        node = 0;
    } else if (*p->at == '!' || take(p, "not")) {
        p->at += *p->at == '!';
        node = add(p, (struct formula_node){.kind = FORMULA_NOT, .left = parse_unary(p)});
    } else if (operators) {
        const char *word = p->at;
        p->at += operators;
        node = parse_unary(p);
        for (size_t i = operators; i-- > 0;)
            node = add(p, (struct formula_node){.kind = word[i] == 'G'   ? FORMULA_ALWAYS
                                                        : word[i] == 'F' ? FORMULA_EVENTUALLY
                                                                         : FORMULA_NEXT,
                                                .left = node});
    } else if (take(p, "(")) {
        node = parse_same(p);
        if (!take(p, ")"))
            complain(p, "expected ')'");
    } else if (take(p, "true") || take(p, "false")) {
        node =
            add(p, (struct formula_node){.kind = p->at[-2] == 'u' ? FORMULA_TRUE : FORMULA_FALSE});
    } else {
        node = name(p);
    }
    p->depth--;
    return node;
}

static uint32_t pair(struct formula_parser *p, enum formula_kind kind, uint32_t left,
                     uint32_t right)
{
    return add(p, (struct formula_node){.kind = kind, .left = left, .right = right});
}

static uint32_t parse_until(struct formula_parser *p)
{
    uint32_t left = parse_unary(p);
    if (p->status == TAC_OK && take(p, "U"))
        return pair(p, FORMULA_UNTIL, left, parse_until(p));
    if (p->status == TAC_OK && take(p, "W"))
        return pair(p, FORMULA_WEAK, left, parse_until(p));
    return left;
}

static uint32_t parse_and(struct formula_parser *p)
{
    uint32_t left = parse_until(p);
    while (p->status == TAC_OK && (take(p, "&&") || take(p, "&") || take(p, "and")))
        left = pair(p, FORMULA_AND, left, parse_until(p));
    return left;
}

static uint32_t parse_or(struct formula_parser *p)
{
    uint32_t left = parse_and(p);
    while (p->status == TAC_OK && (take(p, "||") || take(p, "|") || take(p, "or")))
        left = pair(p, FORMULA_OR, left, parse_and(p));
    return left;
}

static uint32_t parse_implies(struct formula_parser *p)
{
    uint32_t left = parse_or(p);
    if (p->status == TAC_OK && take(p, "->"))
        return pair(p, FORMULA_IMPLIES, left, parse_implies(p));
    return left;
}

static uint32_t parse_same(struct formula_parser *p)
{
    uint32_t left = parse_implies(p);
    while (p->status == TAC_OK && take(p, "<->"))
        left = pair(p, FORMULA_SAME, left, parse_implies(p));
    return left;
}

tac_status formula_parse(const struct tac_runs *runs, const char *text, struct formula *out,
                         tac_error *err)
{
    memset(out, 0, sizeof *out);
    out->text = text;
    struct formula_parser p = {.runs = runs, .out = out, .at = text, .err = err};
    (void)parse_same(&p);
    skip(&p);
    if (*p.at)
        complain(&p, "expected an operator or the end");
    if (p.status != TAC_OK)
        formula_free(out);
    return p.status;
}

void formula_free(struct formula *formula)
{
    tac_vec_free(&formula->nodes);
    tac_names_free(&formula->places);
}

/* now[i] for every event, from operands that are done; now[count] is the end, where nothing holds
 * but what needs no event. */
static void evaluate(const struct formula_node *node, const uint32_t *events, size_t count,
                     const uint32_t *tokens, uint8_t *all, uint8_t *now)
{
    const uint8_t *left = all + node->left * (count + 1), *right = all + node->right * (count + 1);
    now[count] = node->kind == FORMULA_ALWAYS || node->kind == FORMULA_WEAK;
    for (size_t i = count; i-- > 0;)
        switch (node->kind) {
        case FORMULA_TRUE:
        case FORMULA_FALSE:
            now[i] = node->kind == FORMULA_TRUE;
            break;
        case FORMULA_TOKEN:
            now[i] = events[i] == node->token;
            break;
        case FORMULA_PLACE:
            now[i] = events[i] == tokens[node->place];
            break;
        case FORMULA_NOT:
            now[i] = !left[i];
            break;
        case FORMULA_AND:
            now[i] = left[i] && right[i];
            break;
        case FORMULA_OR:
            now[i] = left[i] || right[i];
            break;
        case FORMULA_IMPLIES:
            now[i] = !left[i] || right[i];
            break;
        case FORMULA_SAME:
            now[i] = left[i] == right[i];
            break;
        case FORMULA_NEXT:
            now[i] = i + 1 < count && left[i + 1];
            break;
        case FORMULA_EVENTUALLY:
            now[i] = left[i] || now[i + 1];
            break;
        case FORMULA_ALWAYS:
            now[i] = left[i] && now[i + 1];
            break;
        default:
            now[i] = right[i] || (left[i] && now[i + 1]);
            break;
        }
}

bool formula_holds(const struct formula *formula, const uint32_t *events, size_t count,
                   const uint32_t *tokens, uint8_t *scratch)
{
    size_t nodes = formula->nodes.count;
    assert(nodes > 0);
    for (size_t n = 0; n < nodes; n++) {
        assert(formula->nodes.at[n].left < nodes && formula->nodes.at[n].right < nodes);
        evaluate(&formula->nodes.at[n], events, count, tokens, scratch, scratch + n * (count + 1));
    }
    return scratch[(nodes - 1) * (count + 1)];
}

char *formula_instance(const struct formula *formula, const struct tac_runs *runs,
                       const uint32_t *tokens)
{
    tac_str out = {0};
    for (const char *at = formula->text; *at;) {
        size_t length = *at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, " \t\n()!&|<>-\"");
        if (length == 0) {
            tac_str_add_char(&out, *at++);
            continue;
        }
        char *word = tac_strndup(at, length);
        uint32_t place = tac_names_find(&formula->places, word);
        tac_str_add(&out, place == TAC_NONE ? word : tac_token_text(runs, tokens[place]));
        free(word);
        at += length;
    }
    return tac_str_take(&out);
}
