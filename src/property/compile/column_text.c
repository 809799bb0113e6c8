/* Columns of texts and lists, for what was observed on screens.
 *
 * A text node holds ids of the program's own table, so that texts that no trace holds (a trimmed
 * one, an item of a list) are compared like all others, by number. A list is the text of its JSON
 * array in the one way that trace/text/list.h writes it: its items are the pieces between quotes,
 * and one list begins another where its text does. The functions are safe on any text.
 *
 * Values hold over many states, so an answer is kept as long as its operands are the same. */
#include "property/compile/column.h"

#include "base/check.h"
#include "base/data/str.h"
#include "trace/text/json_text.h"
#include <math.h>
#include <string.h>

/* --- Lists ------------------------------------------------------------------------------------ */

/* The item that starts at `at` (a quote): the place behind its closing quote, or NULL. */
static const char *item_end(const char *at)
{
    if (*at != '"')
        return NULL;
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : NULL;
}

/* Moves to the next item's opening quote; NULL at the end. */
static const char *next_item(const char *end)
{
    return end && *end == ',' && end[1] == '"' ? end + 1 : NULL;
}

static const char *first_item(const char *list)
{
    return list[0] == '[' && list[1] == '"' ? list + 1 : NULL;
}

static size_t list_size(const char *list)
{
    size_t count = 0;
    for (const char *at = first_item(list); at; at = next_item(item_end(at)))
        count++;
    return count;
}

