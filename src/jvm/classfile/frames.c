/* Stack maps (JVMS 4.7.4): the frames of a method at their new positions, and one more for the
 * handler that was added, which has no locals and the exception on the stack. Frames are relative
 * to the one before, so that only the distances between them change. */
#include "jvm/classfile/code.h"

enum { TYPE_UNINITIALISED_THIS = 6, TYPE_OBJECT = 7, TYPE_UNINITIALISED = 8 };

struct frame_copier {
    const struct code_work *work;
    struct class_cursor in;
    struct class_bytes *out; /* NULL: only looked at */
    bool uninitialised_this; /* seen in the frame just read */
    bool bad;
};

static void copy_type(struct frame_copier *f)
{
    uint32_t tag = take_u1(&f->in);
    f->bad = f->bad || tag > TYPE_UNINITIALISED;
    f->uninitialised_this = f->uninitialised_this || tag == TYPE_UNINITIALISED_THIS;
    uint32_t operand = tag >= TYPE_OBJECT ? take_u2(&f->in) : 0;
    if (tag == TYPE_UNINITIALISED) {
        if (operand >= f->work->old.length || !f->work->places[operand].start)
            f->bad = true;
        else
            operand = f->work->places[operand].at;
    }
    if (f->out)
        add_u1(f->out, tag);
    if (f->out && tag >= TYPE_OBJECT)
        add_u2(f->out, operand);
}

static void copy_types(struct frame_copier *f, uint32_t count)
{
    while (count-- && !f->bad && !f->in.bad)
        copy_type(f);
}

static void copy_counted(struct frame_copier *f)
{
    uint32_t count = take_u2(&f->in);
    if (f->out)
        add_u2(f->out, count);
    copy_types(f, count);
}

static void write_kind(struct frame_copier *f, uint32_t kind, uint32_t delta)
{
    if (!f->out)
        return;
    if (kind < 64 || kind == 251) { /* the same locals, empty stack */
        add_u1(f->out, delta < 64 ? delta : 251);
        if (delta >= 64)
            add_u2(f->out, delta);
    } else if (kind < 128 || kind == 247) { /* the same locals, one on the stack */
        add_u1(f->out, delta < 64 ? 64 + delta : 247);
        if (delta >= 64)
            add_u2(f->out, delta);
    } else {
        add_u1(f->out, kind);
        add_u2(f->out, delta);
    }
}

/* One frame: *old and *new are the positions of the one before, -1 at the start. */
static void copy_frame(struct frame_copier *f, int64_t *old, int64_t *new)
{
    uint32_t kind = take_u1(&f->in), delta = kind;
    f->uninitialised_this = false;
    if (kind >= 64 && kind < 128)
        delta = kind - 64;
    else if (kind >= 247)
        delta = take_u2(&f->in);
    else if (kind >= 128)
        f->bad = true;
    *old += delta + 1;
    if (*old >= f->work->old.length || !f->work->places[*old].start || f->bad) {
        f->bad = true;
        return;
    }
    int64_t at = f->work->places[*old].label;
    write_kind(f, kind, (uint32_t)(at - *new - 1));
    *new = at;
    if ((kind >= 64 && kind < 128) || kind == 247) {
        copy_type(f);
    } else if (kind >= 252 && kind < 255) {
        copy_types(f, kind - 251);
    } else if (kind == 255) {
        copy_counted(f);
        copy_counted(f);
    }
}

bool frames_write(const struct code_work *work, const uint8_t *old, size_t size,
                  struct class_bytes *out)
{
    struct frame_copier f = {.work = work, .in = {old, old ? old + size : NULL, false}, .out = out};
    int64_t old_at = -1, new_at = -1;
    uint32_t count = old ? take_u2(&f.in) : 0;
    add_u2(out, count + 1);
    for (uint32_t i = 0; i < count && !f.bad && !f.in.bad; i++)
        copy_frame(&f, &old_at, &new_at);
    add_u1(out, 255);
    add_u2(out, (uint32_t)((int64_t)work->handler_at - new_at - 1));
    add_u2(out, 0);
    add_u2(out, 1);
    add_u1(out, TYPE_OBJECT);
    add_u2(out, work->pool->throwable);
    return !f.bad && !f.in.bad && f.in.at == f.in.end && count < 65535;
}

/* A chopped or appended frame keeps what the one before had, so that a constructor's later frames
 * without `this` in them say nothing: only a frame that names it, or keeps it, counts. */
bool frames_uninitialised_after(const struct code_work *work, const uint8_t *old, size_t size,
                                uint32_t from)
{
    struct frame_copier f = {.work = work, .in = {old, old ? old + size : NULL, false}};
    int64_t old_at = -1, new_at = -1;
    bool held = true; /* the first, implicit frame of a constructor */
    for (uint32_t count = take_u2(&f.in); count && !f.bad && !f.in.bad; count--) {
        const uint8_t *start = f.in.at;
        copy_frame(&f, &old_at, &new_at);
        if (start < f.in.end && *start == 255)
            held = f.uninitialised_this;
        if (old_at > from && held)
            return true;
    }
    return f.bad || f.in.bad;
}
