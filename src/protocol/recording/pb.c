/* Reading length-delimited protobuf recordings with protobuf-c.
 *
 * Each message is decoded into a block that is reused, so decoding costs no allocation in the
 * steady state. A file that ends inside a message is truncated, not wrong: what came before is
 * used. A message that does not decode is wrong, and reported by its number and offset. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/recording.pb-c.h"
#include "protocol/recording/recording.h"
#include <inttypes.h>
#include <string.h>

#define MAX_MESSAGE_SIZE ((uint64_t)64 << 20)
#define BUFFER_SIZE ((size_t)1 << 18)

/* A byte stream: first `data`, then the input (if any). Invariant: at <= size. */
struct stream {
    tac_input *input;
    struct recording_builder *builder; /* for the hash */
    char *data;
    size_t at, size, capacity;
    uint64_t offset; /* of data[0] in the file */
};

/* Makes sure that `wanted` bytes are at hand from `at` on, if the input has them. */
static tac_status fill(struct stream *s, size_t wanted, tac_error *err)
{
    assert(s->at <= s->size && s->size <= s->capacity);
    if (s->size - s->at >= wanted || !s->input)
        return TAC_OK;
    memmove(s->data, s->data + s->at, s->size - s->at);
    s->offset += s->at;
    s->size -= s->at;
    s->at = 0;
    if (s->capacity < wanted) {
        s->capacity = wanted > BUFFER_SIZE ? wanted : BUFFER_SIZE;
        s->data = tac_realloc(s->data, s->capacity, 1);
    }
    while (s->size < wanted) {
        size_t got;
        tac_status status =
            tac_input_read(s->input, s->data + s->size, s->capacity - s->size, &got, err);
        if (status != TAC_OK)
            return status;
        if (!got)
            break;
        recording_builder_digest(s->builder, s->data + s->size, got);
        s->size += got;
    }
    return TAC_OK;
}

enum length_kind { LENGTH_OK, LENGTH_END, LENGTH_TRUNCATED, LENGTH_WRONG };

static enum length_kind take_length(struct stream *s, uint64_t *length)
{
    assert(s->at <= s->size);
    uint64_t value = 0;
    if (s->at == s->size)
        return LENGTH_END;
    for (unsigned i = 0; i < 10; i++) {
        if (s->at + i == s->size)
            return LENGTH_TRUNCATED;
        uint8_t byte = (uint8_t)s->data[s->at + i];
        value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            s->at += i + 1;
            *length = value;
            return LENGTH_OK;
        }
    }
    return LENGTH_WRONG;
}

/* The block that one message is decoded into; grows to the largest need and is reset after each. */
struct block {
    char *memory;
    size_t used, capacity;
    struct spill {
        struct spill *next;
    } * spills;
    size_t spilled;
};

static void *block_alloc(void *data, size_t size)
{
    struct block *block = data;
    assert(block->used <= block->capacity);
    size = (size + 15) & ~(size_t)15;
    if (block->capacity - block->used >= size) {
        void *out = block->memory + block->used;
        block->used += size;
        return out;
    }
    struct spill *spill = tac_alloc(16 + size);
    spill->next = block->spills;
    block->spills = spill;
    block->spilled += size;
    return (char *)spill + 16;
}

static void block_free(void *data, void *pointer)
{
    (void)data;
    (void)pointer; /* everything goes at once in block_reset */
}

static void block_reset(struct block *block)
{
    while (block->spills) {
        struct spill *next = block->spills->next;
        free(block->spills);
        block->spills = next;
    }
    if (block->spilled) {
        block->capacity = 2 * (block->capacity + block->spilled);
        free(block->memory);
        block->memory = tac_alloc(block->capacity);
        block->spilled = 0;
    }
    block->used = 0;
}

struct scratch {
    TAC_VEC(struct raw_value) params;
    TAC_VEC(struct raw_override) overrides;
    struct raw_value result;
};

static struct raw_value convert_value(const Recorded__Value *v)
{
    return (struct raw_value){.is_null = v->has_is_null && v->is_null,
                              .type = v->type,
                              .framework_type = v->framework_type,
                              .object_id = v->object_id,
                              .value = v->value};
}

static void convert_params(struct scratch *scratch, struct raw_message *raw, Recorded__Value **list,
                           size_t count)
{
    scratch->params.count = 0;
    for (size_t i = 0; i < count; i++)
        tac_vec_push(&scratch->params, convert_value(list[i]));
    raw->params = scratch->params.at;
    raw->param_count = count;
}

static void convert_exit(struct scratch *scratch, struct raw_message *raw,
                         const Recorded__CallExit *exit)
{
    raw->class_name = exit->class_name;
    raw->method = exit->method_name;
    if (exit->return_value) {
        scratch->result = convert_value(exit->return_value);
        raw->result = &scratch->result;
    }
}

static void convert_callback(struct scratch *scratch, struct raw_message *raw,
                             const Recorded__CallbackEntry *entry)
{
    raw->class_name = entry->class_name;
    raw->method = entry->method_name;
    raw->first_super = entry->receiver_first_framework_super;
    convert_params(scratch, raw, entry->param_list, entry->n_param_list);
    scratch->overrides.count = 0;
    for (size_t i = 0; i < entry->n_framework_overrides; i++) {
        const Recorded__FrameworkOverride *o = entry->framework_overrides[i];
        tac_vec_push(&scratch->overrides,
                     (struct raw_override){.class_name = o->class_name,
                                           .method = o->method,
                                           .is_interface = o->has_is_interface && o->is_interface});
    }
    raw->overrides = scratch->overrides.at;
    raw->override_count = scratch->overrides.count;
}

