/* Probes as instructions. Each leaves the stack as it found it. Values of a call are put aside in
 * locals above those of the method, which no stack map frame mentions. */
#include "jvm/classfile/code.h"

enum { OP_BIPUSH = 16, OP_SIPUSH = 17, OP_LDC_W = 19, OP_ILOAD = 21, OP_ISTORE = 54 };
enum { OP_DUP = 89, OP_DUP2 = 92, OP_ATHROW = 191, OP_INVOKESTATIC = 184, OP_WIDE = 196 };

/* 0 int, 1 long, 2 float, 3 double, 4 reference: the order of opcodes and of probes. */
static uint32_t shape_of(char type)
{
    return type == 'J' ? 1 : type == 'F' ? 2 : type == 'D' ? 3 : type == 'L' ? 4 : 0;
}

static void call_probe(struct code_work *w, enum probe probe)
{
    add_u1(&w->out, OP_INVOKESTATIC);
    add_u2(&w->out, pool_probe(w->pool, probe));
}

static void push_id(struct code_work *w, uint32_t id)
{
    if (id < 128) {
        add_u1(&w->out, OP_BIPUSH);
        add_u1(&w->out, id);
    } else if (id < 32768) {
        add_u1(&w->out, OP_SIPUSH);
        add_u2(&w->out, id);
    } else {
        add_u1(&w->out, OP_LDC_W);
        add_u2(&w->out, pool_integer(w->pool, id));
    }
}

static void access_local(struct code_work *w, uint32_t base, char type, uint32_t local)
{
    if (local > 255)
        add_u1(&w->out, OP_WIDE);
    add_u1(&w->out, base + shape_of(type));
    if (local > 255)
        add_u2(&w->out, local);
    else
        add_u1(&w->out, local);
}

static void tell_local(struct code_work *w, char type, uint32_t local)
{
    access_local(w, OP_ILOAD, type, local);
    call_probe(w, PROBE_ARG_I + (enum probe)shape_of(type));
}

void probe_entry(struct code_work *w)
{
    if (w->timed) {
        push_id(w, w->timed);
        call_probe(w, PROBE_ENTER);
    }
    if (!w->callback)
        return;
    uint32_t local = 0;
    push_id(w, w->callback);
    call_probe(w, PROBE_BEGIN);
    if (!(w->subject.method->access & ACCESS_STATIC))
        tell_local(w, 'L', local++);
    for (uint32_t i = 0; i < w->signature.count; i++) {
        tell_local(w, w->signature.types[i], local);
        local += slots_of(w->signature.types[i]);
    }
    call_probe(w, PROBE_GO);
}

/* Before a return: the result is on top. */
void probe_exit(struct code_work *w, uint32_t opcode)
{
    static const char shapes[] = "IJFDLV"; /* ireturn .. return */
    char type = shapes[opcode - 172];
    if (w->callback) {
        if (type != 'V')
            add_u1(&w->out, slots_of(type) == 2 ? OP_DUP2 : OP_DUP);
        push_id(w, w->callback);
        call_probe(w, type == 'V' ? PROBE_OUT_V : PROBE_OUT_I + (enum probe)shape_of(type));
    }
    if (w->timed) {
        push_id(w, w->timed);
        call_probe(w, PROBE_LEAVE);
    }
}

static bool has_receiver(const struct code_work *w, uint32_t at)
{
    return w->places[at].kind == SITE_CALL && w->old.code[at] != OP_INVOKESTATIC;
}

/* The values of a call from the stack into locals (or back), receiver first. */
static void move_values(struct code_work *w, const struct class_signature *s, bool receiver,
                        bool store)
{
    uint32_t base = w->old.max_locals, local = base + receiver + s->slots;
    for (uint32_t i = s->count; store && i-- > 0;) {
        local -= slots_of(s->types[i]);
        access_local(w, OP_ISTORE, s->types[i], local);
    }
    if (receiver)
        access_local(w, store ? OP_ISTORE : OP_ILOAD, 'L', base);
    local = base + receiver;
    for (uint32_t i = 0; !store && i < s->count; i++) {
        access_local(w, OP_ILOAD, s->types[i], local);
        local += slots_of(s->types[i]);
    }
}

static bool call_signature(const struct code_work *w, uint32_t at, struct class_signature *s)
{
    struct class_text owner, name, descriptor;
    return class_member(w->file, get_u2(w->old.code + at + 1), &owner, &name, &descriptor) &&
           class_signature_read(descriptor, s);
}

void probe_before_call(struct code_work *w, uint32_t at)
{
    struct class_signature s;
    if (!call_signature(w, at, &s)) {
        w->why = "a call whose descriptor is malformed";
        return;
    }
    bool receiver = has_receiver(w, at);
    uint32_t local = w->old.max_locals;
    if (w->spill < receiver + s.slots)
        w->spill = receiver + s.slots;
    move_values(w, &s, receiver, true);
    push_id(w, w->places[at].site);
    call_probe(w, PROBE_BEGIN);
    if (receiver)
        tell_local(w, 'L', local++);
    for (uint32_t i = 0; i < s.count; i++) {
        tell_local(w, s.types[i], local);
        local += slots_of(s.types[i]);
    }
    call_probe(w, PROBE_INTO);
    move_values(w, &s, receiver, false);
}

void probe_after_call(struct code_work *w, uint32_t at)
{
    struct class_signature s;
    if (!call_signature(w, at, &s))
        return;
    if (w->places[at].kind == SITE_SUPER_CALL) {
        access_local(w, OP_ILOAD, 'L', 0);
        call_probe(w, PROBE_MADE);
    } else if (w->places[at].kind == SITE_NEW) {
        add_u1(&w->out, OP_DUP);
        call_probe(w, PROBE_MADE);
    } else if (s.result == 'V') {
        call_probe(w, PROBE_DONE_V);
    } else {
        add_u1(&w->out, slots_of(s.result) == 2 ? OP_DUP2 : OP_DUP);
        call_probe(w, PROBE_DONE_I + (enum probe)shape_of(s.result));
    }
}

void probe_caught(struct code_work *w)
{
    add_u1(&w->out, OP_DUP);
    call_probe(w, PROBE_CAUGHT);
}

/* Behind the code: whatever leaves the method as an exception passes here. */
void probe_handler(struct code_work *w)
{
    if (w->callback) {
        add_u1(&w->out, OP_DUP);
        push_id(w, w->callback);
        call_probe(w, PROBE_THROWN);
    } else if (w->sites) {
        probe_caught(w);
    }
    if (w->timed) {
        push_id(w, w->timed);
        call_probe(w, PROBE_LEAVE);
    }
    add_u1(&w->out, OP_ATHROW);
}
