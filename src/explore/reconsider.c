/* When matching proves wrong: one event of one screen led to different screens.
 *
 * Either they differ in nothing but numbers inside resource-ids. Then somebody counts, as a
 * framework does that gives every new row the next number: ids that begin so name nothing. They are
 * left out of signatures, keys and locators from then on, and the screens that had them are
 * forgotten; they come back as one.
 *
 * Or the screen where the event was given is several. If what the criterion does not compare (what
 * is checked and selected, how many items a list has) decided each time which way it went, and it
 * did so at least twice in one way, this screen is compared by that too from then on. It is
 * forgotten, and comes back as many. */
#include "base/check.h"
#include "explore/explorer.h"
#include "explore/screen_class.h"
#include <ctype.h>

/* The id in a line of a signature (screen_class.c): depth, flags, class, id, package. */
static const char *id_in(const struct explorer *ex, const char *line, size_t length, size_t *size)
{
    const char *at = line, *end = line + length;
    for (int blanks = 0; blanks < 3; blanks++) {
        at = memchr(at, ' ', (size_t)(end - at));
        if (!at)
            return NULL;
        at++;
    }
    size_t package = strlen(ex->package);
    for (const char *next = at; (next = memchr(next, ' ', (size_t)(end - next))); next++)
        if ((size_t)(end - next) > package && !strncmp(next + 1, ex->package, package) &&
            (next + 1 + package == end || next[1 + package] == ' ')) {
            *size = (size_t)(next - at);
            return at;
        }
    return NULL;
}

bool reconsider_counted(const struct explorer *ex, const char *id, size_t length)
{
    for (size_t i = 0; i < length && ex->counted.count; i++)
        if (isdigit((unsigned char)id[i]) && (!i || !isdigit((unsigned char)id[i - 1])) &&
            tac_names_find_bytes(&ex->counted, id, i) != TAC_NONE)
            return true;
    return false;
}

/* Whether two ids differ in numbers alone; *before is what stands before their first number. */
static bool id_counts(const char *a, size_t na, const char *b, size_t nb, size_t *before)
{
    size_t i = 0, k = 0;
    *before = SIZE_MAX;
    while (i < na && k < nb) {
        if (!isdigit((unsigned char)a[i]) || !isdigit((unsigned char)b[k])) {
            if (a[i++] != b[k++])
                return false;
            continue;
        }
        if (*before == SIZE_MAX)
            *before = i;
        while (i < na && isdigit((unsigned char)a[i]))
            i++;
        while (k < nb && isdigit((unsigned char)b[k]))
            k++;
    }
    return i == na && k == nb && *before != SIZE_MAX;
}

/* Two lines that differ, if they do, in the numbers of their ids alone; what stands before those
 * goes into `ids`. */
static bool line_counts(const struct explorer *ex, const char *a, size_t na, const char *b,
                        size_t nb, tac_names *ids)
{
    if (na == nb && !memcmp(a, b, na))
        return true;
    size_t size_a = 0, size_b = 0, before = 0;
    const char *id_a = id_in(ex, a, na, &size_a), *id_b = id_in(ex, b, nb, &size_b);
    if (!id_a || !id_b || id_a - a != id_b - b || memcmp(a, b, (size_t)(id_a - a)) != 0)
        return false;
    assert((size_t)(id_a - a) + size_a <= na && (size_t)(id_b - b) + size_b <= nb);
    size_t rest_a = na - (size_t)(id_a - a) - size_a, rest_b = nb - (size_t)(id_b - b) - size_b;
    if (rest_a != rest_b || memcmp(id_a + size_a, id_b + size_b, rest_a) != 0 ||
        !id_counts(id_a, size_a, id_b, size_b, &before) || !before)
        return false;
    tac_names_intern_bytes(ids, id_a, before);
    return true;
}

static bool differ_by_counting(const struct explorer *ex, uint32_t one, uint32_t other,
                               tac_names *ids)
{
    assert(one < ex->signatures.count && other < ex->signatures.count);
    const char *a = ex->signatures.text[one], *b = ex->signatures.text[other];
    while (a && b) {
        size_t na = strcspn(a, "\n"), nb = strcspn(b, "\n");
        if (!line_counts(ex, a, na, b, nb, ids))
            return false;
        a = a[na] ? a + na + 1 : NULL;
        b = b[nb] ? b + nb + 1 : NULL;
    }
    return !a && !b && ids->count > 0;
}

static bool has_counted(const struct explorer *ex, uint32_t screen_number)
{
    for (const char *a = ex->signatures.text[screen_number]; a;) {
        size_t length = strcspn(a, "\n"), size = 0;
        const char *id = id_in(ex, a, length, &size);
        if (id && reconsider_counted(ex, id, size))
            return true;
        a = a[length] ? a + length + 1 : NULL;
    }
    return false;
}

static bool leads_on(const struct explore_outcome *o)
{
    return !o->forgotten && (o->kind == WENT || o->kind == CALLED);
}

/* The ids that count, of any two of the screens that this event led to. */
static bool find_counted(struct explorer *ex, const struct control *c)
{
    for (size_t i = 1; i < c->outcomes.count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct explore_outcome *a = &c->outcomes.at[k], *b = &c->outcomes.at[i];
            tac_names ids = {0};
            bool found = leads_on(a) && leads_on(b) && a->target != b->target &&
                         differ_by_counting(ex, a->target, b->target, &ids);
            for (uint32_t n = 0; n < ids.count && found; n++)
                tac_names_intern_bytes(&ex->counted, ids.text[n], ids.length[n]);
            tac_names_free(&ids);
            if (found)
                return true;
        }
    return false;
}

/* Each way was gone from looks of its own, and one look was seen to lead the same way twice. */
static bool explained_by_look(const struct control *c)
{
    bool again = false;
    for (size_t i = 0; i < c->outcomes.count; i++) {
        const struct explore_outcome *o = &c->outcomes.at[i];
        if (!leads_on(o) || o->looks_differ)
            return false;
        again |= o->count > 1;
        for (size_t k = 0; k < i; k++)
            if (c->outcomes.at[k].look == o->look)
                return false;
    }
    return again && c->outcomes.count > 1;
}

void reconsider(struct explorer *ex, uint32_t from, uint32_t control_index)
{
    assert(from < ex->screens.count && control_index < ex->screens.at[from].controls.count);
    const struct control *c = &ex->screens.at[from].controls.at[control_index];
    if (c->system || ex->screens.at[from].forgotten || !control_differs(c))
        return;
    bool *which = tac_calloc(ex->screens.count + 1, sizeof *which);
    const char *signature = ex->signatures.text[from];
    if (find_counted(ex, c)) {
        for (uint32_t i = 0; i < ex->screens.count; i++)
            which[i] = has_counted(ex, i);
        explorer_forget(ex, which);
    } else if (!strstr(signature, SCREEN_LOOK) && explained_by_look(c)) {
        tac_names_intern(&ex->finer, signature);
        which[from] = true;
        explorer_forget(ex, which);
    }
    free(which);
}
