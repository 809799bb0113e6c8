/* The agent's life: loaded by -agentpath with the path of its plan, it asks the virtual machine for
 * what it needs, and from VMInit on classes of the program get their probes. */
#include "jvm/agent/agent.h"
#include <stdio.h>
#include <unistd.h>

struct agent agent = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool define_helper(JNIEnv *jni)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!class_probe_helper(&bytes, &size))
        return false;
    jclass helper = (*jni)->DefineClass(jni, PROBE_CLASS, NULL, (const jbyte *)bytes, (jsize)size);
    free(bytes);
    return helper && (*jni)->NewGlobalRef(jni, helper);
}

/* Java 9 has a platform loader; before, it is the parent of the one for programs. */
static void find_platform_loader(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/ClassLoader");
    jmethodID method = (*jni)->GetStaticMethodID(jni, class, "getPlatformClassLoader",
                                                 "()Ljava/lang/ClassLoader;");
    jobject loader = NULL;
    if (method) {
        loader = (*jni)->CallStaticObjectMethod(jni, class, method);
    } else {
        (*jni)->ExceptionClear(jni);
        method = (*jni)->GetStaticMethodID(jni, class, "getSystemClassLoader",
                                           "()Ljava/lang/ClassLoader;");
        jobject system = (*jni)->CallStaticObjectMethod(jni, class, method);
        method = (*jni)->GetMethodID(jni, class, "getParent", "()Ljava/lang/ClassLoader;");
        loader = system ? (*jni)->CallObjectMethod(jni, system, method) : NULL;
    }
    (*jni)->ExceptionClear(jni);
    if (loader)
        agent.platform_loader = (*jni)->NewGlobalRef(jni, loader);
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    if (!define_helper(jni)) {
        (*jni)->ExceptionClear(jni);
        fprintf(stderr, "tactus agent: the virtual machine refuses the helper class\n");
        return;
    }
    find_platform_loader(jni);
    if (agent.plan.border)
        driver_define(jni);
    agent.live = true;
    if (agent.plan.breakpoints) {
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
        breakpoints_start(jni);
    } else {
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                           NULL);
    }
    atomic_store(&agent.header->attached, (uint32_t)getpid());
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti, (void)thread;
    log_thread_ends();
    if (thread_state() && thread_state()->thrown)
        (*jni)->DeleteGlobalRef(jni, thread_state()->thrown);
    thread_state_free();
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti, (void)jni;
    atomic_store(&agent.header->ended, 1);
}

static bool ask_capabilities(jvmtiEnv *jvmti)
{
    jvmtiCapabilities wanted = {0};
    if (agent.plan.border) {
        wanted.can_tag_objects = 1;
        wanted.can_access_local_variables = agent.plan.callbacks.count > 0; /* of lambdas */
    }
    if (agent.plan.breakpoints) {
        wanted.can_generate_breakpoint_events = 1;
        wanted.can_generate_frame_pop_events = 1;
        wanted.can_generate_exception_events = 1;
        wanted.can_get_line_numbers = 1;
        wanted.can_get_source_file_name = 1;
        wanted.can_get_bytecodes = 1;
        wanted.can_get_constant_pool = 1;
    }
    return !(*jvmti)->AddCapabilities(jvmti, &wanted);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    agent.vm = vm;
    if (!options || !plan_read(options, &agent.plan) || !log_open(agent.plan.log))
        return JNI_ERR;
    if ((*vm)->GetEnv(vm, (void **)&agent.jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
        !ask_capabilities(agent.jvmti)) {
        fprintf(stderr, "tactus agent: this virtual machine does not offer what recording needs\n");
        return JNI_ERR;
    }
    if (agent.plan.socket && !hold_connect(agent.plan.socket, agent.plan.hold)) {
        fprintf(stderr, "tactus agent: cannot reach the program that started it\n");
        return JNI_ERR;
    }
    jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init,
                                     .VMDeath = on_vm_death,
                                     .ThreadEnd = on_thread_end,
                                     .ClassFileLoadHook = on_class_load,
                                     .ClassPrepare = on_class_prepare,
                                     .Breakpoint = on_breakpoint,
                                     .FramePop = on_frame_pop,
                                     .Exception = on_exception};
    jvmtiEnv *jvmti = agent.jvmti;
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, (jint)sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    return JNI_OK;
}
