/* Values as records have them (raw.h): an object is its number, given at first sight, and its
 * class; a string is its text; null is null. */
#include "jvm/agent/agent.h"
#include <inttypes.h>
#include <math.h>

static int64_t object_id(jobject object)
{
    jlong tag = 0;
    (*agent.jvmti)->GetTag(agent.jvmti, object, &tag);
    if (tag)
        return tag;
    pthread_mutex_lock(&agent.lock); /* another thread may be first */
    (*agent.jvmti)->GetTag(agent.jvmti, object, &tag);
    if (!tag) {
        tag = ++agent.next_object;
        (*agent.jvmti)->SetTag(agent.jvmti, object, tag);
    }
    pthread_mutex_unlock(&agent.lock);
    return tag;
}

static void add_head(struct text *out, struct raw_value_head head)
{
    text_add(out, (const char *)&head, sizeof head);
}

void value_add_integer(struct text *out, int64_t value)
{
    add_head(out, (struct raw_value_head){.kind = RAW_INTEGER, .integer = value});
}

void value_add_real(struct text *out, double value)
{
    add_head(out, (struct raw_value_head){.kind = RAW_REAL, .real = value});
}

/* A string as JSON has it, padded. */
static void add_string(JNIEnv *jni, struct text *out, jstring string)
{
    size_t at = out->count;
    const char *chars = (*jni)->GetStringUTFChars(jni, string, NULL);
    add_head(out, (struct raw_value_head){.kind = RAW_TEXT});
    size_t start = out->count;
    text_add_json(out, chars ? chars : "", 256);
    if (chars)
        (*jni)->ReleaseStringUTFChars(jni, string, chars);
    uint32_t size = (uint32_t)(out->count - start);
    text_add(out, "       ", (8 - size % 8) % 8);
    if (out->at)
        ((struct raw_value_head *)(void *)(out->at + at))->more = size;
}

const struct class_info *value_add(JNIEnv *jni, struct text *out, jobject object,
                                   const struct class_info *info, int64_t *id)
{
    *id = 0;
    if (!object) {
        add_head(out, (struct raw_value_head){.kind = RAW_NULL});
        return NULL;
    }
    if (!info) {
        jclass class = (*jni)->GetObjectClass(jni, object);
        info = class_info_of(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
    }
    if (info && info->is_text) {
        add_string(jni, out, object);
        return info;
    }
    *id = object_id(object);
    add_head(out, (struct raw_value_head){.kind = RAW_OBJECT,
                                          .more = info ? info->number : 0,
                                          .integer = *id & ~((int64_t)1 << 62)});
    return info;
}

static void add_real_json(struct text *out, double value)
{
    if (isfinite(value))
        text_addf(out, "%.17g", value);
    else
        text_addf(out, "\"%s\"", isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

void values_add_json(struct text *out, const char *values, size_t size)
{
    for (size_t at = 0; at < size;) {
        const struct raw_value_head *v = (const struct raw_value_head *)(const void *)(values + at);
        if (at)
            text_add(out, ",", 1);
        at += sizeof *v;
        if (v->kind == RAW_INTEGER) {
            text_addf(out, "%" PRId64, v->integer);
        } else if (v->kind == RAW_REAL) {
            add_real_json(out, v->real);
        } else if (v->kind == RAW_TEXT) {
            text_add(out, values + at, v->more);
            at += (v->more + 7u) & ~7u;
        } else if (v->kind == RAW_OBJECT) {
            const char *type = class_type_text(v->more);
            text_addf(out, "{\"object\":\"%" PRId64 "\",", v->integer);
            text_add(out, type, strlen(type));
            text_add(out, "}", 1);
        } else {
            text_add(out, "null", 4);
        }
    }
}

static jstring call_text(JNIEnv *jni, jobject object, const char *method)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    jmethodID id = (*jni)->GetMethodID(jni, class, method, "()Ljava/lang/String;");
    jstring text = id ? (*jni)->CallObjectMethod(jni, object, id) : NULL;
    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        text = NULL;
    }
    (*jni)->DeleteLocalRef(jni, class);
    return text;
}

static void add_frames(JNIEnv *jni, struct text *out, jthrowable error)
{
    jclass class = (*jni)->GetObjectClass(jni, error);
    jmethodID id =
        (*jni)->GetMethodID(jni, class, "getStackTrace", "()[Ljava/lang/StackTraceElement;");
    jobjectArray frames = id ? (*jni)->CallObjectMethod(jni, error, id) : NULL;
    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        frames = NULL;
    }
    jsize count = frames ? (*jni)->GetArrayLength(jni, frames) : 0;
    text_addf(out, ",\"stack\":[");
    for (jsize i = 0; i < count && i < 40; i++) {
        jobject frame = (*jni)->GetObjectArrayElement(jni, frames, i);
        jstring text = frame ? call_text(jni, frame, "toString") : NULL;
        const char *chars = text ? (*jni)->GetStringUTFChars(jni, text, NULL) : NULL;
        if (i)
            text_add(out, ",", 1);
        text_add_json(out, chars ? chars : "?", 400);
        if (chars)
            (*jni)->ReleaseStringUTFChars(jni, text, chars);
        if (text)
            (*jni)->DeleteLocalRef(jni, text);
        if (frame)
            (*jni)->DeleteLocalRef(jni, frame);
    }
    text_addf(out, "]");
    if (frames)
        (*jni)->DeleteLocalRef(jni, frames);
    (*jni)->DeleteLocalRef(jni, class);
}

/* "exception":type,"message":text[,"stack":[...]] */
void failure_text(JNIEnv *jni, struct text *out, jthrowable error, bool stack)
{
    if (!error) {
        text_addf(out, "\"exception\":\"java.lang.Throwable\"");
        return;
    }
    jclass class = (*jni)->GetObjectClass(jni, error);
    struct class_info *info = class_info_of(jni, class);
    (*jni)->DeleteLocalRef(jni, class);
    text_addf(out, "\"exception\":");
    text_add_json(out, info ? info->name : "java.lang.Throwable", 400);
    jstring message = call_text(jni, error, "getMessage");
    const char *chars = message ? (*jni)->GetStringUTFChars(jni, message, NULL) : NULL;
    if (chars) {
        text_addf(out, ",\"message\":");
        text_add_json(out, chars, 1000);
        (*jni)->ReleaseStringUTFChars(jni, message, chars);
    }
    if (message)
        (*jni)->DeleteLocalRef(jni, message);
    if (stack)
        add_frames(jni, out, error);
}
