/* Classes as they are loaded: which get probes, and where.
 *
 * Rewritten are classes of the program: those that neither the boot nor the platform loader
 * defines. A method is probed by its name and parameters alone; whether it overrides what a rule
 * names is told at its first call, when its class is there to be asked. */
#include "jvm/agent/agent.h"
#include <stdio.h>

static char *copy_text(struct class_text text, bool dots)
{
    char *copy = malloc(text.length + 1);
    if (!copy)
        return NULL;
    for (uint32_t i = 0; i < text.length; i++)
        copy[i] = dots && text.at[i] == '/' ? '.' : text.at[i];
    copy[text.length] = 0;
    return copy;
}

uint32_t probe_add(struct probe_info info)
{
    pthread_mutex_lock(&agent.lock);
    uint32_t id = agent.probe_count + 1 < MAX_PROBES ? agent.probe_count + 1 : 0;
    struct probe_info **block = &agent.probes[id / PROBE_BLOCK];
    if (id && !*block)
        *block = calloc(PROBE_BLOCK, sizeof **block);
    if (id && *block) {
        (*block)[id % PROBE_BLOCK] = info;
        agent.probe_count = id;
    } else {
        id = 0;
    }
    pthread_mutex_unlock(&agent.lock);
    return id;
}

const struct probe_info *probe_get(uint32_t id)
{
    return &agent.probes[id / PROBE_BLOCK][id % PROBE_BLOCK];
}

