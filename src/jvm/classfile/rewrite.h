/* Probes put into a class: at the entries and exits of methods, and around calls.
 *
 * Probes are static native methods of one helper class, PROBE_CLASS. A probed method reports
 *   begin(id) argI(x)... go()            entered from outside, with its values (a callback)
 *   outI(x, id) | thrown(t, id)          left, with its result or an exception
 *   enter(id), leave(id)                 entered and left, without values (timed methods)
 * and a probed call site
 *   begin(id) argL(receiver)... into()   about to call out (a call-in)
 *   doneI(x) | made(object)              back, with the result or the object constructed
 *   caught(t)                            an exception arrived in this method, from whatever it did
 *
 * Invariants: what the method computes does not change; no instruction of it is removed; a jump
 * never lands inside a probe; the verifier accepts the result where it accepted the original. Only
 * one stack map frame is added per method, for a handler that has no locals and rethrows. A method
 * that cannot be probed (too large, odd constructors) is left as it is and counted; a file that
 * cannot be understood is left alone as a whole. */
#pragma once

#include "jvm/classfile/classfile.h"

#define PROBE_CLASS "java/lang/TactusBorder"
#define BRIDGE_PREFIX "tactus$"

/* The body of a lambda, and what it implements; hidden classes that call it cannot be rewritten. */
struct lambda_body {
    struct class_text name, descriptor;               /* of the body, a method of this class */
    struct class_text interface_name;                 /* "java/lang/Runnable" */
    struct class_text method_name, method_descriptor; /* "run", "()V" */
};

struct probe_method {
    const struct class_file *file;
    const struct class_method *method;
    const struct lambda_body *lambda; /* or NULL */
    uint32_t line;                    /* its first, 0 = not known */
};

struct probe_call {
    struct probe_method in;
    struct class_text owner, name, descriptor;
    uint32_t opcode, line;
    bool is_super; /* the constructor's call of this(...) or super(...) */
};

/* What to probe: each function returns the probe's id, or 0 for no probe; NULL = none. */
struct probe_plan {
    void *context;
    uint32_t (*timed)(void *context, const struct probe_method *method);
    uint32_t (*callback)(void *context, const struct probe_method *method);
    uint32_t (*callin)(void *context, const struct probe_call *call);
    /* Does a reference matter that implements `method` by `target`, of another class? NULL: none
     * does. */
    bool (*reference)(void *context, struct class_text method, struct class_text descriptor,
                      struct class_text target, struct class_text target_descriptor);
};

enum rewrite_result {
    REWRITE_UNTOUCHED, /* nothing to probe */
    REWRITE_DONE,
    REWRITE_BROKEN, /* not a class file that can be understood */
    REWRITE_NO_ROOM /* memory, or the constant pool is full */
};

struct rewrite_report {
    uint32_t methods, calls; /* probed */
    uint32_t left_alone;     /* methods that could not be probed */
    char first_left[120];    /* the first of them, with the reason */
};

/* *out is the caller's to free, and set only with REWRITE_DONE. */
enum rewrite_result class_rewrite(const uint8_t *bytes, size_t size, const struct probe_plan *plan,
                                  uint8_t **out, size_t *out_size, struct rewrite_report *report);

/* The helper class itself: every probe a static native method. *out is the caller's to free. */
bool class_probe_helper(uint8_t **out, size_t *out_size);
/* Name and descriptor of its methods, in order; NULL after the last. */
const char *class_probe_name(size_t index, const char **descriptor);
