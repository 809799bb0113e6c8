/* Classes of the program and of the framework, and which methods of the framework one of the
 * program overrides. Asked of the virtual machine once per probe and class, then remembered. */
#include "jvm/agent/agent.h"

#define CLASS_TAG ((jlong)1 << 62)
enum { CLASS_BLOCK = 1024, CLASS_BLOCKS = 1024, CACHE_SIZE = 1 << 16 };

static struct class_info *blocks[CLASS_BLOCKS]; /* under agent.lock while growing */
static uint32_t class_count;

struct cached_type {
    uint32_t probe, class_number;
    struct border_type type;
    struct cached_type *next;
};
static _Atomic(struct cached_type *) cache[CACHE_SIZE]; /* only ever grows at the front */
static _Atomic uint32_t type_count;

static char *dotted(const char *signature)
{
    size_t length = strlen(signature);
    if (*signature == 'L' && length > 2) {
        signature++;
        length -= 2;
    }
    char *name = strndup(signature, length);
    for (char *p = name; p && *p; p++)
        if (*p == '/')
            *p = '.';
    return name;
}

static bool defined_by_framework(JNIEnv *jni, jclass class)
{
    jobject loader = NULL;
    (*agent.jvmti)->GetClassLoader(agent.jvmti, class, &loader);
    bool framework = !loader || (agent.platform_loader &&
                                 (*jni)->IsSameObject(jni, loader, agent.platform_loader));
    if (loader)
        (*jni)->DeleteLocalRef(jni, loader);
    return framework;
}

/* The first interface of the framework, for a class whose superclass says nothing. */
static char *first_interface(JNIEnv *jni, jclass class)
{
    jint count = 0;
    jclass *interfaces = NULL;
    char *name = NULL;
    (*agent.jvmti)->GetImplementedInterfaces(agent.jvmti, class, &count, &interfaces);
    for (jint i = 0; i < count; i++) {
        struct class_info *info = class_info_of(jni, interfaces[i]);
        if (info && info->is_framework && !name)
            name = strdup(info->name);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)interfaces);
    return name;
}

static char *framework_above(JNIEnv *jni, jclass class)
{
    jclass super = (*jni)->GetSuperclass(jni, class);
    struct class_info *info = super ? class_info_of(jni, super) : NULL;
    char *name = NULL;
    if (info)
        name = strdup(info->is_framework ? info->name : info->framework ? info->framework : "");
    if (!name || !strcmp(name, "java.lang.Object")) {
        char *interface = first_interface(jni, class);
        if (interface) {
            free(name);
            name = interface;
        }
    }
    if (super)
        (*jni)->DeleteLocalRef(jni, super);
    return name;
}

static struct class_info *class_at(uint32_t number)
{
    return &blocks[number / CLASS_BLOCK][number % CLASS_BLOCK];
}

const char *class_type_text(uint32_t number)
{
    const char *text = number ? class_at(number)->type_text : NULL;
    return text ? text : "\"type\":\"java.lang.Object\"";
}

static bool names_callbacks_of(const char *name)
{
    for (size_t i = 0; i < agent.plan.callbacks.count; i++)
        if (!strcmp(agent.plan.callbacks.at[i].class_name, name))
            return true;
    return false;
}

/* Do rules name callbacks of this class, or of one above it? */
static bool is_called_back(JNIEnv *jni, jclass class, const char *name)
{
    bool found = names_callbacks_of(name);
    jclass super = found ? NULL : (*jni)->GetSuperclass(jni, class);
    struct class_info *info = super ? class_info_of(jni, super) : NULL;
    found = found || (info && info->called_back);
    if (super)
        (*jni)->DeleteLocalRef(jni, super);
    jint count = 0;
    jclass *interfaces = NULL;
    if (!found)
        (*agent.jvmti)->GetImplementedInterfaces(agent.jvmti, class, &count, &interfaces);
    for (jint i = 0; i < count; i++) {
        info = class_info_of(jni, interfaces[i]);
        found = found || (info && info->called_back);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    if (interfaces)
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)interfaces);
    return found;
}

