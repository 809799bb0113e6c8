/* Which callbacks are missing, and the events that stand for them. See lifecycle.h.
 *
 * An object has a life cycle when it was called back through one of the cycle's methods, declared
 * by one of its classes; a method is missing when no event has a callback of that name on the
 * object: one that never ended, or ended in an exception, is in no event. It is not assumed where
 * the recording shows that it would not be empty: the app does something in the same callback of
 * another object of the same class. The assumed callback has NULL for every parameter. O(calls). */
#include "protocol/system/lifecycle.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

/* What a signature means: a method of a life cycle, declared by a class. */
struct cycle_method {
    uint32_t cycle, method, class; /* cycle TAC_NONE: of no life cycle */
};

struct cycle_object {
    uint32_t cycle, class;
    uint32_t type; /* the app's class */
    struct value value;
    uint64_t recorded; /* methods */
};

struct completion {
    const struct spec_set *specs;
    const struct recording *recording;
    TAC_VEC(struct cycle_method) methods;
    tac_u64map signatures; /* name of the recording -> index in methods */
    tac_u64map objects;    /* identity << 8 | cycle -> index in list */
    TAC_VEC(struct cycle_object) list;
    tac_u64map busy; /* type << 8 | cycle -> methods in which objects of the type call something */
    tac_str scratch;
};

/* The app's class of an object: a value is interned as its five fields (builder.c). */
static uint32_t type_of(const struct recording *r, struct value value)
{
    uint32_t fields[6];
    if (r->names.length[value.whole] != sizeof fields)
        return TAC_NONE;
    memcpy(fields, r->names.text[value.whole], sizeof fields);
    return fields[2];
}

static bool same_bytes(const char *text, size_t length, const char *other)
{
    return strlen(other) == length && !memcmp(text, other, length);
}

/* "ret pkg.Cls.name(types)": the life cycle that has this method of this class. */
static struct cycle_method classify(const struct spec_set *specs, const char *signature)
{
    struct cycle_method none = {TAC_NONE, 0, 0};
    struct method_parts parts;
    if (!recording_split(signature, &parts) || parts.class == signature)
        return none;
    for (uint32_t c = 0; c < specs->lifecycles.count; c++) {
        const struct spec_lifecycle *cycle = &specs->lifecycles.at[c];
        for (uint32_t k = 0; k < cycle->class_count; k++) {
            uint32_t class = specs->lifecycle_names.at[cycle->first_class + k];
            if (!same_bytes(parts.class, parts.class_length, specs->names.text[class]))
                continue;
            for (uint32_t m = 0; m < cycle->method_count; m++) {
                uint32_t name = specs->lifecycle_methods.at[cycle->first_method + m].name;
                if (same_bytes(parts.name, parts.name_length, specs->names.text[name]))
                    return (struct cycle_method){c, m, class};
            }
        }
    }
    return none;
}

static struct cycle_method method_of(struct completion *c, uint32_t signature)
{
    bool is_new;
    uint64_t index = *tac_u64map_at(&c->signatures, signature, c->methods.count, &is_new);
    if (is_new)
        tac_vec_push(&c->methods, classify(c->specs, c->recording->names.text[signature]));
    assert(index < c->methods.count);
    return c->methods.at[index];
}

static void note_call(struct completion *c, const struct call *call, bool in_event)
{
    const struct recording *r = c->recording;
    assert(call->first_override + call->override_count <= c->recording->overrides.count);
    if (call->kind != CALLBACK || !call->value_count)
        return;
    struct value receiver = r->values.at[call->first_value];
    for (uint32_t i = 0; i < call->override_count; i++) {
        struct cycle_method method = method_of(c, r->overrides.at[call->first_override + i]);
        if (method.cycle == TAC_NONE)
            continue;
        assert(method.method < SPEC_MAX_CALLBACKS && method.cycle < 256);
        uint64_t key = (uint64_t)receiver.identity << 8 | method.cycle;
        bool is_new;
        uint64_t index = *tac_u64map_at(&c->objects, key, c->list.count, &is_new);
        if (is_new)
            tac_vec_push(&c->list, (struct cycle_object){method.cycle, method.class,
                                                         type_of(r, receiver), receiver, 0});
        if (in_event)
            c->list.at[index].recorded |= (uint64_t)1 << method.method;
    }
}

/* A call that a life cycle callback makes, other than the one to its super method. */
static void note_body(struct completion *c, const struct call *call)
{
    const struct recording *r = c->recording;
    if (call->kind != CALLIN || call->parent == TAC_NONE)
        return;
    const struct call *parent = &r->calls.at[call->parent];
    if (parent->kind != CALLBACK || !parent->value_count)
        return;
    for (uint32_t i = 0; i < parent->override_count; i++) {
        uint32_t signature = r->overrides.at[parent->first_override + i];
        struct cycle_method method = method_of(c, signature);
        struct method_parts own, called;
        if (method.cycle == TAC_NONE)
            continue;
        recording_split(r->names.text[signature], &own);
        recording_split(r->names.text[call->signature], &called);
        if (own.name_length == called.name_length &&
            !memcmp(own.name, called.name, own.name_length))
            continue;
        uint64_t type = type_of(r, r->values.at[parent->first_value]);
        *tac_u64map_at(&c->busy, type << 8 | method.cycle, 0, NULL) |= (uint64_t)1 << method.method;
    }
}

