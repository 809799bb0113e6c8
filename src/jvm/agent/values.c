/* Values as recordings have them: an object is its number, given at first sight; a string is its
 * text; null is null. */
#include "jvm/agent/agent.h"

int64_t object_id(jobject object)
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

void value_add(JNIEnv *jni, struct text *out, jobject object, int64_t *id)
{
    *id = 0;
    if (!object) {
        text_addf(out, "null");
        return;
    }
    jclass class = (*jni)->GetObjectClass(jni, object);
    struct class_info *info = class_info_of(jni, class);
    (*jni)->DeleteLocalRef(jni, class);
    if (info && !strcmp(info->name, "java.lang.String")) {
        const char *chars = (*jni)->GetStringUTFChars(jni, object, NULL);
        text_add_json(out, chars ? chars : "", 256);
        if (chars)
            (*jni)->ReleaseStringUTFChars(jni, object, chars);
        return;
    }
    *id = object_id(object);
    text_addf(out, "{\"object\":\"%lld\",\"type\":", (long long)(*id & ~((int64_t)1 << 62)));
    text_add_json(out, info ? info->name : "java.lang.Object", 400);
    if (info && info->framework) {
        text_addf(out, ",\"framework_type\":");
        text_add_json(out, info->framework, 400);
    }
    text_addf(out, "}");
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
