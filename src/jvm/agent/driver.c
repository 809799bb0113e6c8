/* The Java part of the agent: AWT is asked and driven in its own language. */
#include "driver_class.h"
#include "jvm/agent/agent.h"

void driver_define(JNIEnv *jni)
{
    jclass class = (*jni)->DefineClass(jni, "tactus/Driver", NULL, (const jbyte *)driver_class,
                                       (jsize)(sizeof driver_class - 1));
    if (class)
        agent.driver = (*jni)->NewGlobalRef(jni, class);
    else
        (*jni)->ExceptionClear(jni);
}

/* Runs a static method of the driver with this thread's probes silent. */
static jvalue run(JNIEnv *jni, const char *name, const char *descriptor, jvalue argument)
{
    jvalue result = {.j = 0};
    struct thread_state *t = thread_state();
    jmethodID id =
        agent.driver ? (*jni)->GetStaticMethodID(jni, agent.driver, name, descriptor) : NULL;
    if (id && t) {
        bool before = t->busy;
        const char *close = strchr(descriptor, ')');
        t->busy = true;
        if (close && close[1] == 'L')
            result.l = (*jni)->CallStaticObjectMethodA(jni, agent.driver, id, &argument);
        else if (close && close[1] == 'I')
            result.i = (*jni)->CallStaticIntMethodA(jni, agent.driver, id, &argument);
        else
            result.z = (*jni)->CallStaticBooleanMethodA(jni, agent.driver, id, &argument);
        t->busy = before;
    }
    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        result.j = 0;
    }
    return result;
}

char *driver_locate(JNIEnv *jni, jobject event)
{
    jstring name =
        run(jni, "locate", "(Ljava/lang/Object;)Ljava/lang/String;", (jvalue){.l = event}).l;
    const char *chars = name ? (*jni)->GetStringUTFChars(jni, name, NULL) : NULL;
    char *copy = chars ? strdup(chars) : NULL;
    if (chars)
        (*jni)->ReleaseStringUTFChars(jni, name, chars);
    if (name)
        (*jni)->DeleteLocalRef(jni, name);
    return copy;
}

bool driver_post(JNIEnv *jni, const char *locator)
{
    jstring text = (*jni)->NewStringUTF(jni, locator);
    bool posted = text && run(jni, "post", "(Ljava/lang/String;)Z", (jvalue){.l = text}).z;
    if (text)
        (*jni)->DeleteLocalRef(jni, text);
    return posted;
}

int driver_random(JNIEnv *jni, int64_t seed)
{
    return run(jni, "random", "(J)I", (jvalue){.j = seed}).i;
}

/* Tells the handler of uncaught exceptions, as the event thread does. */
static void hand_over(JNIEnv *jni)
{
    jthrowable error = (*jni)->ExceptionOccurred(jni);
    if (!error)
        return;
    (*jni)->ExceptionClear(jni);
    run(jni, "report", "(Ljava/lang/Object;)Z", (jvalue){.l = error});
    (*jni)->DeleteLocalRef(jni, error);
}

bool driver_dispatch(JNIEnv *jni)
{
    jobject event = run(jni, "next", "(J)Ljava/lang/Object;", (jvalue){.j = 0}).l;
    jobject queue = run(jni, "queue", "(J)Ljava/lang/Object;", (jvalue){.j = 0}).l;
    if (event && queue) { /* protected: only from here can it be called on any queue */
        jclass class = (*jni)->GetObjectClass(jni, queue);
        jmethodID id = (*jni)->GetMethodID(jni, class, "dispatchEvent", "(Ljava/awt/AWTEvent;)V");
        if (id)
            (*jni)->CallVoidMethod(jni, queue, id, event);
        (*jni)->DeleteLocalRef(jni, class);
        hand_over(jni);
    }
    bool dispatched = event != NULL;
    if (event)
        (*jni)->DeleteLocalRef(jni, event);
    if (queue)
        (*jni)->DeleteLocalRef(jni, queue);
    return dispatched;
}

static bool is_event_thread(JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info = {0};
    if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, thread, &info))
        return false;
    bool awt = info.name && !strncmp(info.name, "AWT-EventQueue", 14);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    if (info.thread_group)
        (*jni)->DeleteLocalRef(jni, info.thread_group);
    if (info.context_class_loader)
        (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    return awt;
}

bool awt_runs(JNIEnv *jni)
{
    jint count = 0;
    jthread *threads = NULL;
    bool found = false;
    if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &threads))
        return false;
    for (jint i = 0; i < count; i++) {
        found = found || is_event_thread(jni, threads[i]);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
    return found;
}
