/* Callbacks and call-ins of one thread.
 *
 * Each thread has a stack of what it is in: callbacks (the program's code runs) and call-ins (the
 * framework's code runs). Every probed entry pushes, every probed exit pops, whether it is told or
 * not. A callback is a crossing of the border only if the framework made the call: the caller is
 * looked at. A call-in is one only if the framework runs it. */
#include "jvm/agent/agent.h"

static struct border_frame *push_frame(struct thread_state *t, enum frame_kind kind)
{
    if (t->frame_count == t->frame_capacity) {
        uint32_t capacity = t->frame_capacity * 2 + 16;
        struct border_frame *grown = realloc(t->frames, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        t->frames = grown;
        t->frame_capacity = capacity;
    }
    struct border_frame *frame = &t->frames[t->frame_count++];
    *frame = (struct border_frame){.kind = kind, .probe = t->now.probe};
    return frame;
}

static void pop_frame(struct thread_state *t)
{
    struct border_frame *frame = &t->frames[--t->frame_count];
    free(frame->values.at);
    free(frame->label);
}

/* Is the method at this depth of the stack the program's own? Frames that the virtual machine made
 * for a lambda are passed over. */
bool caller_is_app(JNIEnv *jni, jint depth)
{
    jvmtiFrameInfo frames[3];
    jint count = 0;
    if ((*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, depth, 3, frames, &count))
        return false;
    for (jint i = 0; i < count; i++) {
        jclass class = NULL;
        if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, frames[i].method, &class))
            return false;
        const struct class_info *info = class_info_of(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
        if (info && !class_is_hidden(info->name))
            return !info->is_framework;
    }
    return false;
}

