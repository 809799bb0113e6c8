/* Reads locators; see locator.h.
 *
 *     path        {("/" | "//") element}    or    "(" path ")" "[" 3 "]"
 *     element     ("node" | "*" | "hierarchy" | class) {"[" condition "]"} ["[" 3 "]"]
 *     condition   both {"or" both}         both   one {"and" one}
 *     one         "not(" condition ")"  |  "(" condition ")"  |  @name  |  value ("=" | "!=") text
 *                 |  "contains(" @name "," text ")"  |  "starts-with(" @name "," text ")"
 *     value       {("node" | "*") "/"} @name
 *     text        a literal, or concat() of some
 *
 * Blanks may stand between any two of these; [a and b] is read as [a][b]. One pass, O(length). What
 * is read is an XPath that libxml2 reads too. */
#include "base/locator/locator.h"

enum { MOST_CONDITIONS = 4096, DEEPEST = 16, MOST_LEVELS = 8 };

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

struct reader {
    const char *at;
    tac_locator *out;
    unsigned depth; /* of brackets inside a condition */
};

static bool take(struct reader *in, const char *sign)
{
    const char *from = in->at + strspn(in->at, " \t\r\n");
    size_t length = strlen(sign);
    if (strncmp(from, sign, length) != 0)
        return false;
    in->at = from + length;
    return true;
}

static bool take_word(struct reader *in, const char *word)
{
    const char *before = in->at;
    if (take(in, word) && !strspn(in->at, LETTERS "0123456789-.:"))
        return true;
    in->at = before;
    return false;
}

static bool take_call(struct reader *in, const char *function)
{
    const char *before = in->at;
    if (take_word(in, function) && take(in, "("))
        return true;
    in->at = before;
    return false;
}

/* NULL when there is none. Of ASCII, as no class or attribute has other letters. */
static const char *take_name(struct reader *in)
{
    take(in, "");
    const char *from = in->at;
    if (strspn(from, LETTERS))
        in->at += strspn(from, LETTERS "0123456789-.");
    return in->at > from ? tac_arena_strndup(&in->out->texts, from, (size_t)(in->at - from)) : NULL;
}

/* "3]" */
static bool take_place(struct reader *in, uint32_t *place)
{
    take(in, "");
    size_t digits = strspn(in->at, "0123456789");
    *place = digits < 10 ? (uint32_t)strtoul(in->at, NULL, 10) : 0;
    in->at += digits;
    return *place && take(in, "]");
}

static bool add_literal(struct reader *in, tac_str *out)
{
    take(in, "");
    char quote = *in->at;
    if (quote != '\'' && quote != '"')
        return false;
    for (in->at++; *in->at && *in->at != quote; in->at++) {
        if ((unsigned char)*in->at < ' ' && !strchr("\t\r\n", *in->at))
            return false;
        tac_str_add_char(out, *in->at);
    }
    bool closed = *in->at == quote;
    in->at += closed;
    return closed;
}

static bool read_text(struct reader *in, const char **text)
{
    tac_str value = {0};
    bool several = take_call(in, "concat"), read = add_literal(in, &value);
    if (read && several) {
        read = take(in, ",");
        do
            read = read && add_literal(in, &value);
        while (read && take(in, ","));
        read = read && take(in, ")");
    }
    *text = tac_arena_strdup(&in->out->texts, tac_str_text(&value));
    tac_str_free(&value);
    return read;
}

static bool read_attribute(struct reader *in, tac_condition *out)
{
    const char *name = take(in, "@") ? take_name(in) : NULL;
    out->part = TAC_PART_ID;
    while (name && out->part != TAC_PART_OTHER && strcmp(name, tac_part_name(out->part)) != 0)
        out->part++;
    out->name = out->part == TAC_PART_OTHER ? name : NULL;
    return name != NULL;
}

static bool add(struct reader *in, tac_condition condition, uint32_t *number)
{
    *number = (uint32_t)in->out->conditions.count;
    tac_vec_push(&in->out->conditions, condition);
    return *number < MOST_CONDITIONS;
}

static bool read_value(struct reader *in, uint32_t *number)
{
    tac_condition c = {.kind = TAC_CONDITION_PRESENT};
    for (; take_word(in, "node") || take(in, "*"); c.levels++)
        if (!take(in, "/") || c.levels == MOST_LEVELS)
            return false;
    if (!read_attribute(in, &c))
        return false;
    if (take(in, "="))
        c.kind = TAC_CONDITION_EQUALS;
    else if (take(in, "!="))
        c.kind = TAC_CONDITION_DIFFERS;
    else
        return !c.levels && add(in, c, number);
    return read_text(in, &c.value) && add(in, c, number);
}

