/* The probes themselves: native methods of the helper class. The virtual machine finds them by name
 * in the library of the agent. */
#include "jvm/agent/agent.h"

#define PROBE(name, ...)                                                                           \
    JNIEXPORT void JNICALL Java_java_lang_TactusBorder_##name(                                     \
        JNIEnv *jni, jclass helper __VA_OPT__(, ) __VA_ARGS__);                                    \
    JNIEXPORT void JNICALL Java_java_lang_TactusBorder_##name(                                     \
        JNIEnv *jni, jclass helper __VA_OPT__(, ) __VA_ARGS__)

/* NULL: this thread is inside a probe already, or there is nothing to tell. */
static struct thread_state *ready(void)
{
    struct thread_state *t = agent.plan.everything ? NULL : thread_state();
    return t && !t->busy ? t : NULL;
}

PROBE(begin, jint id)
{
    (void)jni, (void)helper;
    struct thread_state *t = ready();
    if (!t)
        return;
    t->now.probe = (uint32_t)id;
    t->now.values.count = t->now.value_count = 0;
    t->now.type = NULL;
    t->now.receiver = NULL;
    free(t->now.locator);
    t->now.locator = NULL;
}

static bool next_value(struct thread_state *t)
{
    if (!t || t->now.value_count >= sizeof t->now.value_at / sizeof *t->now.value_at)
        return false;
    t->now.value_at[t->now.value_count] = (uint32_t)t->now.values.count;
    t->now.causes[t->now.value_count++] = 0;
    return true;
}

PROBE(argJ, jlong value)
{
    (void)jni, (void)helper;
    struct thread_state *t = ready();
    if (next_value(t))
        value_add_integer(&t->now.values, value);
}

PROBE(argI, jint value)
{
    Java_java_lang_TactusBorder_argJ(jni, helper, value);
}

PROBE(argD, jdouble value)
{
    (void)jni, (void)helper;
    struct thread_state *t = ready();
    if (next_value(t))
        value_add_real(&t->now.values, value);
}

PROBE(argF, jfloat value)
{
    Java_java_lang_TactusBorder_argD(jni, helper, (jdouble)value);
}

PROBE(argL, jobject value)
{
    (void)helper;
    struct thread_state *t = ready();
    if (!next_value(t))
        return;
    const struct probe_info *p = probe_get(t->now.probe);
    const struct class_info *info = NULL;
    bool first = t->now.value_count == 1;
    /* The receiver: its class tells what the method overrides. */
    if (first && value && !p->is_static && !p->lambda_name && !p->is_constructor) {
        receiver_look_up(jni, t->now.probe, value, &info, &t->now.type);
        t->now.receiver = info;
    }
    if (t->now.type && !t->now.type->border)
        return; /* it will not be told */
    int64_t id;
    info = value_add(jni, &t->now.values, value, info, &id);
    bool callback = p->kind == PROBE_IS_CALLBACK;
    if (info && (info->called_back || (callback && first)))
        t->now.causes[t->now.value_count - 1] = id;
    if (callback && info && info->is_awt_event && !t->now.locator && !first)
        t->now.locator = driver_locate(jni, value);
}

/* The object of a lambda is the receiver of the frame that called its body. */
static jobject lambda_object(void)
{
    jobject object = NULL;
    jthread self = NULL;
    if ((*agent.jvmti)->GetLocalInstance(agent.jvmti, self, 2, &object))
        return NULL;
    return object;
}

PROBE(go)
{
    (void)helper;
    struct thread_state *t = ready();
    if (!t)
        return;
    jobject lambda = probe_get(t->now.probe)->lambda_name ? lambda_object() : NULL;
    border_go(jni, t, lambda);
}

PROBE(into)
{
    (void)helper;
    struct thread_state *t = ready();
    if (t)
        border_into(jni, t);
}

PROBE(outV, jint id)
{
    (void)helper;
    struct thread_state *t = ready();
    if (t)
        border_out(jni, t, (uint32_t)id, NULL, NULL);
}

PROBE(outJ, jlong value, jint id)
{
    (void)helper;
    struct thread_state *t = ready();
    if (!t)
        return;
    t->now.values.count = 0;
    value_add_integer(&t->now.values, value);
    border_out(jni, t, (uint32_t)id, &t->now.values, NULL);
}

PROBE(outI, jint value, jint id)
{
    Java_java_lang_TactusBorder_outJ(jni, helper, value, id);
}

PROBE(outD, jdouble value, jint id)
{
    (void)helper;
    struct thread_state *t = ready();
    if (!t)
        return;
    t->now.values.count = 0;
    value_add_real(&t->now.values, value);
    border_out(jni, t, (uint32_t)id, &t->now.values, NULL);
}

PROBE(outF, jfloat value, jint id)
{
    Java_java_lang_TactusBorder_outD(jni, helper, (jdouble)value, id);
}

PROBE(outL, jobject value, jint id)
{
    (void)helper;
    struct thread_state *t = ready();
    int64_t object;
    if (!t)
        return;
    t->now.values.count = 0;
    value_add(jni, &t->now.values, value, NULL, &object);
    border_out(jni, t, (uint32_t)id, &t->now.values, NULL);
}

PROBE(thrown, jthrowable error, jint id)
{
    (void)helper;
    struct thread_state *t = ready();
    if (!t)
        return;
    border_caught(jni, t, error);
    border_out(jni, t, (uint32_t)id, NULL, error);
}

/* The state of a thread whose innermost call-in was told; else the call-in is only taken off. */
static struct thread_state *told(void)
{
    struct thread_state *t = ready();
    if (!t)
        return NULL;
    const struct border_frame *top = t->frame_count ? &t->frames[t->frame_count - 1] : NULL;
    t->now.values.count = 0;
    if (top && top->kind == FRAME_CALLIN && top->recorded)
        return t;
    border_done(t, NULL);
    return NULL;
}

PROBE(doneV)
{
    (void)jni, (void)helper;
    struct thread_state *t = ready();
    if (t)
        border_done(t, NULL);
}

PROBE(doneJ, jlong value)
{
    (void)jni, (void)helper;
    struct thread_state *t = told();
    if (!t)
        return;
    value_add_integer(&t->now.values, value);
    border_done(t, &t->now.values);
}

PROBE(doneI, jint value)
{
    Java_java_lang_TactusBorder_doneJ(jni, helper, value);
}

PROBE(doneD, jdouble value)
{
    (void)jni, (void)helper;
    struct thread_state *t = told();
    if (!t)
        return;
    value_add_real(&t->now.values, value);
    border_done(t, &t->now.values);
}

PROBE(doneF, jfloat value)
{
    Java_java_lang_TactusBorder_doneD(jni, helper, (jdouble)value);
}

PROBE(doneL, jobject value)
{
    (void)helper;
    struct thread_state *t = told();
    int64_t object;
    if (!t)
        return;
    value_add(jni, &t->now.values, value, NULL, &object);
    border_done(t, &t->now.values);
}

PROBE(made, jobject object)
{
    (void)helper;
    struct thread_state *t = ready();
    if (t)
        border_made(jni, t, object);
}

PROBE(caught, jthrowable error)
{
    (void)helper;
    struct thread_state *t = ready();
    if (t)
        border_caught(jni, t, error);
}

PROBE(enter, jint id)
{
    (void)jni, (void)helper;
    if (!agent.plan.everything)
        log_add(RAW_ENTER, (uint32_t)id, NULL, 0);
}

PROBE(leave, jint id)
{
    (void)jni, (void)helper;
    if (!agent.plan.everything)
        log_add(RAW_LEAVE, (uint32_t)id, NULL, 0);
}
