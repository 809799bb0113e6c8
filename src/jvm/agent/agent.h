/* The agent inside a Java virtual machine: what its parts share.
 *
 *   plan (what to watch) -> load (classes get probes) -> probes (natives) -> border -> log
 *
 * One virtual machine per process, so one agent: `agent` is the only state beside what each thread
 * has. Probes run on the program's own threads: they never throw, never allocate in Java's heap,
 * and leave a pending exception alone. */
#pragma once

#include "jvm/classfile/rewrite.h"
#include "jvm/raw.h"
#include <jvmti.h>
#include <pthread.h>

/* A method that the rules name. */
struct plan_method {
    char *class_name; /* "java.util.Timer" */
    char *name;       /* "schedule", "<init>" */
    char *parameters; /* "(Ljava/util/TimerTask;J)", a descriptor without its result */
};

struct plan_list {
    struct plan_method *at;
    size_t count;
    size_t *first,
        *next; /* by name and parameters: a bucket's first entry, and the one after each */
    size_t *by_name, *next_name; /* the same by name alone */
    size_t bucket_count;
};

struct agent_plan {
    char *log, *socket;
    char **patterns; /* of timed methods */
    size_t pattern_count;
    struct plan_list callbacks, callins;
    bool border, breakpoints, everything, hold;
};
/* Does an entry of either list have this name? */
bool plan_names(const struct agent_plan *plan, const char *name, size_t length);
/* Reads the file that the agent was started with; says what is wrong on standard error. */
bool plan_read(const char *path, struct agent_plan *out);
/* Entries with this name and these parameters, one after the other; start with SIZE_MAX. */
size_t plan_next(const struct plan_list *list, size_t from, const char *name, size_t name_length,
                 const char *descriptor, size_t descriptor_length);

enum probe_kind { PROBE_IS_TIMED, PROBE_IS_CALLBACK, PROBE_IS_CALLIN };

/* A class of receivers that a probe has seen. */
struct seen_class {
    jweak class;
    const struct class_info *info;
    const struct border_type *type;
};
enum { SEEN_CLASSES = 2 };

/* What is known of a probe when its class is loaded. */
struct probe_info {
    enum probe_kind kind;
    bool is_static, is_super, is_special;
    char *owner, *name, *descriptor; /* of the method, or of the callee; owner with dots */
    char *place;                     /* "Main.java" of the class that has the probe */
    char *body; /* breakpoint mode: what a lambda's class calls, "Main.lambda$main$0"; or NULL */
    uint32_t line;
    char *lambda_name, *lambda_descriptor; /* or NULL */
    bool is_constructor, is_main;
    _Atomic(struct seen_class *) seen[SEEN_CLASSES]; /* filled once, front to back */
};

#define MAX_PROBES (1u << 22)
enum { PROBE_BLOCK = 4096 };

struct agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct agent_plan plan;
    struct raw_header *header;
    int log_file;
    pthread_mutex_t lock; /* of what follows; never held while Java runs */
    struct probe_info *probes[MAX_PROBES / PROBE_BLOCK];
    uint32_t probe_count;
    int64_t next_object;
    _Atomic uint32_t next_thread;
    jobject platform_loader;
    jclass driver; /* the Java part, or NULL */
    bool live;
};
extern struct agent agent;

/* --- load.c --- */
uint32_t probe_add(struct probe_info info); /* 0 when there are too many */
const struct probe_info *probe_get(uint32_t id);
void place_tell(uint32_t id); /* of a call site, once */
void JNICALL on_class_load(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                           const char *name, jobject domain, jint size, const unsigned char *bytes,
                           jint *new_size, unsigned char **new_bytes);

/* --- log.c --- */
bool log_open(const char *path);
void log_add(enum raw_kind kind, uint32_t probe, const char *text, size_t size);
/* The same in two parts. */
void log_add_parts(enum raw_kind kind, uint32_t probe, const void *first, size_t first_size,
                   const char *text, size_t size);
