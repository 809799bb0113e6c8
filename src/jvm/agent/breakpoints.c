/* Breakpoint mode: nothing is rewritten. Methods that the rules name, and methods of the program
 * that override them, stop at their first instruction; the frame's end is told by FramePop.
 *
 * It needs nothing but JVMTI, costs tens of microseconds per call, and sees neither results nor
 * the exception that ended a call. */
#include "jvm/agent/agent.h"

/* class_name: static methods and constructors are named by their class; NULL: by what they
 * override, which is told at the call. */
static bool is_listed(const struct plan_list *list, const char *class_name, const char *name,
                      const char *descriptor)
{
    size_t at = SIZE_MAX;
    while ((at = plan_next(list, at, name, strlen(name), descriptor, strlen(descriptor))) !=
           SIZE_MAX)
        if (!class_name || !strcmp(list->at[at].class_name, class_name))
            return true;
    return false;
}

static uint32_t probe_of(jclass class, const struct class_info *info, jmethodID method,
                         const char *name, const char *descriptor, jint access, bool main)
{
    bool constructor = !strcmp(name, "<init>");
    return probe_add((struct probe_info){
        .kind = info->is_framework ? PROBE_IS_CALLIN : PROBE_IS_CALLBACK,
        .is_static = access & ACCESS_STATIC,
        .owner = info->name,
        .name = strdup(name),
        .descriptor = strdup(descriptor),
        .body = class_is_hidden(info->name) ? lambda_body_name(class, method) : NULL,
        .is_constructor = constructor,
        .is_main = main});
}

struct stop {
    jmethodID method;
    uint32_t probe;
    struct stop *next;
};
enum { STOP_BUCKETS = 4096 };
static struct stop *stops[STOP_BUCKETS]; /* under agent.lock */

static struct stop **stop_bucket(jmethodID method)
{
    return &stops[((uintptr_t)method >> 3) % STOP_BUCKETS];
}

static uint32_t stop_probe(jmethodID method)
{
    pthread_mutex_lock(&agent.lock);
    struct stop *s = *stop_bucket(method);
    while (s && s->method != method)
        s = s->next;
    uint32_t probe = s ? s->probe : 0;
    pthread_mutex_unlock(&agent.lock);
    return probe;
}

static void stop_at(jmethodID method, uint32_t probe)
{
    struct stop *s = calloc(1, sizeof *s);
    if (!s || !probe)
        return;
    pthread_mutex_lock(&agent.lock);
    *s = (struct stop){method, probe, *stop_bucket(method)};
    *stop_bucket(method) = s;
    pthread_mutex_unlock(&agent.lock);
    (*agent.jvmti)->SetBreakpoint(agent.jvmti, method, 0);
}

static void look_at_method(jclass class, const struct class_info *info, jmethodID method)
{
    char *name = NULL, *descriptor = NULL;
    jint access = 0;
    if ((*agent.jvmti)->GetMethodName(agent.jvmti, method, &name, &descriptor, NULL))
        return;
    (*agent.jvmti)->GetMethodModifiers(agent.jvmti, method, &access);
    const struct plan_list *list = info->is_framework ? &agent.plan.callins : &agent.plan.callbacks;
    bool main = !info->is_framework && (access & 9) == 9 && !strcmp(name, "main") &&
                !strcmp(descriptor, "([Ljava/lang/String;)V");
    bool runs = !(access & (ACCESS_NATIVE | ACCESS_ABSTRACT));
    bool by_class = (access & ACCESS_STATIC) || !strcmp(name, "<init>");
    bool named = !(by_class && !info->is_framework) && /* callbacks are neither */
                 is_listed(list, by_class ? info->name : NULL, name, descriptor);
    if (runs && (main || named))
        stop_at(method, probe_of(class, info, method, name, descriptor, access, main));
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)descriptor);
}

