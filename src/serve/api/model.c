/* Models: the document of a text, and the document after edits. */
#include "tactus/model.h"
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "serve/api/read_edit.h"
#include "serve/api/routes.h"
#include "serve/folder/beneath.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_EDITS = 200 };

/* --- the parts --- */

static json_t *attributes_json(struct outline *outline, uint32_t element)
{
    json_t *object = json_object();
    const struct text_element *e = &outline->elements.at[element];
    for (uint32_t i = 0; i < e->attribute_count; i++) {
        const struct text_attribute *a = &outline->attributes.at[e->first_attribute + i];
        char *name = tac_strndup(outline->text + a->name, a->name_length);
        json_object_set_new(object, name, tac_json_string(outline_value(outline, element, name)));
        free(name);
    }
    return object;
}

static json_t *expects_json(struct outline *outline, uint32_t element)
{
    json_t *list = json_array();
    for (uint32_t i = element + 1;
         i < outline->elements.count &&
         outline->elements.at[i].begin < outline->elements.at[element].end;
         i++)
        if (outline->elements.at[i].parent == element &&
            outline->elements.at[i].kind == ELEMENT_EXPECT)
            json_array_append_new(list, tac_json_string(outline_content(outline, i)));
    return list;
}

static json_t *name_above(const struct outline *outline, uint32_t element, enum element_kind kind)
{
    uint32_t found = outline_above(outline, element, kind);
    return tac_json_string(found == TAC_NONE ? "" : outline->names[found]);
}

/* Ids of nodes by "MACHINE-ID/NAME": the first of that name. */
struct described {
    struct outline *outline;
    const char *folder; /* where the model stands, for its pictures; "" = the served one */
    int root;
    tac_names initials; /* ids of nodes that a machine begins with */
    json_t *machines, *states, *transitions;
};

static json_t *id_of(const struct described *d, uint32_t machine, const char *name)
{
    uint32_t node = machine == TAC_NONE ? TAC_NONE : outline_node(d->outline, machine, name);
    return node == TAC_NONE ? json_null() : tac_json_string(d->outline->ids[node]);
}

static void add_machine(struct described *d, uint32_t element)
{
    struct outline *outline = d->outline;
    const char *external = outline_value(outline, element, "external"), *to = NULL;
    for (uint32_t i = element + 1; i < outline->elements.count && !to; i++)
        if (outline->elements.at[i].parent == element &&
            outline->elements.at[i].kind == ELEMENT_INITIAL)
            to = outline_value(outline, i, "to");
    json_t *initial = id_of(d, element, to);
    if (json_is_string(initial))
        tac_names_intern(&d->initials, json_string_value(initial));
    json_array_append_new(
        d->machines,
        json_pack("{s:o,s:o,s:o,s:o,s:o,s:b,s:o,s:I}", "id", tac_json_string(outline->ids[element]),
                  "device", name_above(outline, element, ELEMENT_DEVICE), "application",
                  name_above(outline, element, ELEMENT_APPLICATION), "activity",
                  name_above(outline, element, ELEMENT_ACTIVITY), "machine",
                  tac_json_string(outline->names[element]), "external",
                  external && (!strcmp(external, "true") || !strcmp(external, "1")), "initial",
                  initial, "line", (json_int_t)outline->elements.at[element].line));
}

static json_t *picture_of(const struct described *d, uint32_t element)
{
    const char *image = outline_value(d->outline, element, "image");
    if (!image || !*image)
        return json_null();
    char *path = tac_format("%s%s%s", d->folder, *d->folder ? "/" : "", image);
    json_t *picture = exists_beneath(d->root, path) ? tac_json_string(path) : json_null();
    free(path);
    return picture;
}