static bool known_to_be_busy(const struct completion *c, const struct cycle_object *object,
                             uint32_t method)
{
    const uint64_t *busy = tac_u64map_find(&c->busy, (uint64_t)object->type << 8 | object->cycle);
    return busy && *busy >> method & 1;
}

static uint32_t count_types(const char *types)
{
    uint32_t count = *types != 0;
    for (; *types; types++)
        count += *types == ',';
    return count;
}

/* One empty callback: its call, its two messages, its event. */
static void add_callback(struct completion *c, struct recording *to,
                         const struct cycle_object *object, const struct spec_method *method)
{
    const tac_names *names = &c->specs->names;
    tac_str *text = &c->scratch;
    tac_str_clear(text);
    tac_str_addf(text, "%s %s.%s(%s)", names->text[method->return_type], names->text[object->class],
                 names->text[method->name], names->text[method->types]);
    uint32_t signature = tac_names_intern_bytes(&to->names, tac_str_text(text), text->length);
    uint32_t nothing[6] = {UINT32_MAX - 1, 1, TAC_NONE, TAC_NONE, TAC_NONE, TAC_NONE};
    struct value null = {.whole = tac_names_intern_bytes(&to->names, nothing, sizeof nothing),
                         .identity = IDENTITY_NULL};
    struct call call = {.kind = CALLBACK,
                        .complete = true,
                        .assumed = true,
                        .signature = signature,
                        .first_value = (uint32_t)to->values.count,
                        .value_count = 1 + count_types(names->text[method->types]),
                        .first_override = (uint32_t)to->overrides.count,
                        .override_count = 1,
                        .has_result = strcmp(names->text[method->return_type], "void") != 0,
                        .result = null,
                        .parent = TAC_NONE,
                        .caller_line = TAC_NONE,
                        .exception = TAC_NONE,
                        .label = TAC_NONE};
    tac_vec_push(&to->values, object->value);
    assert(to->order.count <= to->messages.count);
    for (uint32_t i = 1; i < call.value_count; i++)
        tac_vec_push(&to->values, null);
    tac_vec_push(&to->overrides, signature);
    uint32_t index = (uint32_t)to->calls.count, first = (uint32_t)to->messages.count;
    tac_vec_push(&to->calls, call);
    for (int is_exit = 0; is_exit < 2; is_exit++) {
        struct message message = {.call = index, .is_exit = is_exit != 0};
        message.letter = recording_letter(to, text, index, is_exit != 0);
        tac_vec_push(&to->messages, message);
    }
    tac_vec_push(&to->events,
                 (struct top_level){.first = first, .end = first + 2, .assumed = true});
    to->assumed_events++;
}

/* By call: 1 when it belongs to an event that can happen again; the caller's. */
static uint8_t *calls_of_events(const struct recording *r)
{
    uint8_t *in_event = tac_calloc(r->calls.count + 1, 1);
    for (size_t e = 0; e < r->events.count; e++)
        for (uint32_t i = r->events.at[e].first; !r->events.at[e].raised && i < r->events.at[e].end;
             i++)
            in_event[r->messages.at[i].call] = 1;
    return in_event;
}

struct recording *lifecycle_complete(const struct spec_set *specs, const struct recording *r)
{
    struct completion c = {.specs = specs, .recording = r};
    struct recording *to = NULL;
    size_t not_empty = 0;
    uint8_t *in_event = calls_of_events(r);
    for (size_t i = 0; i < r->calls.count && specs->lifecycles.count; i++)
        note_call(&c, &r->calls.at[i], in_event[i]);
    free(in_event);
    for (size_t i = 0; i < r->calls.count && c.list.count; i++)
        note_body(&c, &r->calls.at[i]);
    for (size_t i = 0; i < c.list.count; i++) {
        const struct cycle_object *object = &c.list.at[i];
        const struct spec_lifecycle *cycle = &specs->lifecycles.at[object->cycle];
        for (uint32_t m = 0; m < cycle->method_count; m++) {
            if (object->recorded >> m & 1)
                continue;
            not_empty += known_to_be_busy(&c, object, m);
            if (known_to_be_busy(&c, object, m))
                continue;
            if (!to) {
                to = recording_copy(r);
                for (uint32_t k = (uint32_t)to->order.count; k < r->messages.count; k++)
                    tac_vec_push(&to->order, k);
            }
            add_callback(&c, to, object, &specs->lifecycle_methods.at[cycle->first_method + m]);
        }
    }
    assert(!to || to->order.count == r->messages.count);
    if (to)
        to->not_assumed = not_empty;
    tac_u64map_free(&c.busy);
    tac_vec_free(&c.methods);
    tac_vec_free(&c.list);
    tac_u64map_free(&c.signatures);
    tac_u64map_free(&c.objects);
    tac_str_free(&c.scratch);
    return to;
}