void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
    (void)thread;
    const struct class_info *info = agent.live ? class_info_of(jni, class) : NULL;
    jint count = 0;
    jmethodID *methods = NULL;
    if (!info || (*jvmti)->GetClassMethods(jvmti, class, &count, &methods))
        return;
    for (jint i = 0; i < count; i++)
        look_at_method(class, info, methods[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
}

void breakpoints_start(JNIEnv *jni)
{
    jint count = 0;
    jclass *classes = NULL;
    log_textf(RAW_UNSEEN, "results of methods, and native methods: breakpoint mode does not see "
                          "them");
    (*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes);
    for (jint i = 0; i < count; i++) {
        on_class_prepare(agent.jvmti, jni, NULL, classes[i]);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
}

static void take_object(JNIEnv *jni, struct thread_state *t, jobject object)
{
    const struct probe_info *p = probe_get(t->now.probe);
    const struct class_info *info = NULL;
    int64_t id;
    bool first = t->now.value_count == 1, callback = p->kind == PROBE_IS_CALLBACK;
    if (object && first && !p->is_static) {
        receiver_look_up(jni, t->now.probe, object, &info, &t->now.type);
        t->now.receiver = info;
    }
    info = value_add(jni, &t->now.values, object, info, &id);
    if (info && (info->called_back || (callback && first)))
        t->now.causes[t->now.value_count - 1] = id;
    if (callback && info && info->is_awt_event && !t->now.locator && !first)
        t->now.locator = driver_locate(jni, object);
}

static void take_local(JNIEnv *jni, struct thread_state *t, char type, jint slot)
{
    jint i = 0;
    jlong j = 0;
    jfloat f = 0;
    jdouble d = 0;
    jobject l = NULL;
    struct text *values = &t->now.values;
    t->now.value_at[t->now.value_count] = (uint32_t)values->count;
    t->now.causes[t->now.value_count++] = 0;
    if (type == 'J' && !(*agent.jvmti)->GetLocalLong(agent.jvmti, NULL, 0, slot, &j))
        value_add_integer(values, j);
    else if (type == 'F' && !(*agent.jvmti)->GetLocalFloat(agent.jvmti, NULL, 0, slot, &f))
        value_add_real(values, (double)f);
    else if (type == 'D' && !(*agent.jvmti)->GetLocalDouble(agent.jvmti, NULL, 0, slot, &d))
        value_add_real(values, d);
    else if (type == 'L' && !(*agent.jvmti)->GetLocalObject(agent.jvmti, NULL, 0, slot, &l))
        take_object(jni, t, l);
    else if (type != 'L' && !(*agent.jvmti)->GetLocalInt(agent.jvmti, NULL, 0, slot, &i))
        value_add_integer(values, i);
    else
        take_object(jni, t, NULL);
    if (l)
        (*jni)->DeleteLocalRef(jni, l);
}

static void take_locals(JNIEnv *jni, struct thread_state *t, const struct probe_info *p)
{
    struct class_signature s;
    struct class_text text = {p->descriptor, (uint32_t)strlen(p->descriptor)};
    jint slot = 0;
    t->now.values.count = t->now.value_count = 0;
    t->now.type = NULL;
    t->now.receiver = NULL;
    free(t->now.locator);
    t->now.locator = NULL;
    if (!p->is_static)
        take_local(jni, t, 'L', slot++);
    if (!class_signature_read(text, &s))
        return;
    for (uint32_t i = 0; i < s.count; i++) {
        take_local(jni, t, s.types[i], slot);
        slot += (jint)slots_of(s.types[i]);
    }
}

/* Places of calls that were told: a method of the program and a position in it. */
struct call_place {
    jmethodID method;
    jlocation at;
    uint32_t id;
    struct call_place *next;
};
static struct call_place *places[STOP_BUCKETS]; /* under agent.lock */

static uint32_t line_of(jmethodID method, jlocation at)
{
    jint count = 0;
    jvmtiLineNumberEntry *lines = NULL;
    uint32_t line = 0;
    if ((*agent.jvmti)->GetLineNumberTable(agent.jvmti, method, &count, &lines))
        return 0;
    jlocation best = -1;
    for (jint i = 0; i < count; i++)
        if (lines[i].start_location <= at && lines[i].start_location > best) {
            best = lines[i].start_location;
            line = (uint32_t)lines[i].line_number;
        }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)lines);
    return line;
}