static char *type_text_of(const struct class_info *info)
{
    struct text text = {0};
    text_addf(&text, "\"type\":");
    text_add_json(&text, info->name ? info->name : "", 400);
    if (info->framework) {
        text_addf(&text, ",\"framework_type\":");
        text_add_json(&text, info->framework, 400);
    }
    return text.at;
}

struct class_info *class_info_of(JNIEnv *jni, jclass class)
{
    jlong tag = 0;
    (*agent.jvmti)->GetTag(agent.jvmti, class, &tag);
    if (tag & CLASS_TAG)
        return class_at((uint32_t)tag);
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL))
        return NULL;
    struct class_info info = {.name = dotted(signature),
                              .is_framework = defined_by_framework(jni, class)};
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    if (!info.is_framework)
        info.framework = framework_above(jni, class);
    info.called_back = is_called_back(jni, class, info.name ? info.name : "");
    info.is_text = info.name && !strcmp(info.name, "java.lang.String");
    info.is_awt_event = info.name && !strncmp(info.name, "java.awt.event.", 15);
    info.type_text = type_text_of(&info);
    pthread_mutex_lock(&agent.lock);
    (*agent.jvmti)->GetTag(agent.jvmti, class, &tag);
    if (tag & CLASS_TAG) { /* another thread was first */
        pthread_mutex_unlock(&agent.lock);
        free(info.name);
        free(info.framework);
        free(info.type_text);
        return class_at((uint32_t)tag);
    }
    uint32_t number = class_count + 1;
    struct class_info **block =
        number / CLASS_BLOCK < CLASS_BLOCKS ? &blocks[number / CLASS_BLOCK] : NULL;
    if (block && !*block)
        *block = calloc(CLASS_BLOCK, sizeof **block);
    if (block && *block && info.name) {
        info.number = class_count = number;
        (*block)[number % CLASS_BLOCK] = info;
        if (info.type_text) /* before anybody can use the number */
            log_add(RAW_TYPE, number, info.type_text, strlen(info.type_text));
        (*agent.jvmti)->SetTag(agent.jvmti, class, CLASS_TAG | number);
    } else {
        number = 0;
    }
    pthread_mutex_unlock(&agent.lock);
    return number ? class_at(number) : NULL;
}

/* One type of a descriptor as rules write it; returns what follows. */
static const char *add_type(struct text *out, const char *at)
{
    static const char letters[] = "ZBCSIJFDV";
    static const char *const words[] = {"boolean", "byte",  "char",   "short", "int",
                                        "long",    "float", "double", "void"};
    size_t depth = strspn(at, "[");
    at += depth;
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (letter) {
        text_addf(out, "%s", words[letter - letters]);
        at++;
    } else if (*at == 'L') {
        for (at++; *at && *at != ';'; at++)
            text_add(out, *at == '/' ? "." : at, 1);
        at += *at == ';';
    } else {
        return at + strlen(at);
    }
    while (depth--)
        text_add(out, "[]", 2);
    return at;
}

/* "void schedule(java.util.TimerTask,long)" */
static void add_method(struct text *out, const char *name, const char *descriptor)
{
    const char *close = strchr(descriptor, ')');
    if (close)
        add_type(out, close + 1);
    text_addf(out, " %s(", name);
    for (const char *at = descriptor + 1; *at && *at != ')';) {
        at = add_type(out, at);
        if (*at && *at != ')')
            text_add(out, ",", 1);
    }
    text_add(out, ")", 1);
}

struct override_walk {
    JNIEnv *jni;
    const struct plan_list *list;
    const char *name, *descriptor;
    struct text *out;
    uint32_t seen[256], seen_count, found;
    bool named;           /* by the rules */
    bool program_runs_it; /* the class nearest below that has it is the program's */
    bool implementation_found;
    char *nearest; /* of the framework, that declares it; or NULL */
};