static void convert_exception(struct raw_message *raw, const Recorded__CallException *e)
{
    raw->class_name = e->throwing_class_name;
    raw->method = e->throwing_method_name;
    raw->exception_type = e->type;
    raw->exception_text = e->exception_message;
}

/* False when the message's type and its content do not fit together. */
static bool convert(struct scratch *scratch, const Recorded__Message *m, struct raw_message *raw)
{
    *raw = (struct raw_message){.type = (enum raw_type)m->type,
                                .id = m->message_id,
                                .ui_thread = m->has_is_activity_thread && m->is_activity_thread,
                                .thread = m->thread_id};
    switch (m->type) {
    case RAW_APP:
        return true;
    case RAW_CALLIN_ENTRY:
        if (!m->callin_entry)
            return false;
        raw->class_name = m->callin_entry->class_name;
        raw->method = m->callin_entry->method_name;
        raw->caller_class = m->callin_entry->calling_class_name;
        raw->caller_line = m->callin_entry->calling_class_line;
        convert_params(scratch, raw, m->callin_entry->param_list, m->callin_entry->n_param_list);
        return true;
    case RAW_CALLBACK_ENTRY:
        if (m->callback_entry)
            convert_callback(scratch, raw, m->callback_entry);
        return m->callback_entry != NULL;
    case RAW_CALLIN_EXIT:
        if (m->callin_exit)
            convert_exit(scratch, raw, m->callin_exit);
        return m->callin_exit != NULL;
    case RAW_CALLBACK_EXIT:
        if (m->callback_exit)
            convert_exit(scratch, raw, m->callback_exit);
        return m->callback_exit != NULL;
    case RAW_CALLIN_EXCEPTION:
    case RAW_CALLBACK_EXCEPTION: {
        const Recorded__CallException *e =
            m->callin_exception ? m->callin_exception : m->callback_exception;
        if (e)
            convert_exception(raw, e);
        return e != NULL;
    }
    }
    return false;
}

static tac_status add_message(struct stream *s, struct block *block, struct scratch *scratch,
                              size_t length, size_t number, struct recording_builder *builder,
                              const char *name, tac_error *err)
{
    ProtobufCAllocator allocator = {
        .alloc = block_alloc, .free = block_free, .allocator_data = block};
    Recorded__Container *container =
        recorded__container__unpack(&allocator, length, (const uint8_t *)s->data + s->at);
    struct raw_message raw;
    tac_status status;
    if (!container || !container->msg)
        status =
            tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                        "message %zu (at byte %" PRIu64 ") is not a lifestate message: the file is "
                        "damaged, or not a length-delimited protobuf recording",
                        number, s->offset + s->at);
    else if (!convert(scratch, container->msg, &raw))
        status = tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                             "message %zu (at byte %" PRIu64
                             ") has type %d but not the matching content",
                             number, s->offset + s->at, (int)container->msg->type);
    else {
        raw.place = number;
        status = recording_builder_add(builder, &raw, err);
    }
    block_reset(block);
    return status;
}

static tac_status read_messages(struct stream *s, struct block *block, struct scratch *scratch,
                                struct recording_builder *builder, const char *name,
                                bool *truncated, tac_error *err)
{
    for (size_t number = 1;; number++) {
        uint64_t length = 0;
        tac_status status = fill(s, 10, err);
        if (status != TAC_OK)
            return status;
        switch (take_length(s, &length)) {
        case LENGTH_END:
            return TAC_OK;
        case LENGTH_TRUNCATED:
            *truncated = true;
            return TAC_OK;
        case LENGTH_WRONG:
            length = UINT64_MAX;
            break;
        case LENGTH_OK:
            break;
        }
        if (length > MAX_MESSAGE_SIZE)
            return tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                               "message %zu (at byte %" PRIu64
                               ") claims a length over 64 MiB: not a "
                               "length-delimited protobuf recording",
                               number, s->offset + s->at);
        status = fill(s, (size_t)length, err);
        if (status != TAC_OK)
            return status;
        if (s->size - s->at < length) {
            *truncated = true;
            return TAC_OK;
        }
        status = add_message(s, block, scratch, (size_t)length, number, builder, name, err);
        if (status != TAC_OK)
            return status;
        s->at += (size_t)length;
    }
}

tac_status recording_read_pb(tac_input *input, const char *head, size_t head_size,
                             struct recording_builder *builder, bool *truncated, tac_error *err)
{
    struct stream s = {.input = input, .builder = builder, .size = head_size};
    recording_builder_digest(builder, head, head_size);
    s.capacity = head_size > BUFFER_SIZE ? head_size : BUFFER_SIZE;
    s.data = tac_alloc(s.capacity);
    memcpy(s.data, head, head_size);
    struct block block = {.memory = tac_alloc(1 << 16), .capacity = 1 << 16};
    struct scratch scratch = {0};
    tac_status status = read_messages(&s, &block, &scratch, builder,
                                      input ? tac_input_name(input) : "<memory>", truncated, err);
    block_reset(&block);
    free(block.memory);
    free(s.data);
    tac_vec_free(&scratch.params);
    tac_vec_free(&scratch.overrides);
    return status;
}
