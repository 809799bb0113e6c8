/* Inside the rewriter: constants that are added, probes as instructions, the code of one method. */
#pragma once

#include "jvm/classfile/rewrite.h"

/* The probes, in the order of the helper class's methods. The letters I J F D L follow each other
 * where a probe takes a value. */
enum probe {
    PROBE_BEGIN,
    PROBE_ARG_I,
    PROBE_ARG_J,
    PROBE_ARG_F,
    PROBE_ARG_D,
    PROBE_ARG_L,
    PROBE_GO,
    PROBE_INTO,
    PROBE_OUT_V,
    PROBE_OUT_I,
    PROBE_OUT_J,
    PROBE_OUT_F,
    PROBE_OUT_D,
    PROBE_OUT_L,
    PROBE_THROWN,
    PROBE_DONE_V,
    PROBE_DONE_I,
    PROBE_DONE_J,
    PROBE_DONE_F,
    PROBE_DONE_D,
    PROBE_DONE_L,
    PROBE_MADE,
    PROBE_CAUGHT,
    PROBE_ENTER,
    PROBE_LEAVE,
    PROBE_COUNT
};

/* Constants that are added behind those of the class; bad when the pool is full. */
struct constant_pool {
    struct class_bytes bytes;
    uint32_t count; /* of all constants, those of the class included */
    uint32_t class_index, throwable, stack_map, probes[PROBE_COUNT];
    bool bad;
};

uint32_t pool_utf8(struct constant_pool *pool, const char *text);
uint32_t pool_class(struct constant_pool *pool, const char *name);
uint32_t pool_integer(struct constant_pool *pool, uint32_t value);
/* A constant that is made of two others: a method, or a name and a type. */
uint32_t pool_pair(struct constant_pool *pool, uint32_t tag, uint32_t first, uint32_t second);
uint32_t pool_handle(struct constant_pool *pool, uint32_t kind, uint32_t member);
uint32_t pool_probe(struct constant_pool *pool, enum probe probe);

enum site_kind {
    SITE_NONE,
    SITE_CALL,      /* an ordinary call */
    SITE_NEW,       /* new, dup, ..., <init>: the object is on top afterwards */
    SITE_SUPER_CALL /* this(...) or super(...): the object is local 0 afterwards */
};

struct code_attribute {
    uint32_t max_stack, max_locals, length, exception_count, attribute_count;
    const uint8_t *code, *exceptions, *attributes, *end;
};

struct code_place {
    uint32_t label; /* where a jump to this instruction goes now */
    uint32_t at;    /* where the instruction itself is now */
    uint32_t site;  /* id of the call-in here, 0 = none */
    uint8_t start, handler, kind;
};

struct code_work {
    const struct class_file *file;
    const struct probe_plan *plan;
    struct constant_pool *pool;
    struct probe_method subject;
    struct class_signature signature;
    struct code_attribute old;
    struct code_place *places; /* length + 1 */
    struct class_bytes out;
    uint32_t timed, callback, sites;
    uint32_t guard_from, guard_to; /* new positions that the added handler covers */
    uint32_t handler_at;
    uint32_t super_call; /* old position of this(...)/super(...), or UINT32_MAX */
    uint32_t spill;      /* slots needed above max_locals */
    const char *why;     /* the method cannot be probed */
};

/* Length of the instruction at `at`, 0 when it is none or does not fit. */
uint32_t instruction_length(const uint8_t *code, uint32_t length, uint32_t at);
bool code_attribute_read(const struct class_method *method, struct code_attribute *out);
/* The line of an old position, 0 = not known. */
uint32_t code_line(const struct class_file *file, const struct code_attribute *code, uint32_t at);

/* Decides what to probe; false with work->why when the code cannot be understood. */
bool code_scan(struct code_work *work);
/* Writes the instructions with probes between them; then jumps go where they went. */
bool code_emit(struct code_work *work);
bool code_relocate(struct code_work *work);
/* The body of the new StackMapTable; `old` may be NULL. False when it cannot be understood. */
bool frames_write(const struct code_work *work, const uint8_t *old, size_t size,
                  struct class_bytes *out);
/* Is there a frame behind `from` in which `this` is not yet constructed? */
bool frames_uninitialised_after(const struct code_work *work, const uint8_t *old, size_t size,
                                uint32_t from);
/* The attribute of the code called `name`; NULL when there is none. */
const uint8_t *code_attribute_find(const struct class_file *file, const struct code_attribute *code,
                                   const char *name, size_t *size);

void probe_entry(struct code_work *work);
void probe_exit(struct code_work *work, uint32_t opcode);
void probe_before_call(struct code_work *work, uint32_t at);
void probe_after_call(struct code_work *work, uint32_t at);
void probe_handler(struct code_work *work);
void probe_caught(struct code_work *work);

/* Lambda bodies of a class; the list is the caller's to free. */
struct lambda_list {
    struct lambda_body *at;
    uint32_t count;
};
bool lambda_bodies_read(const struct class_file *file, struct lambda_list *out);
/* Is it a handle of this method of LambdaMetafactory? NULL: of either. */
bool is_metafactory(const struct class_file *file, uint32_t handle, const char *method);
/* Where each entry of the bootstrap table begins; the caller's to free. */
const uint8_t **bootstrap_entries(const struct class_file *file, uint32_t *count);

/* The class with bridges for references to methods of others; false when there are none that
 * matter, or no room. The bytes are the caller's to free. */
bool class_bridge_references(const struct class_file *file, const struct probe_plan *plan,
                             struct class_bytes *out);
