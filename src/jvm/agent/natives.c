/* The probes themselves: native methods of the helper class. The virtual machine finds them by name
 * in the library of the agent. */
#include "jvm/agent/agent.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
    if (t->now.value_count)
        text_add(&t->now.values, ",", 1);
    t->now.value_at[t->now.value_count] = (uint32_t)t->now.values.count;
    t->now.objects[t->now.value_count++] = 0;
    return true;
}

static void number_text(double value, char *out, size_t size)
{
    if (isfinite(value))
        snprintf(out, size, "%.17g", value);
    else
        snprintf(out, size, "\"%s\"", isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

PROBE(argI, jint value)
{
    (void)jni, (void)helper;
    struct thread_state *t = ready();
    if (next_value(t))
        text_addf(&t->now.values, "%d", value);
}

PROBE(argJ, jlong value)
{
    (void)jni, (void)helper;
    struct thread_state *t = ready();
    if (next_value(t))
        text_addf(&t->now.values, "%" PRId64, (int64_t)value);
}

PROBE(argD, jdouble value)
{
    (void)jni, (void)helper;
    char text[40];
    struct thread_state *t = ready();
    if (!next_value(t))
        return;
    number_text(value, text, sizeof text);
    text_addf(&t->now.values, "%s", text);
}

PROBE(argF, jfloat value)
{
    Java_java_lang_TactusBorder_argD(jni, helper, (jdouble)value);
}

/* The first value of a method that is not static is its receiver: its class tells what the method
 * overrides. */
static void take_receiver(JNIEnv *jni, struct thread_state *t, const struct probe_info *p,
                          jobject value)
{
    if (p->is_static || p->lambda_name || p->is_constructor || !value)
        return;
    jclass class = (*jni)->GetObjectClass(jni, value);
    t->now.receiver = class_info_of(jni, class);
    t->now.type = border_type_of(jni, t->now.probe, class);
    (*jni)->DeleteLocalRef(jni, class);
}

PROBE(argL, jobject value)
{
    (void)helper;
    struct thread_state *t = ready();
    if (!next_value(t))
        return;
    const struct probe_info *p = probe_get(t->now.probe);
    if (t->now.value_count == 1)
        take_receiver(jni, t, p, value);
    if (t->now.value_count == 1 && t->now.type && !t->now.type->border)
        return; /* it will not be told */
    value_add(jni, &t->now.values, value, &t->now.objects[t->now.value_count - 1]);
    if (p->kind == PROBE_IS_CALLBACK && value && !t->now.locator && t->now.value_count > 1 &&
        strstr(t->now.values.at + t->now.value_at[t->now.value_count - 1],
               "\"type\":\"java.awt.event."))
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
    char text[40];
    struct thread_state *t = ready();
    snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
    if (t)
        border_out(jni, t, (uint32_t)id, text, NULL);
}

PROBE(outI, jint value, jint id)
{
    Java_java_lang_TactusBorder_outJ(jni, helper, value, id);
}

PROBE(outD, jdouble value, jint id)
{
    (void)helper;
    char text[40];
    struct thread_state *t = ready();
    number_text(value, text, sizeof text);
    if (t)
        border_out(jni, t, (uint32_t)id, text, NULL);
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
    value_add(jni, &t->now.values, value, &object);
    border_out(jni, t, (uint32_t)id, t->now.values.at, NULL);
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
    char text[40];
    struct thread_state *t = ready();
    snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
    if (t)
        border_done(t, text);
}

PROBE(doneI, jint value)
{
    Java_java_lang_TactusBorder_doneJ(jni, helper, value);
}

PROBE(doneD, jdouble value)
{
    (void)jni, (void)helper;
    char text[40];
    struct thread_state *t = ready();
    number_text(value, text, sizeof text);
    if (t)
        border_done(t, text);
}

PROBE(doneF, jfloat value)
{
    Java_java_lang_TactusBorder_doneD(jni, helper, (jdouble)value);
}

PROBE(doneL, jobject value)
{
    (void)helper;
    struct thread_state *t = ready();
    int64_t object;
    if (!t || !t->frame_count || !t->frames[t->frame_count - 1].recorded) {
        if (t)
            border_done(t, NULL);
        return;
    }
    t->now.values.count = 0;
    value_add(jni, &t->now.values, value, &object);
    border_done(t, t->now.values.at);
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
