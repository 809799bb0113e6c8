/* Inside the recording's builder: what has been read, before entries and exits are matched. */
#pragma once

#include "base/data/digest.h"
#include "base/data/str.h"
#include "protocol/recording/recording.h"

#define EVENT_THREAD 0

#define MAX_MESSAGES ((size_t)1 << 28)

struct method_info {
    uint32_t signature, return_type; /* names */
    uint32_t first_type, type_count; /* in builder.types */
};

struct record {
    uint64_t id;
    size_t place;
    enum raw_type type;
    uint32_t thread;    /* EVENT_THREAD, or a number from 1 on */
    uint32_t call;      /* entries */
    uint32_t method;    /* exits: signature as recorded, or TAC_NONE */
    uint32_t exception; /* exceptions */
    bool has_result;
    struct raw_value_ids {
        bool is_null;
        uint32_t type, framework_type, object_id, value;
    } result;
};

struct recording_builder {
    struct recording *recording;
    bool lines; /* places are lines of text, not message numbers */
    tac_names method_keys;
    TAC_VEC(struct method_info) methods;
    TAC_VEC(uint32_t) types;
    TAC_VEC(struct record) records;
    tac_u64map threads; /* recorded ids of other threads to numbers from 1 on */
    size_t event_messages;
    bool more_overrides; /* some call has them */
    tac_names warned;
    tac_digest *digest; /* of the file's content */
    tac_str scratch;
};

tac_status builder_fail_place(const struct recording_builder *builder, size_t place, tac_error *err,
                              const char *text);
/* methods.c: of a class ("" or NULL: none) and "ret name(type, type)", whose signature is
 * "ret pkg.Cls.name(type,type)"; valid until the next call. */
const struct method_info *builder_method(struct recording_builder *builder, const char *class_name,
                                         const char *method);
/* Adds what the message's method overrides, and other names under which rules know it. */
void builder_add_overrides(struct recording_builder *builder, struct call *call,
                           const struct raw_message *raw);
/* What the exit's record says the call returned. */
void builder_set_result(struct recording *recording, struct call *call,
                        const struct record *record);
/* Matches entries with exits, per thread; fills messages, order, tail, events and others. Without
 * all_threads only the event thread counts. */
tac_status builder_match(const struct recording_builder *builder, struct recording *recording,
                         bool all_threads, tac_error *err);
