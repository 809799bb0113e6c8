/* What to watch, from the file that the agent was started with: a line per item, its words
 * separated by tabs. The program that starts the virtual machine writes it. */
#include "jvm/agent/agent.h"
#include <stdio.h>

#define NONE SIZE_MAX

static size_t key_hash(const char *name, size_t name_length, const char *parameters, size_t length)
{
    size_t hash = 1469598103u;
    for (size_t i = 0; i < name_length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)parameters[i]) * 1099511628211u;
    return hash;
}

static bool list_add(struct plan_list *list, char *const *words, size_t count)
{
    struct plan_method *grown =
        count == 4 ? realloc(list->at, (list->count + 1) * sizeof *list->at) : NULL;
    if (!grown)
        return false;
    list->at = grown;
    grown[list->count++] =
        (struct plan_method){strdup(words[1]), strdup(words[2]), strdup(words[3])};
    return true;
}

static bool list_index(struct plan_list *list)
{
    list->bucket_count = list->count * 2 + 1;
    list->first = malloc(list->bucket_count * sizeof *list->first);
    list->next = malloc((list->count + 1) * sizeof *list->next);
    list->by_name = malloc(list->bucket_count * sizeof *list->by_name);
    list->next_name = malloc((list->count + 1) * sizeof *list->next_name);
    if (!list->first || !list->next || !list->by_name || !list->next_name)
        return false;
    for (size_t i = 0; i < list->bucket_count; i++)
        list->first[i] = list->by_name[i] = NONE;
    for (size_t i = 0; i < list->count; i++) {
        const struct plan_method *m = &list->at[i];
        size_t bucket = key_hash(m->name, strlen(m->name), m->parameters, strlen(m->parameters)) %
                        list->bucket_count;
        list->next[i] = list->first[bucket];
        list->first[bucket] = i;
        bucket = key_hash(m->name, strlen(m->name), "", 0) % list->bucket_count;
        list->next_name[i] = list->by_name[bucket];
        list->by_name[bucket] = i;
    }
    return true;
}

size_t plan_next(const struct plan_list *list, size_t from, const char *name, size_t name_length,
                 const char *descriptor, size_t descriptor_length)
{
    const char *close = memchr(descriptor, ')', descriptor_length);
    if (!list->count || !close)
        return NONE;
    size_t length = (size_t)(close - descriptor) + 1;
    size_t i =
        from != NONE
            ? list->next[from]
            : list->first[key_hash(name, name_length, descriptor, length) % list->bucket_count];
    for (; i != NONE; i = list->next[i]) {
        const struct plan_method *m = &list->at[i];
        if (strlen(m->name) == name_length && !memcmp(m->name, name, name_length) &&
            strlen(m->parameters) == length && !memcmp(m->parameters, descriptor, length))
            return i;
    }
    return NONE;
}

/* Is there an entry with this name, whatever its parameters? */
static bool has_name(const struct plan_list *list, const char *name, size_t length)
{
    size_t i =
        list->count ? list->by_name[key_hash(name, length, "", 0) % list->bucket_count] : NONE;
    for (; i != NONE; i = list->next_name[i])
        if (strlen(list->at[i].name) == length && !memcmp(list->at[i].name, name, length))
            return true;
    return false;
}

bool plan_names(const struct agent_plan *plan, const char *name, size_t length)
{
    return has_name(&plan->callbacks, name, length) || has_name(&plan->callins, name, length);
}

static bool take_line(struct agent_plan *plan, char **words, size_t count)
{
    if (!strcmp(words[0], "log") && count == 2) {
        plan->log = strdup(words[1]);
    } else if (!strcmp(words[0], "socket") && count == 2) {
        plan->socket = strdup(words[1]);
    } else if (!strcmp(words[0], "timed") && count == 2) {
        char **grown = realloc(plan->patterns, (plan->pattern_count + 1) * sizeof *grown);
        if (!grown)
            return false;
        plan->patterns = grown;
        grown[plan->pattern_count++] = strdup(words[1]);
    } else if (!strcmp(words[0], "callback")) {
        return list_add(&plan->callbacks, words, count);
    } else if (!strcmp(words[0], "callin")) {
        return list_add(&plan->callins, words, count);
    } else if (!strcmp(words[0], "border")) {
        plan->border = true;
    } else if (!strcmp(words[0], "hold")) {
        plan->hold = true;
    } else if (!strcmp(words[0], "breakpoints")) {
        plan->breakpoints = true;
    } else if (!strcmp(words[0], "everything")) {
        plan->everything = true;
    } else {
        return false;
    }
    return true;
}

bool plan_read(const char *path, struct agent_plan *out)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0, number = 0;
    bool good = file != NULL;
    while (good && getline(&line, &capacity, file) >= 0) {
        char *words[5], *rest = line;
        size_t count = 0;
        line[strcspn(line, "\n")] = 0;
        number++;
        while (count < 5 && (words[count] = strsep(&rest, "\t")))
            count++;
        good = count && take_line(out, words, count);
    }
    if (!file)
        fprintf(stderr, "tactus agent: cannot read the plan '%s'\n", path);
    else if (!good)
        fprintf(stderr, "tactus agent: line %zu of the plan '%s' is not understood\n", number,
                path);
    free(line);
    if (file)
        fclose(file);
    return good && out->log && list_index(&out->callbacks) && list_index(&out->callins);
}
