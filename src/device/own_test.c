/* Conditions of XPaths over a node's attributes, without libxml2:
 *
 *     condition   both {"or" both}        both   one {"and" one}
 *     one         "not(" condition ")"  |  "(" condition ")"  |  value ("=" | "!=") 'text'
 *                 |  "contains(@name, 'text')"  |  "starts-with(@name, 'text')"  |  @name
 *     value       {"node/"} @name
 *
 * Only attributes that every node of a dump has, so that "!=" and a bare name mean what XPath means
 * by them. A value below the node is one of a set, of which any may be equal; other uses of sets
 * are left to libxml2. O(parts) per node, O(children^levels) below it. */
#include "device/own_test.h"
#include "base/check.h"
#include <string.h>

enum { TEXTS = 5, MAX_LEVELS = 8 };

static const struct {
    const char *name;
    uint32_t flag; /* 0: a text */
} fields[] = {{"text", 0},
              {"resource-id", 0},
              {"content-desc", 0},
              {"class", 0},
              {"package", 0},
              {"checkable", TAC_UI_CHECKABLE},
              {"checked", TAC_UI_CHECKED},
              {"clickable", TAC_UI_CLICKABLE},
              {"enabled", TAC_UI_ENABLED},
              {"focusable", TAC_UI_FOCUSABLE},
              {"focused", TAC_UI_FOCUSED},
              {"scrollable", TAC_UI_SCROLLABLE},
              {"long-clickable", TAC_UI_LONG_CLICKABLE},
              {"password", TAC_UI_PASSWORD},
              {"selected", TAC_UI_SELECTED}};

static const char *field_of(const tac_ui_node *node, uint8_t field)
{
    const char *const texts[TEXTS] = {node->text, node->resource_id, node->description,
                                      node->class_name, node->package};
    assert(field < sizeof fields / sizeof *fields);
    if (field < TEXTS)
        return texts[field];
    return node->flags & fields[field].flag ? "true" : "false";
}

/* --- reading ---------------------------------------------------------------------------------- */

static void pass_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool take(const char **at, const char *word)
{
    const char *from = *at;
    pass_blanks(&from);
    size_t length = strlen(word);
    if (strncmp(from, word, length) != 0)
        return false;
    *at = from + length;
    return true;
}

static bool name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':' || (c & 0x80);
}

/* A word that no letter follows. */
static bool take_word(const char **at, const char *word)
{
    const char *from = *at;
    if (!take(&from, word) || name_character(*from))
        return false;
    *at = from;
    return true;
}

static bool take_call(const char **at, const char *name)
{
    const char *from = *at;
    if (!take_word(&from, name) || !take(&from, "("))
        return false;
    *at = from;
    return true;
}

static bool read_literal(const char **at, struct own_part *part)
{
    pass_blanks(at);
    const char *end = **at == '\'' || **at == '"' ? strchr(*at + 1, **at) : NULL;
    if (!end)
        return false;
    part->value = *at + 1;
    part->length = (size_t)(end - part->value);
    *at = end + 1;
    return true;
}

static bool read_value(const char **at, struct own_part *part)
{
    const char *from = *at;
    for (; take_word(&from, "node"); part->levels++)
        if (!take(&from, "/") || part->levels == MAX_LEVELS)
            return false;
    if (!take(&from, "@"))
        return false;
    pass_blanks(&from);
    size_t length = 0;
    while (name_character(from[length]))
        length++;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strlen(fields[i].name) == length && !memcmp(fields[i].name, from, length)) {
            part->field = (uint8_t)i;
            *at = from + length;
            return true;
        }
    return false;
}

static bool add(struct own_test *out, struct own_part part, uint8_t *place)
{
    if (out->count == OWN_TEST_PARTS)
        return false;
    *place = (uint8_t)out->count;
    out->parts[out->count++] = part;
    return true;
}

static bool read_or(const char **at, struct own_test *out, unsigned depth, uint8_t *place);

static bool read_inside(const char **at, struct own_test *out, unsigned depth, uint8_t *place)
{
    return read_or(at, out, depth + 1, place) && take(at, ")");
}