static size_t text_size(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static bool list_contains(const char *list, const char *text)
{
    tac_str item = {0};
    json_text_encode(&item, text, strlen(text));
    bool found = false;
    for (const char *at = first_item(list), *end; at && !found; at = next_item(end)) {
        end = item_end(at);
        found = end && (size_t)(end - at) == item.length &&
                !memcmp(at, tac_str_text(&item), item.length);
    }
    tac_str_free(&item);
    return found;
}

static bool list_begins(const char *part, const char *whole)
{
    size_t length = strlen(part);
    if (list_size(part) == 0)
        return true;
    if (strncmp(part, whole, length - 1) != 0)
        return false;
    return whole[length - 1] == ']' || whole[length - 1] == ',';
}

/* --- Single values ---------------------------------------------------------------------------- */

static const char *text_of(const struct column_program *program, uint32_t id)
{
    assert(id < program->texts.count);
    return program->texts.text[id];
}

static uint32_t item_of(struct column_program *program, uint32_t list, double place)
{
    const char *text = text_of(program, list);
    if (!(fabs(place) < 1e9) || place != floor(place)) /* nothing is between two items */
        return COLUMN_NONE;
    double wanted = place < 0 ? place + (double)list_size(text) : place;
    double at_place = 0;
    for (const char *at = first_item(text); at && wanted >= 0; at = next_item(item_end(at))) {
        if (at_place >= wanted) {
            tac_str item = {0};
            const char *wrong;
            uint32_t id = COLUMN_NONE;
            if (json_text_decode(at + 1, &item, &wrong))
                id = column_text(program, tac_str_text(&item), strlen(tac_str_text(&item)));
            tac_str_free(&item);
            return id;
        }
        at_place++;
    }
    return COLUMN_NONE;
}

/* Bytes of the blank at the start of `at`; what JavaScript's trim takes off. */
static size_t blank_at(const char *at, size_t left)
{
    static const char *const blanks[] = {
        "\xc2\xa0",     "\xef\xbb\xbf", "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81",
        "\xe2\x80\x82", "\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86",
        "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xa8",
        "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
    if (left && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
        return 1;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        size_t length = strlen(blanks[i]);
        if (length <= left && !memcmp(at, blanks[i], length))
            return length;
    }
    return 0;
}

static uint32_t trimmed(struct column_program *program, uint32_t id)
{
    const char *text = text_of(program, id), *start = text, *end = text + strlen(text);
    size_t blank;
    while ((blank = blank_at(start, (size_t)(end - start))))
        start += blank;
    for (bool more = true; more && end > start;) {
        more = false;
        for (size_t length = 1; length <= 3 && length <= (size_t)(end - start) && !more; length++)
            if (blank_at(end - length, length) == length) {
                end -= length;
                more = true;
            }
    }
    if (start == text && !*end)
        return id;
    char *copy = tac_strndup(start, (size_t)(end - start)); /* the table may move its texts */
    uint32_t out = column_text(program, copy, strlen(copy));
    free(copy);
    return out;
}

/* --- Columns ---------------------------------------------------------------------------------- */

static void evaluate_slot(struct column_program *program, const struct column_node *node,
                          uint32_t *out, size_t n)
{
    const uint32_t *symbols = program->symbols[node->a];
    const uint8_t *unknown = program->slots.at[node->a].unknown;
    for (size_t i = 0; i < n; i++)
        out[i] = symbols && !(unknown && unknown[i]) && symbols[i] < program->text_of_symbol.count
                     ? program->text_of_symbol.at[symbols[i]]
                     : COLUMN_NONE;
}

static void evaluate_texts(struct column_program *program, const struct column_node *node,
                           struct column_past *past, uint32_t *out, size_t n)
{
    const uint32_t *a = program->runtime[node->a].text;
    const double *b =
        node->op == COLUMN_TEXT_ITEM ? program->runtime[node->b].number : program->missing;
    for (size_t i = 0; i < n; i++) {
        if (node->op == COLUMN_TEXT_PREVIOUS) {
            out[i] = past->carry_text;
            past->carry_text = a[i];
        } else if (a[i] == COLUMN_NONE) {
            out[i] = COLUMN_NONE;
        } else if (i && a[i] == a[i - 1] && !memcmp(&b[i], &b[i - 1], sizeof *b)) {
            out[i] = out[i - 1];
        } else {
            out[i] = node->op == COLUMN_TEXT_ITEM ? item_of(program, a[i], b[i])
                                                  : trimmed(program, a[i]);
        }
    }
}

static void evaluate_size(struct column_program *program, const struct column_node *node,
                          double *out, size_t n)
{
    const uint32_t *a = program->runtime[node->a].text;
    for (size_t i = 0; i < n; i++)
        out[i] = a[i] == COLUMN_NONE     ? (double)NAN
                 : i && a[i] == a[i - 1] ? out[i - 1]
                 : node->value > 0       ? (double)list_size(text_of(program, a[i]))
                                         : (double)text_size(text_of(program, a[i]));
}

static bool compare(const struct column_program *program, const struct column_node *node,
                    uint32_t a, uint32_t b)
{
    bool list = node->value > 0;
    if (node->op == COLUMN_TEXT_EQ)
        return a == b;
    if (node->op == COLUMN_TEXT_NE)
        return a != b;
    const char *left = text_of(program, a), *right = text_of(program, b);
    if (node->op == COLUMN_CONTAINS)
        return list ? list_contains(left, right) : strstr(left, right) != NULL;
    return list ? list_begins(left, right) : !strncmp(left, right, strlen(left));
}

static void evaluate_bits(struct column_program *program, const struct column_node *node,
                          uint8_t *out, size_t n)
{
    const uint32_t *a = program->runtime[node->a].text;
    const uint32_t *b =
        column_is_binary((enum column_op)node->op) ? program->runtime[node->b].text : a;
    if (node->op == COLUMN_NUMBER_KNOWN) {
        for (size_t i = 0; i < n; i++)
            out[i] = (uint8_t)!isnan(program->runtime[node->a].number[i]);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        bool known = a[i] != COLUMN_NONE && b[i] != COLUMN_NONE;
        if (node->op == COLUMN_TEXT_KNOWN)
            out[i] = known;
        else if (!known)
            out[i] = 0;
        else if (i && a[i] == a[i - 1] && b[i] == b[i - 1])
            out[i] = out[i - 1];
        else
            out[i] = compare(program, node, a[i], b[i]);
    }
}

void column_evaluate_text(struct column_program *program, size_t id, size_t count)
{
    assert(id < program->nodes.count && count <= COLUMN_CHUNK);
    const struct column_node *node = &program->nodes.at[id];
    struct column_runtime *run = &program->runtime[id];
    struct column_past *past = &program->past[id];
    enum column_op op = (enum column_op)node->op;
    if (op == COLUMN_PREVIOUS) {
        for (size_t i = 0; i < count; i++) {
            run->own_number[i] = past->carry_number;
            past->carry_number = program->runtime[node->a].number[i];
        }
    } else if (op == COLUMN_SIZE) {
        evaluate_size(program, node, run->own_number, count);
    } else if (op == COLUMN_TEXT_SLOT) {
        evaluate_slot(program, node, run->text, count);
    } else if (column_is_text(op)) {
        if (op != COLUMN_TEXT_LITERAL)
            evaluate_texts(program, node, past, run->text, count);
    } else {
        evaluate_bits(program, node, run->bit, count);
    }
}
