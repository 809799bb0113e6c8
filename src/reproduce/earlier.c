/* What earlier calls left in a folder's reproduce.json. A call that was about one cause keeps what
 * is known of the others, and a search that was stopped does not undo one that came to its end. The
 * file is an input like any other: what is not of the expected form is as if it were not there. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "reproduce/cause.h"
#include <string.h>
#include <unistd.h>

static const size_t most_bytes = (size_t)64 << 20;

void earlier_load(struct earlier *earlier, const char *folder)
{
    char *path = tac_format("%s/reproduce.json", folder);
    tac_error ignored;
    *earlier = (struct earlier){0};
    if (access(path, R_OK) == 0 &&
        tac_json_load(path, most_bytes, &earlier->file, &ignored) == TAC_OK)
        earlier->loaded = true;
    free(path);
}

void earlier_free(struct earlier *earlier)
{
    if (earlier->loaded)
        tac_json_free(&earlier->file);
    *earlier = (struct earlier){0};
}

static bool is_about(const json_t *object, const struct cause *cause)
{
    const char *key = cause->kind == TAC_FAILURE_PROPERTY ? "property" : "cluster";
    return !strcmp(tac_json_get_text(object, "kind"), tac_failure_kind_name(cause->kind)) &&
           !strcmp(tac_json_get_text(object, key), cause->name);
}

static json_t *find(json_t *document, const struct cause *cause)
{
    size_t i;
    json_t *object;
    json_array_foreach(json_object_get(document, "causes"), i, object)
    {
        if (is_about(object, cause))
            return object;
    }
    return NULL;
}

/* --- folders --- */

/* "crash-1" of "DIR/crash-1/flow.jsonl", and nothing but a kind and a number. */
char *earlier_folder(const struct earlier *earlier, const struct cause *cause)
{
    const json_t *object = earlier->loaded ? find(earlier->file.root, cause) : NULL;
    const char *flow = tac_json_get_text(object, "flow"), *end = strrchr(flow, '/'), *name = end;
    const char *kind = tac_failure_kind_name(cause->kind);
    while (name && name > flow && name[-1] != '/')
        name--;
    size_t length = strlen(kind) + 1, digits = 0;
    if (!end || strncmp(name, kind, length - 1) != 0 || name[length - 1] != '-')
        return NULL;
    digits = strspn(name + length, "0123456789");
    return digits && digits < 10 && name + length + digits == end
               ? tac_strndup(name, length + digits)
               : NULL;
}

bool earlier_has_folder(const struct earlier *earlier, const cause_list *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        char *folder = earlier_folder(earlier, &all->at[i]);
        bool same = folder && !strcmp(folder, name);
        free(folder);
        if (same)
            return true;
    }
    return false;
}

/* --- the result --- */

/* Documents of before said it for all of their causes at once. */
static bool is_complete(const json_t *document, const json_t *object)
{
    const json_t *own = json_object_get(object, "complete");
    return json_is_true(own ? own : json_object_get(document, "complete"));
}

/* A script that was found stands until a search that came to its end says otherwise; what one run
 * does not show, others may. */
static bool stands(const json_t *before, const json_t *now, bool one_run)
{
    bool found = json_is_true(json_object_get(before, "reproduced"));
    bool finds = json_is_true(json_object_get(now, "reproduced"));
    bool stopped = !json_is_true(json_object_get(now, "complete"));
    return !now || (found && (stopped || (one_run && !finds)));
}

void earlier_merge(const struct earlier *earlier, const cause_list *all, bool one_run,
                   json_t *document)
{
    json_t *merged = json_array();
    bool complete = json_is_true(json_object_get(document, "complete"));
    for (size_t i = 0; i < all->count; i++) {
        json_t *now = find(document, &all->at[i]);
        json_t *before = earlier->loaded ? find(earlier->file.root, &all->at[i]) : NULL;
        if (before && stands(before, now, one_run)) {
            bool whole = is_complete(earlier->file.root, before);
            json_object_set_new(before, "complete", json_boolean(whole));
            complete = complete && whole;
            json_array_append(merged, before);
        } else if (now) {
            json_array_append(merged, now);
        }
    }
    json_object_set_new(document, "causes", merged);
    json_object_set_new(document, "complete", json_boolean(complete));
}