static bool same_parameters(const char *a, const char *b)
{
    size_t length = strcspn(a, ")");
    return !strncmp(a, b, length + 1);
}

static bool is_named(const struct plan_list *list, const char *class_name, const char *name,
                     const char *descriptor)
{
    for (size_t i = SIZE_MAX;
         (i = plan_next(list, i, name, strlen(name), descriptor, strlen(descriptor))) != SIZE_MAX;)
        if (!strcmp(list->at[i].class_name, class_name))
            return true;
    return false;
}

static void note_method(struct override_walk *w, const struct class_info *info, jclass class,
                        jmethodID method, const char *descriptor)
{
    jint access = 0;
    jboolean interface = JNI_FALSE;
    (*agent.jvmti)->GetMethodModifiers(agent.jvmti, method, &access);
    (*agent.jvmti)->IsInterface(agent.jvmti, class, &interface);
    if (access & (2 | 8)) /* private, static */
        return;
    if (!w->implementation_found && !(access & 0x400)) {
        w->implementation_found = true;
        w->program_runs_it = !info->is_framework;
    }
    if (!info->is_framework)
        return;
    if (!w->nearest)
        w->nearest = strdup(info->name);
    w->named = w->named || is_named(w->list, info->name, w->name, descriptor);
    text_addf(w->out, "%s{\"class\":", w->found++ ? "," : "");
    text_add_json(w->out, info->name, SIZE_MAX);
    text_addf(w->out, ",\"method\":\"");
    add_method(w->out, w->name, descriptor);
    text_addf(w->out, "\",\"interface\":%s}", interface ? "true" : "false");
}

static void walk_class(struct override_walk *w, jclass class)
{
    struct class_info *info = class_info_of(w->jni, class);
    for (uint32_t i = 0; info && i < w->seen_count; i++)
        if (w->seen[i] == info->number)
            return;
    if (!info || w->seen_count == 256)
        return;
    w->seen[w->seen_count++] = info->number;
    jint count = 0;
    jmethodID *methods = NULL;
    (*agent.jvmti)->GetClassMethods(agent.jvmti, class, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *descriptor = NULL;
        if ((*agent.jvmti)->GetMethodName(agent.jvmti, methods[i], &name, &descriptor, NULL))
            continue;
        if (!strcmp(name, w->name) && same_parameters(w->descriptor, descriptor))
            note_method(w, info, class, methods[i], descriptor);
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
        (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)descriptor);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)methods);
    jclass super = (*w->jni)->GetSuperclass(w->jni, class);
    if (super) {
        walk_class(w, super);
        (*w->jni)->DeleteLocalRef(w->jni, super);
    }
    jclass *interfaces = NULL;
    count = 0;
    (*agent.jvmti)->GetImplementedInterfaces(agent.jvmti, class, &count, &interfaces);
    for (jint i = 0; i < count; i++) {
        walk_class(w, interfaces[i]);
        (*w->jni)->DeleteLocalRef(w->jni, interfaces[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)interfaces);
}

static struct border_type resolve_named(const struct probe_info *p, const char *name,
                                        const char *descriptor)
{
    struct text head = {0};
    text_addf(&head, "\"class\":");
    text_add_json(&head, p->owner, SIZE_MAX);
    text_addf(&head, ",\"method\":\"");
    add_method(&head, name, descriptor);
    text_addf(&head, "\"");
    if (p->is_main) /* as rules name it, whatever the program is called */
        text_addf(&head, ",\"overrides\":[\"tactus.Program\"]");
    return (struct border_type){.border = true, .head = head.at, .method = name};
}

