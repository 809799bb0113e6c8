/* The instructions of a method with probes between them, and jumps that go where they went.
 *
 * Positions change in one forward pass; switches are aligned anew. Sixteen-bit jumps stay such: a
 * method in which one no longer reaches its target is left alone. */
#include "jvm/classfile/code.h"
#include <assert.h>

enum { OP_IFEQ = 153, OP_JSR = 168, OP_TABLESWITCH = 170, OP_LOOKUPSWITCH = 171 };
enum { OP_IRETURN = 172, OP_RETURN = 177, OP_IFNULL = 198, OP_IFNONNULL = 199, OP_JSR_W = 201 };

static bool is_switch(uint32_t opcode)
{
    return opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH;
}

static void copy_instruction(struct code_work *w, uint32_t at, uint32_t size)
{
    const uint8_t *code = w->old.code;
    w->places[at].at = (uint32_t)w->out.count;
    if (!is_switch(code[at])) {
        add_bytes(&w->out, code + at, size);
        return;
    }
    uint32_t body = (at + 4) & ~3u;
    add_u1(&w->out, code[at]);
    while (w->out.count % 4 && !w->out.bad)
        add_u1(&w->out, 0);
    add_bytes(&w->out, code + body, size - (body - at));
}

bool code_emit(struct code_work *w)
{
    bool constructor = text_is(w->subject.method->name, "<init>");
    bool leaves = w->callback || w->timed;
    if (!constructor)
        probe_entry(w);
    w->guard_from = (uint32_t)w->out.count;
    for (uint32_t at = 0, size; at < w->old.length && !w->why; at += size) {
        size = instruction_length(w->old.code, w->old.length, at);
        assert(size);
        struct code_place *place = &w->places[at];
        uint32_t opcode = w->old.code[at];
        place->label = (uint32_t)w->out.count;
        if (place->handler && w->sites)
            probe_caught(w);
        if (leaves && opcode >= OP_IRETURN && opcode <= OP_RETURN)
            probe_exit(w, opcode);
        if (place->site)
            probe_before_call(w, at);
        copy_instruction(w, at, size);
        if (place->site)
            probe_after_call(w, at);
        if (constructor && at == w->super_call) {
            probe_entry(w);
            w->guard_from = (uint32_t)w->out.count;
        }
    }
    w->guard_to = w->handler_at = w->places[w->old.length].label = (uint32_t)w->out.count;
    w->places[w->old.length].start = 1;
    probe_handler(w);
    if (!w->why && (w->out.count > 65535 || w->old.max_locals + w->spill > 65535))
        w->why = "too large with probes in it";
    return !w->why && !w->out.bad;
}

/* New distance of a jump from `at` by `distance`. */
static bool new_distance(const struct code_work *w, uint32_t at, int64_t distance, int64_t *out)
{
    int64_t target = at + distance;
    if (target < 0 || target >= w->old.length || !w->places[target].start)
        return false;
    *out = (int64_t)w->places[target].label - (int64_t)w->places[at].at;
    return true;
}

static void move_short_jump(struct code_work *w, uint32_t at)
{
    int64_t distance = 0;
    if (!new_distance(w, at, (int16_t)get_u2(w->old.code + at + 1), &distance))
        w->why = "a jump that does not lead to an instruction";
    else if (distance < INT16_MIN || distance > INT16_MAX)
        w->why = "a jump is too long with probes in it";
    else
        put_u2(w->out.at + w->places[at].at + 1, (uint32_t)distance);
}

static void move_long_jump(struct code_work *w, uint32_t at, uint32_t old, uint32_t new)
{
    int64_t distance = 0;
    assert(new + 4 <= w->out.count);
    if (!new_distance(w, at, (int32_t)get_u4(w->old.code + old), &distance))
        w->why = "a jump that does not lead to an instruction";
    else
        put_u4(w->out.at + new, (uint32_t)distance);
}

static void move_switch(struct code_work *w, uint32_t at, uint32_t size)
{
    uint32_t old = (at + 4) & ~3u, new = (w->places[at].at + 4) & ~3u, end = at + size;
    bool table = w->old.code[at] == OP_TABLESWITCH;
    move_long_jump(w, at, old, new);
    for (uint32_t i = 12; old + i < end && !w->why; i += table ? 4 : 8)
        move_long_jump(w, at, old + i, new + i);
}

bool code_relocate(struct code_work *w)
{
    for (uint32_t at = 0, size; at < w->old.length && !w->why; at += size) {
        uint32_t opcode = w->old.code[at];
        size = instruction_length(w->old.code, w->old.length, at);
        if ((opcode >= OP_IFEQ && opcode <= OP_JSR) || opcode == OP_IFNULL ||
            opcode == OP_IFNONNULL)
            move_short_jump(w, at);
        else if (is_switch(opcode))
            move_switch(w, at, size);
        else if (opcode == 200 || opcode == OP_JSR_W)
            move_long_jump(w, at, at + 1, w->places[at].at + 1);
    }
    return !w->why;
}
