/* Labels of top-level callbacks that are the same in every run: the method, where it is or what it
 * comes from, and how many of the same were before. And who asked for a callback: the label of the
 * callback in which its object was last given to the framework. */
#include "jvm/agent/agent.h"

struct counted {
    char *label;
    uint32_t count;
    struct counted *next;
};
struct caused {
    int64_t object;
    char *label;
    struct caused *next;
};
enum { BUCKETS = 4096 };
static struct counted *labels[BUCKETS]; /* both under `lock` */
static struct caused *causes[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t count_label(const char *label)
{
    size_t hash = 5381;
    for (const char *p = label; *p; p++)
        hash = hash * 33 + (unsigned char)*p;
    pthread_mutex_lock(&lock);
    struct counted *c = labels[hash % BUCKETS];
    while (c && strcmp(c->label, label))
        c = c->next;
    if (!c && (c = calloc(1, sizeof *c))) {
        *c = (struct counted){strdup(label), 0, labels[hash % BUCKETS]};
        labels[hash % BUCKETS] = c;
    }
    uint32_t count = c ? ++c->count : 0;
    pthread_mutex_unlock(&lock);
    return count;
}

char *label_of(const struct thread_state *t, const struct probe_info *p)
{
    struct text text = {0};
    const char *name = p->lambda_name ? p->lambda_name : p->name;
    text_addf(&text, "%s ", name);
    if (t->now.locator)
        text_add(&text, t->now.locator, strlen(t->now.locator));
    else if (p->lambda_name && !strncmp(p->name, BRIDGE_PREFIX, strlen(BRIDGE_PREFIX)))
        text_addf(&text, "%s:%s", p->place && *p->place ? p->place : p->owner,
                  p->name + strlen(BRIDGE_PREFIX));
    else if (p->lambda_name)
        text_addf(&text, "%s:%u", p->place && *p->place ? p->place : p->owner, p->line);
    else if (p->body)
        text_addf(&text, "%s", p->body);
    else
        text_addf(&text, "%s", t->now.receiver ? t->now.receiver->name : p->owner);
    text_addf(&text, " #%u", text.at ? count_label(text.at) : 0);
    return text.at;
}

void cause_set(int64_t object, const char *label)
{
    struct caused **bucket = &causes[(uint64_t)object % BUCKETS];
    pthread_mutex_lock(&lock);
    struct caused *c = *bucket;
    while (c && c->object != object)
        c = c->next;
    if (!c && (c = calloc(1, sizeof *c))) {
        *c = (struct caused){object, NULL, *bucket};
        *bucket = c;
    }
    if (c && (!c->label || strcmp(c->label, label))) {
        free(c->label);
        c->label = strdup(label);
    }
    pthread_mutex_unlock(&lock);
}

void cause_add(struct text *out, int64_t object)
{
    pthread_mutex_lock(&lock);
    struct caused *c = causes[(uint64_t)object % BUCKETS];
    while (c && c->object != object)
        c = c->next;
    if (object && c && c->label) {
        text_addf(out, ",\"cause\":");
        text_add_json(out, c->label, SIZE_MAX);
    }
    pthread_mutex_unlock(&lock);
}