static struct border_type resolve(JNIEnv *jni, const struct probe_info *p, jclass receiver)
{
    const char *name = p->lambda_name ? p->lambda_name : p->name;
    const char *descriptor = p->lambda_descriptor ? p->lambda_descriptor : p->descriptor;
    bool callin = p->kind == PROBE_IS_CALLIN;
    if (p->is_main || p->is_constructor || (p->is_static && !p->lambda_name))
        return resolve_named(p, name, descriptor);
    struct text overrides = {0}, head = {0};
    struct override_walk w = {.jni = jni,
                              .name = name,
                              .descriptor = descriptor,
                              .list = callin ? &agent.plan.callins : &agent.plan.callbacks,
                              .out = &overrides};
    if (receiver)
        walk_class(&w, receiver);
    struct border_type type = {.method = name};
    type.border = w.named && (!callin || !w.program_runs_it || p->is_special);
    if (type.border) {
        text_addf(&head, "\"class\":");
        text_add_json(&head, callin || p->lambda_name ? w.nearest : p->owner, SIZE_MAX);
        text_addf(&head, ",\"method\":\"");
        add_method(&head, name, descriptor);
        text_addf(&head, "\",\"overrides\":[");
        text_add(&head, overrides.at, overrides.count);
        text_addf(&head, "]");
        type.head = head.at;
    }
    free(overrides.at);
    free(w.nearest);
    return type;
}

const struct border_type *border_type_of(JNIEnv *jni, uint32_t probe, jclass receiver)
{
    struct class_info *info = receiver ? class_info_of(jni, receiver) : NULL;
    uint32_t number = info ? info->number : 0;
    _Atomic(struct cached_type *) *bucket = &cache[(probe * 31 + number) % CACHE_SIZE];
    struct cached_type *front = atomic_load_explicit(bucket, memory_order_acquire);
    for (struct cached_type *c = front; c; c = c->next)
        if (c->probe == probe && c->class_number == number)
            return &c->type;
    struct cached_type *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    *fresh = (struct cached_type){probe, number, resolve(jni, probe_get(probe), receiver), front};
    fresh->type.number = atomic_fetch_add(&type_count, 1) + 1;
    if (fresh->type.border && fresh->type.head && probe_get(probe)->kind == PROBE_IS_CALLIN)
        log_add(RAW_HEAD, fresh->type.number, fresh->type.head, strlen(fresh->type.head));
    while (!atomic_compare_exchange_weak(bucket, &fresh->next, fresh))
        continue;
    return &fresh->type;
}

static void remember_class(JNIEnv *jni, struct probe_info *p, jclass class,
                           const struct class_info *info, const struct border_type *type)
{
    for (int i = 0; i < SEEN_CLASSES; i++) {
        struct seen_class *none = NULL;
        if (atomic_load_explicit(&p->seen[i], memory_order_relaxed))
            continue;
        struct seen_class *fresh = calloc(1, sizeof *fresh);
        if (!fresh)
            return;
        *fresh = (struct seen_class){(*jni)->NewWeakGlobalRef(jni, class), info, type};
        if (fresh->class && atomic_compare_exchange_strong(&p->seen[i], &none, fresh))
            return;
        if (fresh->class)
            (*jni)->DeleteWeakGlobalRef(jni, fresh->class);
        free(fresh);
        return;
    }
}

/* Most call sites see one class: asking whether it is the same costs less than its tag. */
void receiver_look_up(JNIEnv *jni, uint32_t probe, jobject receiver, const struct class_info **info,
                      const struct border_type **type)
{
    struct probe_info *p = &agent.probes[probe / PROBE_BLOCK][probe % PROBE_BLOCK];
    jclass class = (*jni)->GetObjectClass(jni, receiver);
    const struct seen_class *seen = NULL;
    for (int i = 0; i < SEEN_CLASSES; i++) {
        seen = atomic_load_explicit(&p->seen[i], memory_order_acquire);
        if (!seen || (*jni)->IsSameObject(jni, class, seen->class))
            break;
        seen = NULL;
    }
    if (seen) {
        *info = seen->info;
        *type = seen->type;
    } else {
        *info = class_info_of(jni, class);
        *type = border_type_of(jni, probe, class);
        remember_class(jni, p, class, *info, *type);
    }
    (*jni)->DeleteLocalRef(jni, class);
}