void log_textf(enum raw_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_thread_ends(void);

/* --- threads.c: what a thread is in the middle of --- */
enum frame_kind { FRAME_CALLBACK, FRAME_CALLIN };
struct text {
    char *at;
    size_t count, capacity;
};
struct border_frame {
    enum frame_kind kind;
    uint32_t probe;
    bool recorded, pending;         /* pending: a constructor, told when it has returned */
    const struct border_type *type; /* how it is called and what it overrides */
    struct text values;             /* of a pending constructor, as raw values */
    uint32_t value_count;
    char *label; /* of a top-level callback */
};
/* From begin to go or into: the call that is about to be told. */
struct call_values {
    uint32_t probe;
    struct text values;                  /* raw values, one behind the other */
    uint32_t value_at[260], value_count; /* where each begins */
    int64_t causes[260];               /* its id, 0 when it is not an object that is called back */
    const struct border_type *type;    /* told by the receiver, or NULL */
    const struct class_info *receiver; /* its class, or NULL */
    char *locator;                     /* of the component that an event comes from, or NULL */
    uint32_t place;                    /* of the call, where the probe does not tell it; or 0 */
};
struct thread_state {
    uint32_t number;
    bool ui;
    struct raw_chunk *chunk;
    struct call_values now;
    struct border_frame *frames;
    uint32_t frame_count, frame_capacity;
    bool named;     /* ui is known */
    bool busy;      /* inside a probe that runs Java: what that does is not the program's */
    jobject thrown; /* breakpoint mode: the exception that was thrown last, a global reference */
};
struct thread_state *thread_state(void);
void thread_state_free(void); /* the thread ends */
void text_add(struct text *t, const char *bytes, size_t n);
void text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A string of JSON from Java's modified UTF-8. */
void text_add_json(struct text *t, const char *java, size_t limit);

/* --- types.c: classes and what methods override --- */
struct class_info {
    char *name;      /* with dots */
    char *type_text; /* as values have it in JSON */
    char *framework; /* the first class of the framework from here upwards; NULL = itself */
    bool is_framework, is_text;
    bool called_back; /* rules name callbacks of its classes or interfaces */
    bool is_awt_event;
    uint32_t number;
};
struct class_info *class_info_of(JNIEnv *jni, jclass class);
/* "type":...,"framework_type":... of the class with this number. */
const char *class_type_text(uint32_t number);
struct border_type {
    bool border;
    uint32_t number;    /* in records */
    char *head;         /* "class":...,"method":...,"overrides":[...] */
    const char *method; /* simple name, for labels */
    bool user;          /* an event of AWT: the user's */
};
/* How the callback or call of a probe is told for a receiver's class; cached. */
const struct border_type *border_type_of(JNIEnv *jni, uint32_t probe, jclass receiver);
/* The same with the receiver's class itself, remembered by the probe. */
void receiver_look_up(JNIEnv *jni, uint32_t probe, jobject receiver, const struct class_info **info,
                      const struct border_type **type);

/* --- values.c --- */
void value_add_integer(struct text *out, int64_t value);
void value_add_real(struct text *out, double value);
/* info: its class if it is known already. The class, or NULL for null. */
const struct class_info *value_add(JNIEnv *jni, struct text *out, jobject object,
                                   const struct class_info *info, int64_t *id);
/* Raw values as JSON, with commas between them. */
void values_add_json(struct text *out, const char *values, size_t size);
void failure_text(JNIEnv *jni, struct text *out, jthrowable error, bool stack);

/* --- border.c: callbacks and call-ins of one thread, told as they come and go --- */
void border_go(JNIEnv *jni, struct thread_state *t, jobject lambda);
void border_into(JNIEnv *jni, struct thread_state *t);
/* result: a raw value, or NULL. */
void border_out(JNIEnv *jni, struct thread_state *t, uint32_t probe, const struct text *result,
                jthrowable error);
/* The same where the exception itself may not be known. */
void border_left(JNIEnv *jni, struct thread_state *t, uint32_t probe, bool by_exception,
                 jthrowable error);
void border_done(struct thread_state *t, const struct text *result);
void border_made(JNIEnv *jni, struct thread_state *t, jobject object);
void border_caught(JNIEnv *jni, struct thread_state *t, jthrowable error);
bool caller_is_app(JNIEnv *jni, jint depth);

/* --- labels.c --- */
char *label_of(const struct thread_state *t, const struct probe_info *p); /* the caller's */
void cause_set(int64_t object, const char *label);
void cause_add(struct text *out, int64_t object); /* ,"cause":label if there is one */

/* --- driver.c: the Java part, for AWT --- */
void driver_define(JNIEnv *jni);
char *driver_locate(JNIEnv *jni, jobject event); /* the caller's, or NULL */
bool driver_post(JNIEnv *jni, const char *locator);
int driver_random(JNIEnv *jni, int64_t seed); /* clicks something; how many there were */
/* On AWT's event thread: dispatches the next event of its queue. False: there was none. */
bool driver_dispatch(JNIEnv *jni);
bool awt_runs(JNIEnv *jni); /* has the virtual machine an event thread of AWT? */

/* --- hold.c --- */
bool hold_connect(const char *path, bool hold);
bool hold_active(void);
/* ui: on AWT's event thread, which goes on with other events when it is asked to. */
void hold_wait(JNIEnv *jni, const char *label, bool ui);
void hold_done(const char *label);

/* --- bodies.c --- */
bool class_is_hidden(const char *name);
/* The method that a hidden class's method calls last, "Main.lambda$main$0"; the caller's, or NULL.
 */
char *lambda_body_name(jclass class, jmethodID method);

/* --- breakpoints.c --- */
void breakpoints_start(JNIEnv *jni);
void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class);
void JNICALL on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                           jlocation location);
void JNICALL on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                          jlocation location, jobject exception, jmethodID catch_method,
                          jlocation catch_location);
void JNICALL on_frame_pop(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                          jboolean by_exception);