static void find_thread(JNIEnv *jni, struct thread_state *t)
{
    jvmtiThreadInfo info = {0};
    t->named = true;
    if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, NULL, &info))
        return;
    t->ui = info.name && !strncmp(info.name, "AWT-EventQueue", 14);
    if (t->ui)
        atomic_store(&agent.header->awt, 1);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    if (info.thread_group)
        (*jni)->DeleteLocalRef(jni, info.thread_group);
    if (info.context_class_loader)
        (*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

/* The innermost label, for what this callback asks for. */
static const char *current_label(const struct thread_state *t)
{
    for (uint32_t i = t->frame_count; i-- > 0;)
        if (t->frames[i].label)
            return t->frames[i].label;
    return NULL;
}

static bool in_callback(const struct thread_state *t)
{
    for (uint32_t i = 0; i < t->frame_count; i++)
        if (t->frames[i].kind == FRAME_CALLBACK && t->frames[i].recorded)
            return true;
    return false;
}

static uint32_t parameter_count(const char *descriptor)
{
    struct class_signature s;
    struct class_text text = {descriptor, (uint32_t)strlen(descriptor)};
    return class_signature_read(text, &s) ? s.count : 0;
}

/* "params":[receiver,...]: of a lambda's body only what its interface's method takes. */
static void add_values(JNIEnv *jni, struct thread_state *t, const struct probe_info *p,
                       jobject lambda, int64_t *receiver, struct text *out)
{
    uint32_t first = 0;
    struct text values = {0};
    text_addf(out, ",\"params\":[");
    if (p->lambda_name) {
        uint32_t count = parameter_count(p->lambda_descriptor);
        first = t->now.value_count > count ? t->now.value_count - count : 0;
        value_add(jni, &values, lambda, NULL, receiver);
    } else if (p->is_static) {
        int64_t none;
        value_add(jni, &values, NULL, NULL, &none);
    } else if (t->now.value_count) {
        *receiver = t->now.causes[0];
    }
    if (first < t->now.value_count)
        text_add(&values, t->now.values.at + t->now.value_at[first],
                 t->now.values.count - t->now.value_at[first]);
    values_add_json(out, values.at, values.count);
    free(values.at);
    text_addf(out, "]");
}

static const struct border_type *type_of_lambda(JNIEnv *jni, struct thread_state *t, jobject lambda)
{
    jclass class = lambda ? (*jni)->GetObjectClass(jni, lambda) : NULL;
    const struct border_type *type = border_type_of(jni, t->now.probe, class);
    if (class)
        (*jni)->DeleteLocalRef(jni, class);
    return type;
}

static void tell_callback(JNIEnv *jni, struct thread_state *t, const struct border_frame *frame,
                          const struct probe_info *p, jobject lambda)
{
    struct text line = {0};
    int64_t receiver = 0;
    text_addf(&line, "{\"type\":\"callback_entry\",");
    text_add(&line, frame->type->head, strlen(frame->type->head));
    add_values(jni, t, p, lambda, &receiver, &line);
    if (frame->label) {
        text_addf(&line, ",\"event\":");
        text_add_json(&line, frame->label, SIZE_MAX);
    }
    if (frame->label && t->now.locator) {
        text_addf(&line, ",\"by\":{\"click\":");
        text_add_json(&line, t->now.locator, SIZE_MAX);
        text_addf(&line, "}");
    } else if (frame->label) {
        cause_add(&line, receiver);
    }
    text_addf(&line, "}");
    log_add(RAW_MESSAGE, t->now.probe, line.at, line.count);
    free(line.at);
}

/* The event thread may run other callbacks while this one waits: what it has of this call is put
 * aside. */
static void wait_to_be_named(JNIEnv *jni, struct thread_state *t, const char *label)
{
    struct call_values kept = t->now;
    t->now = (struct call_values){0};
    hold_wait(jni, label, t->ui);
    free(t->now.values.at);
    free(t->now.locator);
    t->now = kept;
}

void border_go(JNIEnv *jni, struct thread_state *t, jobject lambda)
{
    const struct probe_info *p = probe_get(t->now.probe);
    const struct border_type *type = t->now.type;
    if (!type)
        type = p->lambda_name ? type_of_lambda(jni, t, lambda)
                              : border_type_of(jni, t->now.probe, NULL);
    bool crossing = type && type->border && (agent.plan.breakpoints || !caller_is_app(jni, 2));
    bool top = crossing && !in_callback(t);
    if (!t->named)
        find_thread(jni, t);
    char *label = top ? label_of(t, p) : NULL;
    if (label && hold_active())
        wait_to_be_named(jni, t, label);
    struct border_frame *frame = push_frame(t, FRAME_CALLBACK);
    if (!frame) {
        free(label);
        return;
    }
    frame->type = type;
    frame->recorded = crossing;
    frame->label = label;
    if (crossing)
        tell_callback(jni, t, frame, p, lambda);
}

/* Who asked for the callbacks of the objects that this call hands on. */
static void note_causes(const struct thread_state *t)
{
    const char *label = NULL;
    for (uint32_t i = 0; i < t->now.value_count; i++)
        if (t->now.causes[i]) {
            if (!label)
                label = current_label(t);
            if (!label)
                return;
            cause_set(t->now.causes[i], label);
        }
}

static void tell_callin(struct thread_state *t, const struct border_frame *frame, uint32_t count,
                        const struct text *values)
{
    struct raw_callin head = {frame->type->number, count};
    log_add_parts(RAW_CALLIN, t->now.place ? t->now.place : frame->probe, &head, sizeof head,
                  values->at, values->count);
    note_causes(t);
}

/* The receiver of a static method is null. */
static void tell_static(JNIEnv *jni, struct thread_state *t, const struct border_frame *frame)
{
    struct text values = {0};
    int64_t none;
    value_add(jni, &values, NULL, NULL, &none);
    if (t->now.values.count)
        text_add(&values, t->now.values.at, t->now.values.count);
    tell_callin(t, frame, t->now.value_count + 1, &values);
    free(values.at);
}

void border_into(JNIEnv *jni, struct thread_state *t)
{
    const struct probe_info *p = probe_get(t->now.probe);
    const struct border_type *type = t->now.type;
    if (!type && (p->is_static || p->is_constructor))
        type = border_type_of(jni, t->now.probe, NULL);
    struct border_frame *frame = push_frame(t, FRAME_CALLIN);
    if (!frame || !type || !type->border)
        return;
    if (!t->named)
        find_thread(jni, t);
    frame->type = type;
    frame->recorded = true;
    if (p->is_constructor && !agent.plan.breakpoints) { /* there, the object is known at once */
        frame->pending = true;
        frame->value_count = t->now.value_count;
        if (t->now.values.count)
            text_add(&frame->values, t->now.values.at, t->now.values.count);
        return;
    }
    if (p->is_static)
        tell_static(jni, t, frame);
    else
        tell_callin(t, frame, t->now.value_count, &t->now.values);
}

static void tell_callback_exit(const struct text *result)
{
    struct text line = {0};
    text_addf(&line, "{\"type\":\"callback_exit\"");
    if (result) {
        text_addf(&line, ",\"value\":");
        values_add_json(&line, result->at, result->count);
    }
    text_addf(&line, "}");
    log_add(RAW_MESSAGE, 0, line.at, line.count);
    free(line.at);
}

static void tell_exception(JNIEnv *jni, struct thread_state *t, const char *type, jthrowable error)
{
    struct text line = {0};
    text_addf(&line, "{\"type\":\"%s\",", type);
    t->busy = true; /* getMessage may be the program's */
    failure_text(jni, &line, error, false);
    t->busy = false;
    text_addf(&line, "}");
    log_add(RAW_MESSAGE, 0, line.at, line.count);
    free(line.at);
}

static void tell_failure(JNIEnv *jni, struct thread_state *t, jthrowable error)
{
    struct text line = {0};
    text_addf(&line, "{");
    t->busy = true;
    failure_text(jni, &line, error, true);
    t->busy = false;
    text_addf(&line, "}");
    log_add(RAW_FAILURE, 0, line.at, line.count);
    free(line.at);
}

static void tell_pending(JNIEnv *jni, struct thread_state *t, struct border_frame *frame,
                         jobject object)
{
    struct text values = {0};
    const struct class_info *info = value_add(jni, &values, object, NULL, &t->now.causes[0]);
    if (!info || !info->called_back)
        t->now.causes[0] = 0;
    t->now.value_count = 1;
    if (frame->values.count)
        text_add(&values, frame->values.at, frame->values.count);
    frame->pending = false;
    tell_callin(t, frame, frame->value_count + 1, &values);
    free(values.at);
}

static void leave(JNIEnv *jni, struct thread_state *t, uint32_t probe, const struct text *result,
                  jthrowable error, bool raised)
{
    uint32_t at = t->frame_count;
    while (at > 0 && (t->frames[at - 1].kind != FRAME_CALLBACK || t->frames[at - 1].probe != probe))
        at--;
    if (!at)
        return;
    while (t->frame_count > at) /* what an exception left behind unseen */
        if (t->frames[t->frame_count - 1].kind == FRAME_CALLIN)
            border_caught(jni, t, error);
        else
            pop_frame(t);
    struct border_frame *frame = &t->frames[at - 1];
    char *label = frame->label;
    bool recorded = frame->recorded;
    frame->label = NULL;
    if (recorded && raised)
        tell_exception(jni, t, "callback_exception", error);
    else if (recorded)
        tell_callback_exit(result);
    if (label && raised)
        tell_failure(jni, t, error);
    pop_frame(t);
    if (label && hold_active())
        hold_done(label);
    free(label);
}

void border_out(JNIEnv *jni, struct thread_state *t, uint32_t probe, const struct text *result,
                jthrowable error)
{
    leave(jni, t, probe, result, error, error != NULL);
}

void border_left(JNIEnv *jni, struct thread_state *t, uint32_t probe, bool by_exception,
                 jthrowable error)
{
    leave(jni, t, probe, NULL, error, by_exception);
}

/* The call-in that returns is the topmost; callbacks above it were left unseen. */
static struct border_frame *returning(struct thread_state *t)
{
    while (t->frame_count && t->frames[t->frame_count - 1].kind != FRAME_CALLIN)
        pop_frame(t);
    return t->frame_count ? &t->frames[t->frame_count - 1] : NULL;
}

void border_done(struct thread_state *t, const struct text *result)
{
    struct border_frame *frame = returning(t);
    if (!frame)
        return;
    if (frame->recorded)
        log_add(RAW_RETURN, frame->probe, result ? result->at : NULL, result ? result->count : 0);
    pop_frame(t);
}

void border_made(JNIEnv *jni, struct thread_state *t, jobject object)
{
    struct border_frame *frame = returning(t);
    if (!frame)
        return;
    if (frame->recorded) {
        tell_pending(jni, t, frame, object);
        log_add(RAW_RETURN, frame->probe, NULL, 0);
    }
    pop_frame(t);
}

/* An exception arrived in a method that makes call-ins: the one that is open ended in it. */
void border_caught(JNIEnv *jni, struct thread_state *t, jthrowable error)
{
    if (!t->frame_count || t->frames[t->frame_count - 1].kind != FRAME_CALLIN)
        return;
    struct border_frame *frame = &t->frames[t->frame_count - 1];
    if (frame->recorded && frame->pending)
        tell_pending(jni, t, frame, NULL);
    if (frame->recorded)
        tell_exception(jni, t, "callin_exception", error);
    pop_frame(t);
}
