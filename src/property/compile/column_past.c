/* What the past operators of a column program remember from chunk to chunk, as a set that can stand
 * in for another: `for each` has one per value. Cost: linear in the nodes. */
#include "property/compile/column.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

struct column_past *column_past_new(const struct column_program *program)
{
    struct column_past *past = tac_calloc(program->nodes.count + 1, sizeof *past);
    column_past_reset(program, past);
    return past;
}

void column_past_reset(const struct column_program *program, struct column_past *past)
{
    for (size_t id = 0; id < program->nodes.count; id++) {
        past[id].carry = program->nodes.at[id].op == COLUMN_HISTORICALLY;
        past[id].carry_number = (double)NAN;
        past[id].carry_text = COLUMN_NONE;
        past[id].has_latest = false;
        past[id].head = past[id].waiting.count = 0;
    }
}

void column_past_copy(const struct column_program *program, struct column_past *to,
                      const struct column_past *from)
{
    assert(to != from);
    for (size_t id = 0; program->has_past && id < program->nodes.count; id++) {
        to[id].carry = from[id].carry;
        to[id].carry_number = from[id].carry_number;
        to[id].carry_text = from[id].carry_text;
        to[id].has_latest = from[id].has_latest;
        to[id].latest = from[id].latest;
        to[id].head = to[id].waiting.count = 0;
        if (from[id].waiting.count > from[id].head)
            tac_vec_append(&to[id].waiting, from[id].waiting.at + from[id].head,
                           from[id].waiting.count - from[id].head);
    }
}

bool column_past_equal(const struct column_program *program, const struct column_past *a,
                       const struct column_past *b)
{
    for (size_t id = 0; program->has_past && id < program->nodes.count; id++) {
        size_t waiting = a[id].waiting.count - a[id].head;
        if (a[id].carry != b[id].carry || a[id].carry_text != b[id].carry_text ||
            memcmp(&a[id].carry_number, &b[id].carry_number, sizeof a[id].carry_number) != 0 ||
            a[id].has_latest != b[id].has_latest ||
            (a[id].has_latest && a[id].latest != b[id].latest) ||
            waiting != b[id].waiting.count - b[id].head ||
            (waiting && memcmp(a[id].waiting.at + a[id].head, b[id].waiting.at + b[id].head,
                               waiting * sizeof *a[id].waiting.at) != 0))
            return false;
    }
    return true;
}

void column_past_free(const struct column_program *program, struct column_past *past)
{
    for (size_t id = 0; past && id < program->nodes.count; id++)
        tac_vec_free(&past[id].waiting);
    free(past);
}