static void add_state(struct described *d, uint32_t element)
{
    static const char *const kinds[] = {
        [ELEMENT_STATE] = "state", [ELEMENT_CONNECTION] = "connection", [ELEMENT_FINAL] = "final"};
    struct outline *outline = d->outline;
    const struct text_element *e = &outline->elements.at[element];
    uint32_t application = outline_above(outline, element, ELEMENT_APPLICATION);
    uint32_t activity = outline_above(outline, element, ELEMENT_ACTIVITY);
    const char *machine = e->parent == TAC_NONE ? NULL : outline->ids[e->parent];
    char *view = tac_format("%s/%s", application == TAC_NONE ? "" : outline->names[application],
                            activity == TAC_NONE ? "" : outline->names[activity]);
    json_array_append_new(
        d->states,
        json_pack("{s:o,s:o,s:o,s:o,s:s,s:b,s:I,s:o,s:o,s:o}", "id",
                  tac_json_string(outline->ids[element]), "name",
                  tac_json_string(outline->names[element]), "machine",
                  tac_json_string(machine ? machine : ""), "view", tac_json_string(view), "kind",
                  kinds[e->kind], "initial",
                  tac_names_find(&d->initials, outline->ids[element]) != TAC_NONE, "line",
                  (json_int_t)e->line, "attributes", attributes_json(outline, element), "expects",
                  expects_json(outline, element), "picture", picture_of(d, element)));
    free(view);
}

static void add_transition(struct described *d, uint32_t element)
{
    struct outline *outline = d->outline;
    const struct text_element *e = &outline->elements.at[element];
    const char *machine = e->parent == TAC_NONE ? NULL : outline->ids[e->parent];
    const char *event = outline_value(outline, element, "event");
    json_t *actions = json_array();
    for (uint32_t i = element + 1;
         i < outline->elements.count && outline->elements.at[i].begin < e->end; i++)
        if (outline->elements.at[i].parent == element &&
            outline->elements.at[i].kind == ELEMENT_ACTION)
            json_array_append_new(actions, attributes_json(outline, i));
    json_array_append_new(
        d->transitions,
        json_pack(
            "{s:o,s:o,s:o,s:o,s:o,s:I,s:o,s:o,s:o}", "id", tac_json_string(outline->ids[element]),
            "from", id_of(d, e->parent, outline_value(outline, element, "from")), "to",
            id_of(d, e->parent, outline_value(outline, element, "to")), "event",
            tac_json_string(event ? event : ""), "machine", tac_json_string(machine ? machine : ""),
            "line", (json_int_t)e->line, "attributes", attributes_json(outline, element), "expects",
            expects_json(outline, element), "actions", actions));
}

/* --- problems --- */

static json_t *subject_of(const struct outline *outline, size_t line)
{
    const char *word = NULL;
    uint32_t found = TAC_NONE;
    for (uint32_t i = 0; outline && i < outline->elements.count; i++) {
        const struct text_element *e = &outline->elements.at[i];
        if (line < e->line || line > e->last_line || !outline->ids[i] ||
            !(element_is_node(e->kind) || e->kind == ELEMENT_INITIAL ||
              e->kind == ELEMENT_TRANSITION || e->kind == ELEMENT_MACHINE))
            continue;
        found = i; /* the innermost comes last */
        word = e->kind == ELEMENT_MACHINE      ? "machine"
               : e->kind == ELEMENT_TRANSITION ? "transition"
                                               : "state";
    }
    return word ? json_pack("{s:o}", word, tac_json_string(outline->ids[found])) : json_null();
}

static json_t *problem(const struct outline *outline, const char *severity, const char *message,
                       size_t line, size_t column)
{
    return json_pack("{s:s,s:o,s:I,s:I,s:o}", "severity", severity, "message",
                     tac_json_string(message), "line", (json_int_t)line, "column",
                     (json_int_t)column, "subject", subject_of(outline, line));
}

/* What `tactus model check` finds. */
static json_t *problems_of(const struct outline *outline, const char *text, size_t size)
{
    json_t *list = json_array();
    tac_diagnostics found = {0};
    tac_model *model = NULL;
    tac_error err = {0};
    char name[40];
    int file = memfd_create("model", MFD_CLOEXEC);
    bool written = file >= 0 && write(file, text, size) == (ssize_t)size;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    tac_status status = written ? tac_model_load(name, &found, &model, &err)
                                : tac_fail(&err, TAC_E_IO, "no memory for the model");
    for (size_t i = 0; i < found.count; i++)
        json_array_append_new(
            list, problem(outline, found.at[i].severity == TAC_ERROR ? "error" : "warning",
                          found.at[i].message, found.at[i].line, found.at[i].column));
    if (status == TAC_OK)
        tac_model_free(model);
    else if (!found.errors)
        json_array_append_new(list, problem(outline, "error", err.message, err.line, err.column));
    tac_diagnostics_free(&found);
    if (file >= 0)
        close(file);
    return list;
}