/* As a probe that stands at the call would tell it. */
static uint32_t new_place(JNIEnv *jni, jmethodID method, jlocation at)
{
    jclass class = NULL;
    char *source = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, method, &class))
        return 0;
    const struct class_info *info = class_info_of(jni, class);
    (*agent.jvmti)->GetSourceFileName(agent.jvmti, class, &source);
    (*jni)->DeleteLocalRef(jni, class);
    uint32_t id = probe_add((struct probe_info){.kind = PROBE_IS_CALLIN,
                                                .owner = info ? info->name : NULL,
                                                .place = strdup(source ? source : ""),
                                                .line = line_of(method, at)});
    if (source)
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)source);
    if (id && info)
        place_tell(id);
    return info ? id : 0;
}

/* Where the method that has just been entered was called. */
static uint32_t caller_place(JNIEnv *jni)
{
    jvmtiFrameInfo frame;
    jint count = 0;
    if ((*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 1, 1, &frame, &count) || count != 1)
        return 0;
    struct call_place **bucket =
        &places[(((uintptr_t)frame.method >> 3) + (uintptr_t)frame.location) % STOP_BUCKETS];
    pthread_mutex_lock(&agent.lock);
    const struct call_place *known = *bucket;
    while (known && (known->method != frame.method || known->at != frame.location))
        known = known->next;
    pthread_mutex_unlock(&agent.lock);
    struct call_place *fresh = known ? NULL : calloc(1, sizeof *fresh);
    if (!fresh)
        return known ? known->id : 0;
    *fresh = (struct call_place){.method = frame.method, .at = frame.location};
    fresh->id = new_place(jni, frame.method, frame.location);
    pthread_mutex_lock(&agent.lock);
    fresh->next = *bucket;
    *bucket = fresh;
    pthread_mutex_unlock(&agent.lock);
    return fresh->id;
}

void JNICALL on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                          jlocation location, jobject exception, jmethodID catch_method,
                          jlocation catch_location)
{
    (void)jvmti, (void)thread, (void)method, (void)location, (void)catch_method;
    (void)catch_location;
    struct thread_state *t = thread_state();
    if (!t || t->busy || !t->frame_count)
        return;
    if (t->thrown)
        (*jni)->DeleteGlobalRef(jni, t->thrown);
    t->thrown = (*jni)->NewGlobalRef(jni, exception);
}

void JNICALL on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                           jlocation location)
{
    (void)thread, (void)location;
    struct thread_state *t = thread_state();
    uint32_t probe = stop_probe(method);
    if (!t || t->busy || !probe)
        return;
    const struct probe_info *p = probe_get(probe);
    bool callin = p->kind == PROBE_IS_CALLIN;
    if (callin != caller_is_app(jni, 1))
        return;
    t->now.probe = probe;
    take_locals(jni, t, p);
    t->now.place = callin ? caller_place(jni) : 0;
    uint32_t before = t->frame_count;
    if (callin)
        border_into(jni, t);
    else
        border_go(jni, t, NULL);
    if (t->frame_count > before)
        (*jvmti)->NotifyFramePop(jvmti, NULL, 0);
}

void JNICALL on_frame_pop(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                          jboolean by_exception)
{
    (void)jvmti, (void)thread;
    struct thread_state *t = thread_state();
    uint32_t probe = stop_probe(method);
    if (!t || t->busy || !probe)
        return;
    const struct probe_info *p = probe_get(probe);
    if (p->kind == PROBE_IS_CALLBACK)
        border_left(jni, t, probe, by_exception, by_exception ? t->thrown : NULL);
    else if (by_exception)
        border_caught(jni, t, t->thrown);
    else
        border_done(t, NULL);
}
