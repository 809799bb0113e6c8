/* What a recording shows of components, listeners and who reaches whom. O(calls). */
#include "base/check.h"
#include "protocol/flowdroid/flowdroid.h"
#include "protocol/flowdroid_callbacks.h"
#include <string.h>

static bool ends(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && !memcmp(text + length - n, end, n);
}

static bool named(const struct method_parts *m, const char *name)
{
    return m->name_length == strlen(name) && !memcmp(m->name, name, m->name_length);
}

void flowdroid_read_list(struct flowdroid *f)
{
    const char *at = flowdroid_callbacks;
    while (*at) {
        size_t line = strcspn(at, "\n"), package = strcspn(at, " \n");
        for (size_t i = package; *at != '#' && i < line;) {
            size_t length = strcspn(at + i + 1, " \n");
            tac_str text = {0};
            tac_str_add_bytes(&text, at, package);
            tac_str_add_char(&text, '.');
            tac_str_add_bytes(&text, at + i + 1, length);
            tac_names_intern_bytes(&f->listed, tac_str_text(&text), text.length);
            tac_str_free(&text);
            i += length + 1;
        }
        at += line + (at[line] == '\n');
    }
    assert(f->listed.count > 300);
}

static struct flowdroid_component *component_of(struct flowdroid *f, uint32_t object,
                                                bool is_fragment)
{
    uint64_t *place = tac_u64map_at(&f->by_object, object, 0, NULL);
    if (!*place) {
        *place = f->components.count + 1;
        tac_vec_push(&f->components, (struct flowdroid_component){.object = object,
                                                                  .is_fragment = is_fragment,
                                                                  .host = TAC_NONE});
    }
    return &f->components.at[*place - 1];
}

static void link_objects(struct flowdroid *f, uint32_t from, uint32_t to)
{
    bool is_new;
    if (from == IDENTITY_NULL || to == IDENTITY_NULL || from == to)
        return;
    tac_u64map_at(&f->links, (uint64_t)from << 32 | to, 0, &is_new);
    if (is_new)
        tac_vec_push(&f->pairs, (struct flowdroid_link){from, to});
}

uint32_t flowdroid_value(const struct recording *r, const struct call *call, uint32_t i)
{
    return i < call->value_count ? r->values.at[call->first_value + i].identity : IDENTITY_NULL;
}

/* Life cycle callbacks and listed callbacks among the letters. */
void flowdroid_note_letter(struct flowdroid *f, uint32_t letter)
{
    const struct recording *r = f->recording;
    const struct call *call = &r->calls.at[r->letters.at[letter].call];
    uint32_t listed = 0;
    assert(letter < f->recording->letters.count);
    if (r->letters.at[letter].direction != CB_ENTRY)
        return;
    for (uint32_t i = 0; i < call->override_count; i++) {
        struct method_parts m;
        if (!recording_split(r->names.text[r->overrides.at[call->first_override + i]], &m))
            continue;
        bool fragment = ends(m.class, m.class_length, "Fragment");
        int step = fragment || ends(m.class, m.class_length, "Activity")
                       ? flowdroid_step_named(fragment, m.name, m.name_length)
                       : -1;
        if (step > 0) {
            struct flowdroid_component *c = component_of(f, flowdroid_value(r, call, 0), fragment);
            tac_vec_push(&c->letters[step], letter);
            if (fragment && named(&m, "onAttach"))
                c->host = flowdroid_value(r, call, 1) == IDENTITY_NULL
                              ? c->host
                              : flowdroid_value(r, call, 1);
            return;
        }
        listed += tac_names_find_bytes(&f->listed, m.class, m.class_length) != TAC_NONE;
    }
    /* Interfaces that a class of the framework implements already do not count. */
    if (listed && listed == call->override_count)
        tac_vec_push(&f->letter_listener, letter);
}

/* Who reaches whom: views, fragments, and listeners passed while one is called back. */
static void note_call(struct flowdroid *f, const struct call *call, const tac_u64map *listeners)
{
    const struct recording *r = f->recording;
    struct method_parts m;
    if (!recording_split(r->names.text[call->signature], &m))
        return;
    uint32_t receiver = flowdroid_value(r, call, 0);
    if ((named(&m, "findViewById") || named(&m, "onCreateView") || named(&m, "getView")) &&
        call->has_result)
        link_objects(f, receiver, call->result.identity);
    if (named(&m, "addView") || named(&m, "setContentView") || named(&m, "onAttachFragment"))
        link_objects(f, receiver, flowdroid_value(r, call, 1));
    if (named(&m, "onAttach"))
        link_objects(f, flowdroid_value(r, call, 1), receiver);
    for (uint32_t i = 1; i < call->value_count; i++) {
        uint32_t value = flowdroid_value(r, call, i);
        if (!tac_u64map_find(listeners, value))
            continue;
        for (uint32_t at = call->parent; at != TAC_NONE; at = r->calls.at[at].parent)
            if (r->calls.at[at].kind == CALLBACK)
                link_objects(f, flowdroid_value(r, &r->calls.at[at], 0), value);
    }
}

void flowdroid_note_links(struct flowdroid *f)
{
    const struct recording *r = f->recording;
    tac_u64map listeners = {0};
    for (size_t i = 0; i < f->letter_listener.count; i++) {
        const struct call *call = &r->calls.at[r->letters.at[f->letter_listener.at[i]].call];
        tac_u64map_at(&listeners, flowdroid_value(r, call, 0), 1, NULL);
    }
    for (size_t i = 0; i < r->calls.count; i++)
        note_call(f, &r->calls.at[i], &listeners);
    tac_u64map_free(&listeners);
}