/* --- the document --- */

static json_t *describe(const struct request *request, struct outline *outline)
{
    const char *path = request_text(request, "path");
    const char *slash = path ? strrchr(path, '/') : NULL;
    char *folder = slash ? tac_strndup(path, (size_t)(slash - path)) : tac_strdup("");
    struct described d = {.outline = outline,
                          .folder = folder,
                          .root = request->portal->root,
                          .machines = json_array(),
                          .states = json_array(),
                          .transitions = json_array()};
    for (uint32_t i = 0; i < outline->elements.count; i++)
        if (outline->elements.at[i].kind == ELEMENT_MACHINE)
            add_machine(&d, i);
    for (uint32_t i = 0; i < outline->elements.count; i++) {
        enum element_kind kind = outline->elements.at[i].kind;
        if (element_is_node(kind))
            add_state(&d, i);
        else if (kind == ELEMENT_TRANSITION)
            add_transition(&d, i);
    }
    tac_names_free(&d.initials);
    free(folder);
    return json_pack("{s:b,s:o,s:o,s:o,s:o}", "wellformed", 1, "name",
                     tac_json_string(outline->elements.count ? outline->names[0] : ""), "machines",
                     d.machines, "states", d.states, "transitions", d.transitions);
}

static void answer_model(struct request *request, const char *text, size_t size)
{
    struct outline outline;
    char digest[TAC_DIGEST_TEXT];
    tac_error err;
    json_t *document;
    if (outline_make(text, size, &outline, &err) == TAC_OK) {
        document = describe(request, &outline);
        json_object_set_new(document, "problems", problems_of(&outline, text, size));
        outline_free(&outline);
    } else {
        document = json_pack("{s:b,s:s,s:[],s:[],s:[],s:[o]}", "wellformed", 0, "name", "",
                             "machines", "states", "transitions", "problems",
                             problem(NULL, "error", err.message, err.line, err.column));
    }
    tac_digest_bytes(text, size, digest);
    json_object_set_new(document, "text", tac_json_string_n(text, size));
    json_object_set_new(document, "hash", json_string(digest));
    answer_json(request, MHD_HTTP_OK, document);
}

void post_model(struct request *request)
{
    const char *text = request_text(request, "text"), *path = request_text(request, "path");
    char *data;
    size_t size;
    tac_error err;
    if (text) {
        answer_model(request, text, strlen(text));
    } else if (!path) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "'text' or 'path' is missing");
    } else if (read_beneath(request->portal->root, path, &data, &size, &err) != TAC_OK) {
        answer_failure(request, &err);
        request->status = MHD_HTTP_NOT_FOUND;
    } else {
        answer_model(request, data, size);
        free(data);
    }
}

void post_model_edit(struct request *request)
{
    const char *given = request_text(request, "text");
    const json_t *edits = json_object_get(request->json.root, "edits"), *edit;
    size_t index;
    tac_error err;
    tac_status status = TAC_OK;
    if (json_array_size(edits) > MOST_EDITS) {
        answer_error(request, MHD_HTTP_CONTENT_TOO_LARGE, "at most %d edits at once", MOST_EDITS);
        return;
    }
    if (!given || !json_is_array(edits)) {
        answer_error(request, MHD_HTTP_BAD_REQUEST, "'text' or 'edits' is missing");
        return;
    }
    char *text = tac_strdup(given);
    json_array_foreach(edits, index, edit)
    {
        struct read_edit read;
        status = read_edit(edit, &read, &err);
        if (status == TAC_OK)
            status = model_edit_apply(&read.edit, &text, &err);
        read_edit_free(&read);
        if (status != TAC_OK)
            break;
    }
    if (status == TAC_OK)
        answer_model(request, text, strlen(text));
    else
        answer_json(request, status_of_failure(status),
                    json_pack("{s:o,s:I}", "error", error_json(&err), "edit", (json_int_t)index));
    free(text);
}