/* '*' and '?' as shells have them. */
static bool pattern_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == *text || *pattern == '?') {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool is_timed_name(const struct agent_plan *plan, const char *class_name, const char *method)
{
    char full[1024];
    snprintf(full, sizeof full, "%s.%s", class_name, method);
    const char *dot = strrchr(class_name, '.');
    const char *simple = dot ? full + (dot + 1 - class_name) : full;
    const char *dollar =
        strrchr(class_name, '$'); /* a class inside another has a name of its own */
    const char *inner = dollar ? full + (dollar + 1 - class_name) : simple;
    for (size_t i = 0; i < plan->pattern_count; i++)
        if (pattern_matches(plan->patterns[i], full) ||
            pattern_matches(plan->patterns[i], simple) || pattern_matches(plan->patterns[i], inner))
            return true;
    return false;
}

static struct probe_info info_of(const struct probe_method *m, enum probe_kind kind)
{
    return (struct probe_info){.kind = kind,
                               .is_static = m->method->access & ACCESS_STATIC,
                               .owner = copy_text(m->file->name, true),
                               .name = copy_text(m->method->name, false),
                               .descriptor = copy_text(m->method->descriptor, false),
                               .place = copy_text(m->file->source, false),
                               .line = m->line};
}

/* "caller":...,"line":... */
void place_tell(uint32_t id)
{
    const struct probe_info *p = probe_get(id);
    struct text text = {0};
    if (!id)
        return;
    text_addf(&text, "\"caller\":");
    text_add_json(&text, p->place && *p->place ? p->place : p->owner, 200);
    if (p->line)
        text_addf(&text, ",\"line\":%u", p->line);
    log_add(RAW_PLACE, id, text.at, text.count);
    free(text.at);
}

static uint32_t plan_timed(void *context, const struct probe_method *m)
{
    (void)context;
    if (agent.plan.everything)
        return probe_add(info_of(m, PROBE_IS_TIMED));
    char class_name[512], method[512];
    if (!agent.plan.pattern_count || m->file->name.length >= sizeof class_name ||
        m->method->name.length >= sizeof method)
        return 0;
    for (uint32_t i = 0; i < m->file->name.length; i++)
        class_name[i] = (char)(m->file->name.at[i] == '/' ? '.' : m->file->name.at[i]);
    class_name[m->file->name.length] = 0;
    memcpy(method, m->method->name.at, m->method->name.length);
    method[m->method->name.length] = 0;
    if (!is_timed_name(&agent.plan, class_name, method))
        return 0;
    uint32_t id = probe_add(info_of(m, PROBE_IS_TIMED));
    struct text text = {0};
    text_addf(&text, "%s.%s%.*s", class_name, method, (int)m->method->descriptor.length,
              m->method->descriptor.at);
    log_add(RAW_METHOD, id, text.at, text.count);
    free(text.at);
    return id;
}

static bool is_main(const struct class_method *m)
{
    return (m->access & 9) == 9 && text_is(m->name, "main") &&
           text_is(m->descriptor, "([Ljava/lang/String;)V");
}

static uint32_t plan_callback(void *context, const struct probe_method *m)
{
    (void)context;
    struct class_text name = m->lambda ? m->lambda->method_name : m->method->name;
    struct class_text descriptor = m->lambda ? m->lambda->method_descriptor : m->method->descriptor;
    bool start = is_main(m->method), constructor = text_is(m->method->name, "<init>");
    if (agent.plan.everything)
        return probe_add(info_of(m, PROBE_IS_CALLBACK));
    if (!agent.plan.border || constructor ||
        (!start && !m->lambda && (m->method->access & ACCESS_STATIC)) ||
        (!start && plan_next(&agent.plan.callbacks, SIZE_MAX, name.at, name.length, descriptor.at,
                             descriptor.length) == SIZE_MAX))
        return 0;
    struct probe_info info = info_of(m, PROBE_IS_CALLBACK);
    info.is_main = start;
    if (m->lambda) {
        info.lambda_name = copy_text(name, false);
        info.lambda_descriptor = copy_text(descriptor, false);
    }
    return probe_add(info);
}

/* Static methods and constructors are named by their class; others by what they override, which
 * is told at the call. */
static bool owner_is_named(const struct probe_call *c)
{
    size_t at = SIZE_MAX;
    while ((at = plan_next(&agent.plan.callins, at, c->name.at, c->name.length, c->descriptor.at,
                           c->descriptor.length)) != SIZE_MAX) {
        const char *class_name = agent.plan.callins.at[at].class_name;
        bool same = strlen(class_name) == c->owner.length;
        for (uint32_t i = 0; same && i < c->owner.length; i++)
            same = class_name[i] == (c->owner.at[i] == '/' ? '.' : c->owner.at[i]);
        if (same)
            return true;
    }
    return false;
}

static uint32_t plan_callin(void *context, const struct probe_call *c)
{
    enum { INVOKESPECIAL = 183, INVOKESTATIC = 184 };
    (void)context;
    bool constructor = text_is(c->name, "<init>");
    if (!agent.plan.everything &&
        (!agent.plan.border ||
         plan_next(&agent.plan.callins, SIZE_MAX, c->name.at, c->name.length, c->descriptor.at,
                   c->descriptor.length) == SIZE_MAX ||
         ((constructor || c->opcode == INVOKESTATIC) && !owner_is_named(c))))
        return 0;
    uint32_t id =
        probe_add((struct probe_info){.kind = PROBE_IS_CALLIN,
                                      .is_static = c->opcode == INVOKESTATIC,
                                      .is_super = c->is_super,
                                      .is_special = c->opcode == INVOKESPECIAL && !constructor,
                                      .is_constructor = constructor,
                                      .owner = copy_text(c->owner, true),
                                      .name = copy_text(c->name, false),
                                      .descriptor = copy_text(c->descriptor, false),
                                      .place = copy_text(c->in.file->source, false),
                                      .line = c->line});
    if (!agent.plan.everything)
        place_tell(id);
    return id;
}

static bool plan_reference(void *context, struct class_text method, struct class_text descriptor,
                           struct class_text target, struct class_text target_descriptor)
{
    (void)context;
    return agent.plan.everything ||
           (agent.plan.border &&
            (plan_next(&agent.plan.callbacks, SIZE_MAX, method.at, method.length, descriptor.at,
                       descriptor.length) != SIZE_MAX ||
             plan_next(&agent.plan.callins, SIZE_MAX, target.at, target.length,
                       target_descriptor.at, target_descriptor.length) != SIZE_MAX));
}

static void note_left_alone(const char *name, enum rewrite_result result,
                            const struct rewrite_report *report)
{
    if (result == REWRITE_BROKEN || result == REWRITE_NO_ROOM)
        log_textf(RAW_UNSEEN, "the class %s: %s; it was left alone", name ? name : "without a name",
                  result == REWRITE_BROKEN ? "its file is not understood"
                                           : "no room for probes in it");
    else if (report->left_alone)
        log_textf(RAW_UNSEEN, "%u method%s of the class %s: left alone (%s)", report->left_alone,
                  report->left_alone == 1 ? "" : "s", name ? name : "without a name",
                  report->first_left);
    atomic_fetch_add(&agent.header->left_alone, report->left_alone);
}

/* What the virtual machine itself runs to find a probe must not have any. */
static bool is_of_the_base(const char *name)
{
    static const char *const packages[] = {
        "java/io/",       "java/lang/", "java/math/", "java/net/",    "java/nio/",
        "java/security/", "java/text/", "java/time/", "java/util/",   "jdk/",
        "sun/net/",       "sun/nio/",   "sun/util/",  "sun/reflect/", "sun/security/"};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (!strncmp(name, packages[i], strlen(packages[i])))
            return true;
    return false;
}

static bool is_of_the_program(JNIEnv *jni, jobject loader, const char *name)
{
    if (agent.plan.everything)
        return name && !is_of_the_base(name);
    return loader &&
           !(agent.platform_loader && (*jni)->IsSameObject(jni, loader, agent.platform_loader));
}

/* Most classes have nothing to do with what is watched: their constants do not even have its names.
 * A class that cannot be read is looked at closely, so that it gets named. */
static bool may_concern(const unsigned char *bytes, size_t size)
{
    struct class_file file;
    bool concerns = agent.plan.everything || agent.plan.pattern_count;
    if (concerns)
        return true;
    concerns = !class_file_read(bytes, size, &file);
    for (uint32_t i = 1; !concerns && i < file.constant_count; i++) {
        struct class_text text;
        if (class_utf8(&file, i, &text))
            concerns = text_is(text, "main") || plan_names(&agent.plan, text.at, text.length);
    }
    class_file_free(&file);
    return concerns;
}

void JNICALL on_class_load(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                           const char *name, jobject domain, jint size, const unsigned char *bytes,
                           jint *new_size, unsigned char **new_bytes)
{
    (void)domain;
    if (!agent.live || redefined || !is_of_the_program(jni, loader, name))
        return;
    struct probe_plan plan = {NULL, plan_timed, plan_callback, plan_callin, plan_reference};
    struct rewrite_report report;
    uint8_t *out = NULL;
    size_t out_size = 0;
    atomic_fetch_add(&agent.header->classes, 1);
    if (!may_concern(bytes, (size_t)size))
        return;
    enum rewrite_result result =
        class_rewrite(bytes, (size_t)size, &plan, &out, &out_size, &report);
    note_left_alone(name, result, &report);
    if (result != REWRITE_DONE)
        return;
    unsigned char *copy = NULL;
    if (out_size < INT32_MAX && !(*jvmti)->Allocate(jvmti, (jlong)out_size, &copy)) {
        memcpy(copy, out, out_size);
        *new_bytes = copy;
        *new_size = (jint)out_size;
        atomic_fetch_add(&agent.header->rewritten, 1);
        atomic_fetch_add(&agent.header->methods, report.methods);
        atomic_fetch_add(&agent.header->calls, report.calls);
    }
    free(out);
}