static bool read_search(const char **at, struct own_test *out, enum own_operator kind,
                        uint8_t *place)
{
    struct own_part part = {.kind = kind};
    return read_value(at, &part) && !part.levels && take(at, ",") && read_literal(at, &part) &&
           take(at, ")") && add(out, part, place);
}

static bool read_comparison(const char **at, struct own_test *out, uint8_t *place)
{
    struct own_part part = {.kind = OWN_ALWAYS};
    if (!read_value(at, &part))
        return false;
    if (take(at, "="))
        part.kind = OWN_EQUAL;
    else if (take(at, "!="))
        part.kind = OWN_DIFFERS;
    if (part.kind == OWN_ALWAYS)
        return !part.levels && add(out, part, place);
    return read_literal(at, &part) && add(out, part, place);
}

static bool read_one(const char **at, struct own_test *out, unsigned depth, uint8_t *place)
{
    struct own_part negation = {.kind = OWN_NOT};
    if (depth > OWN_TEST_DEPTH)
        return false;
    if (take_call(at, "not"))
        return read_inside(at, out, depth, &negation.left) && add(out, negation, place);
    if (take_call(at, "contains"))
        return read_search(at, out, OWN_CONTAINS, place);
    if (take_call(at, "starts-with"))
        return read_search(at, out, OWN_STARTS, place);
    if (take(at, "("))
        return read_inside(at, out, depth, place);
    return read_comparison(at, out, place);
}

static bool read_and(const char **at, struct own_test *out, unsigned depth, uint8_t *place)
{
    bool read = read_one(at, out, depth, place);
    while (read && take_word(at, "and")) {
        struct own_part both = {.kind = OWN_AND, .left = *place};
        read = read_one(at, out, depth, &both.right) && add(out, both, place);
    }
    return read;
}

static bool read_or(const char **at, struct own_test *out, unsigned depth, uint8_t *place)
{
    bool read = read_and(at, out, depth, place);
    while (read && take_word(at, "or")) {
        struct own_part either = {.kind = OWN_OR, .left = *place};
        read = read_and(at, out, depth, &either.right) && add(out, either, place);
    }
    return read;
}

bool own_test_read(const char **at, struct own_test *out)
{
    uint8_t place = 0;
    out->count = 0;
    bool read = read_or(at, out, 0, &place) && take(at, "]");
    assert(!read || place + 1u == out->count);
    return read;
}

/* --- answering -------------------------------------------------------------------------------- */

static bool is_equal(const char *value, const struct own_part *part)
{
    return !strncmp(value, part->value, part->length) && !value[part->length];
}

static bool contains(const char *value, const struct own_part *part)
{
    size_t length = strlen(value);
    return !part->length || memmem(value, length, part->value, part->length) != NULL;
}

/* Any of the nodes so many levels below. */
static bool compare(const tac_ui *ui, uint32_t node, const struct own_part *part, unsigned levels)
{
    if (!levels)
        return is_equal(field_of(&ui->nodes[node], part->field), part) == (part->kind == OWN_EQUAL);
    for (uint32_t c = ui->nodes[node].first_child; c != TAC_UI_NONE; c = ui->nodes[c].next_sibling)
        if (compare(ui, c, part, levels - 1))
            return true;
    return false;
}

static bool holds(const struct own_test *test, size_t place, const tac_ui *ui, uint32_t node)
{
    const struct own_part *part = &test->parts[place];
    switch (part->kind) {
    case OWN_OR:
        return holds(test, part->left, ui, node) || holds(test, part->right, ui, node);
    case OWN_AND:
        return holds(test, part->left, ui, node) && holds(test, part->right, ui, node);
    case OWN_NOT:
        return !holds(test, part->left, ui, node);
    case OWN_CONTAINS:
        return contains(field_of(&ui->nodes[node], part->field), part);
    case OWN_STARTS:
        return !strncmp(field_of(&ui->nodes[node], part->field), part->value, part->length);
    case OWN_ALWAYS:
        return true;
    case OWN_EQUAL:
    case OWN_DIFFERS:
        break;
    }
    return compare(ui, node, part, part->levels);
}

bool own_test_holds(const struct own_test *test, const tac_ui *ui, uint32_t node)
{
    assert(test->count > 0 && node < ui->count);
    return holds(test, test->count - 1, ui, node);
}