static bool read_search(struct reader *in, tac_condition_kind kind, uint32_t *number)
{
    tac_condition c = {.kind = kind};
    return read_attribute(in, &c) && take(in, ",") && read_text(in, &c.value) && take(in, ")") &&
           add(in, c, number);
}

static bool read_joined(struct reader *in, tac_condition_kind kind, uint32_t *number);

static bool read_inside(struct reader *in, uint32_t *number)
{
    bool read = in->depth++ < DEEPEST && read_joined(in, TAC_CONDITION_OR, number) && take(in, ")");
    in->depth--;
    return read;
}

static bool read_one(struct reader *in, uint32_t *number)
{
    tac_condition negation = {.kind = TAC_CONDITION_NOT};
    if (take_call(in, "not"))
        return read_inside(in, &negation.left) && add(in, negation, number);
    if (take_call(in, "contains"))
        return read_search(in, TAC_CONDITION_CONTAINS, number);
    if (take_call(in, "starts-with"))
        return read_search(in, TAC_CONDITION_STARTS, number);
    return take(in, "(") ? read_inside(in, number) : read_value(in, number);
}

/* Operands of "or" are those of "and". */
static bool read_joined(struct reader *in, tac_condition_kind kind, uint32_t *number)
{
    bool either = kind == TAC_CONDITION_OR;
    tac_condition whole = {.kind = kind};
    bool read = either ? read_joined(in, TAC_CONDITION_AND, number) : read_one(in, number);
    while (read && take_word(in, either ? "or" : "and")) {
        whole.left = *number;
        read = (either ? read_joined(in, TAC_CONDITION_AND, &whole.right)
                       : read_one(in, &whole.right)) &&
               add(in, whole, number);
    }
    return read;
}

static void add_each(tac_locator *out, uint32_t condition)
{
    tac_condition c = out->conditions.at[condition];
    if (c.kind == TAC_CONDITION_AND) {
        add_each(out, c.left);
        add_each(out, c.right);
    } else {
        tac_locator_add_condition(out, condition);
    }
}

static bool read_element(struct reader *in, bool deep)
{
    const char *name = take(in, "*") ? "*" : take_name(in);
    if (!name)
        return false;
    tac_element_kind kind = !strcmp(name, "*")           ? TAC_ELEMENT_ANY
                            : !strcmp(name, "node")      ? TAC_ELEMENT_NODE
                            : !strcmp(name, "hierarchy") ? TAC_ELEMENT_HIERARCHY
                                                         : TAC_ELEMENT_CLASS;
    tac_locator_add_step(in->out, kind, deep);
    if (kind == TAC_ELEMENT_CLASS)
        tac_locator_add_value(in->out, TAC_PART_CLASS, 0, name);
    while (take(in, "[")) {
        uint32_t condition;
        take(in, "");
        if (strspn(in->at, "0123456789")) /* the last one */
            return take_place(in, &tac_vec_last(&in->out->steps).place);
        if (!read_joined(in, TAC_CONDITION_OR, &condition) || !take(in, "]"))
            return false;
        add_each(in->out, condition);
    }
    return true;
}

static bool read_path(const char *text, tac_locator *out)
{
    struct reader in = {.at = text, .out = out};
    bool one_of = take(&in, "("), read = true, deep = false;
    while (read && ((deep = take(&in, "//")) || take(&in, "/")))
        read = read_element(&in, deep);
    if (one_of)
        read = read && take(&in, ")") && take(&in, "[") && take_place(&in, &out->place);
    take(&in, "");
    return read && out->steps.count && !*in.at;
}

/* What follows "css". */
static bool read_css(const char *text, tac_locator *out)
{
    size_t digits = *text == '[' ? strspn(text + 1, "0123456789") : 0;
    out->kind = TAC_LOCATOR_CSS;
    out->place = 1;
    if (*text == '[') {
        if (!digits || digits > 9 || text[1 + digits] != ']')
            return false;
        out->place = (uint32_t)strtoul(text + 1, NULL, 10);
        text += digits + 2;
    }
    out->css = text + 1;
    return *text == ':' && *out->css;
}

bool tac_locator_read(const char *text, tac_locator *out)
{
    *out = (tac_locator){.again = !strncmp(text, "it:", 3)};
    text += out->again ? 3 : 0;
    bool read = true;
    if (!strcmp(text, "focus:"))
        out->kind = TAC_LOCATOR_FOCUS;
    else
        read = strncmp(text, "css", 3) ? read_path(text, out) : read_css(text + 3, out);
    if (!read) {
        tac_locator_free(out);
        *out = (tac_locator){0};
    }
    return read;
}
