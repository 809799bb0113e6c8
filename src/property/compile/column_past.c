/* What the past operators of a column program remember from chunk to chunk, as a set that can stand
 * in for another: `for each` has one per value. Cost: linear in the nodes. */
#include "property/compile/column.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

struct column_past *column_past_new(const struct column_program *program)
{
    struct column_past *past = tac_calloc(2 * program->nodes.count + 1, sizeof *past);
    column_past_reset(program, past);
    return past;
}

void column_past_reset(const struct column_program *program, struct column_past *past)
{
    for (size_t id = 0; id < 2 * program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id % program->nodes.count];
        past[id].split = false;
        past[id].carry = node->op == COLUMN_HISTORICALLY;
        past[id].carry_number = (double)NAN;
        past[id].carry_text = COLUMN_NONE;
        past[id].has_latest = false;
        past[id].head = past[id].waiting.count = 0;
    }
}

static void copy_one(struct column_past *to, const struct column_past *from)
{
    to->split = from->split;
    to->carry = from->carry;
    to->carry_number = from->carry_number;
    to->carry_text = from->carry_text;
    to->has_latest = from->has_latest;
    to->latest = from->latest;
    to->head = to->waiting.count = 0;
    if (from->waiting.count > from->head)
        tac_vec_append(&to->waiting, from->waiting.at + from->head,
                       from->waiting.count - from->head);
}

static bool equal_one(const struct column_past *a, const struct column_past *b)
{
    size_t waiting = a->waiting.count - a->head;
    return a->carry == b->carry && a->carry_text == b->carry_text &&
           memcmp(&a->carry_number, &b->carry_number, sizeof a->carry_number) == 0 &&
           a->has_latest == b->has_latest && (!a->has_latest || a->latest == b->latest) &&
           waiting == b->waiting.count - b->head &&
           (!waiting || memcmp(a->waiting.at + a->head, b->waiting.at + b->head,
                               waiting * sizeof *a->waiting.at) == 0);
}

void column_past_copy(const struct column_program *program, struct column_past *to,
                      const struct column_past *from)
{
    assert(to != from);
    size_t count = program->nodes.count;
    for (size_t id = 0; program->has_past && id < count; id++) {
        copy_one(&to[id], &from[id]);
        if (from[id].split)
            copy_one(&to[count + id], &from[count + id]);
    }
}

bool column_past_equal(const struct column_program *program, const struct column_past *a,
                       const struct column_past *b)
{
    size_t count = program->nodes.count;
    for (size_t id = 0; program->has_past && id < count; id++)
        if (a[id].split != b[id].split || !equal_one(&a[id], &b[id]) ||
            (a[id].split && !equal_one(&a[count + id], &b[count + id])))
            return false;
    return true;
}

void column_past_divide(struct column_past *sure, struct column_past *may)
{
    if (!sure->split)
        copy_one(may, sure);
    sure->split = true;
}

void column_past_join(struct column_past *sure, struct column_past *may)
{
    sure->split = !equal_one(sure, may);
}

void column_past_free(const struct column_program *program, struct column_past *past)
{
    for (size_t id = 0; past && id < 2 * program->nodes.count; id++)
        tac_vec_free(&past[id].waiting);
    free(past);
}
