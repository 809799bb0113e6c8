/* Which screens are one, and what a control is called: shared by the explorer and the random runs.
 *
 * The matching criterion (section 5.1.2.1 of the interaction-model paper): two screens are one when
 * they belong to the same activity, have the same tree, and their nodes agree in resource-id,
 * class, package, checkable, clickable, enabled, scrollable and long-clickable, and in the text
 * where it can be edited. All of that is written into one byte string; equal strings are equal
 * screens, so finding a screen is one lookup. */
#include "explore/screen_class.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "model/model.h"
#include <ctype.h>
#include <string.h>

static bool is_list(const tac_ui_node *node)
{
    return tac_ends_with(node->class_name, "ListView") ||
           tac_ends_with(node->class_name, "RecyclerView") ||
           tac_ends_with(node->class_name, "GridView");
}

void screen_skip_items(const tac_ui *ui, uint32_t list_items, bool *skipped)
{
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        if (n->parent == TAC_UI_NONE)
            continue;
        assert(n->parent < i); /* parents come first, so theirs is known */
        skipped[i] =
            skipped[n->parent] || (is_list(&ui->nodes[n->parent]) && n->index >= list_items);
    }
}

static bool is_page(const tac_ui_node *node)
{
    return !strncmp(node->class_name, "web.", 4);
}

/* A page with a few toggles is another screen when one of them is turned: what can be done next
 * depends on them. Where there are many, they are the data of a form. */
static bool few_toggles(const tac_ui *ui, const bool *skipped)
{
    const size_t few = 4;
    size_t toggles = 0;
    for (uint32_t i = 0; i < ui->count; i++)
        toggles += !skipped[i] && is_page(&ui->nodes[i]) && ui->nodes[i].flags & TAC_UI_CHECKABLE;
    return toggles <= few && toggles > 0;
}

void screen_signature(const tac_ui *ui, const bool *skipped, const char *activity, tac_str *out)
{
    enum {
        COMPARED = TAC_UI_CHECKABLE | TAC_UI_CLICKABLE | TAC_UI_ENABLED | TAC_UI_SCROLLABLE |
                   TAC_UI_LONG_CLICKABLE | TAC_UI_CHOSEN
    };
    uint32_t compared = COMPARED | (few_toggles(ui, skipped) ? TAC_UI_CHECKED : 0);
    uint32_t *depths = tac_calloc((size_t)ui->count + 1, sizeof *depths);
    tac_str_add(out, activity);
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        depths[i] = n->parent == TAC_UI_NONE ? 0 : depths[n->parent] + 1;
        if (skipped[i]) {
            if (is_page(n) && !skipped[n->parent] && !skipped[i - 1])
                tac_str_add(out, "\n+"); /* more items than are compared */
            continue;
        }
        /* the depth and the order of the nodes fix the tree */
        tac_str_addf(out, "\n%u %x %s %s %s", depths[i], n->flags & compared, n->class_name,
                     n->resource_id, n->package);
        if (n->flags & TAC_UI_EDITABLE)
            tac_str_addf(out, " '%s'", n->text);
    }
    free(depths);
}

uint64_t screen_look(const tac_ui *ui, const bool *skipped)
{
    const uint32_t few = 3;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        bool item = n->parent != TAC_UI_NONE && is_list(&ui->nodes[n->parent]);
        uint64_t seen = n->flags & (TAC_UI_CHECKED | TAC_UI_SELECTED);
        if (!skipped[i])
            hash = tac_hash_u64(hash * 31 + seen + 1);
        else if (item && !skipped[n->parent] && n->index < few)
            hash = tac_hash_u64(hash * 31 + (UINT64_C(1) << 32) + n->index);
    }
    return hash;
}

/* What identifies a control in every screen: its id, else description, else text, else its class;
 * and which of several equal ones it is. */
enum { NAMED_BY_ID, NAMED_BY_DESCRIPTION, NAMED_BY_TEXT, NAMED_BY_CLASS, WAYS_TO_NAME };

static int naming(const tac_ui_node *n)
{
    return *n->resource_id   ? NAMED_BY_ID
           : *n->description ? NAMED_BY_DESCRIPTION
           : *n->text        ? NAMED_BY_TEXT
                             : NAMED_BY_CLASS;
}

static const char *name_of(const tac_ui_node *n, int way)
{
    return way == NAMED_BY_ID            ? n->resource_id
           : way == NAMED_BY_DESCRIPTION ? n->description
           : way == NAMED_BY_TEXT        ? n->text
                                         : n->class_name;
}

uint32_t control_ordinal(const tac_ui *ui, const bool *skipped, uint32_t node)
{
    assert(node < ui->count);
    int way = naming(&ui->nodes[node]);
    const char *name = name_of(&ui->nodes[node], way);
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < node; i++)
        ordinal += !skipped[i] && tac_ui_gestures(&ui->nodes[i]) &&
                   !strcmp(name_of(&ui->nodes[i], way), name);
    return ordinal;
}

uint32_t *control_ordinals(const tac_ui *ui, const bool *skipped)
{
    uint32_t *ordinals = tac_calloc((size_t)ui->count + 1, sizeof *ordinals);
    tac_names names = {0};
    TAC_VEC(uint32_t) counts = {0}; /* of name x in way w: [x * WAYS_TO_NAME + w] */
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *n = &ui->nodes[i];
        for (int way = 0; way < WAYS_TO_NAME; way++) {
            size_t at = (size_t)tac_names_intern(&names, name_of(n, way)) * WAYS_TO_NAME;
            while (counts.count < names.count * WAYS_TO_NAME)
                tac_vec_push(&counts, 0);
            if (way == naming(n))
                ordinals[i] = counts.at[at + (size_t)way];
            counts.at[at + (size_t)way] += !skipped[i] && tac_ui_gestures(n);
        }
    }
    tac_vec_free(&counts);
    tac_names_free(&names);
    return ordinals;
}

char *control_key(const tac_ui *ui, uint32_t ordinal, uint32_t node, tac_action_kind kind,
                  const char *value)
{
    static const char *const ways[WAYS_TO_NAME] = {"id", "desc", "text", "class"};
    const tac_ui_node *n = &ui->nodes[node];
    int way = naming(n);
    char *key = tac_format("%s|%s|%s|%u|%s", tac_action_kind_name(kind), ways[way], name_of(n, way),
                           ordinal, value ? value : "");
    for (char *bar = key + strlen(key) - (value ? strlen(value) : 0); *bar; bar++)
        *bar = *bar == '|' ? '/' : *bar; /* the last bar of a key stands before the text */
    return key;
}

static void add_camel(tac_str *out, const char *text)
{
    bool up = out->length > 0;
    for (const unsigned char *p = (const unsigned char *)text; *p && out->length < 60; p++) {
        if (!isalnum(*p) && *p < 0x80) {
            up = out->length > 0;
            continue;
        }
        bool first = out->length == 0;
        tac_str_add_char(out, (char)(up ? toupper(*p) : first ? tolower(*p) : *p));
        up = false;
    }
}

/* Keys read KIND|WHAT|VALUE|ORDINAL|TEXT (control_key), "back", "home" or "system|NAME-". */
char *control_base_name(const char *key)
{
    if (!strncmp(key, "system|", 7) || !strchr(key, '|')) {
        tac_str plain = {0};
        for (const char *p = strncmp(key, "system|", 7) ? key : key + 7; *p; p++)
            tac_str_add_char(&plain, *p == ' ' ? '_' : *p);
        return tac_str_take(&plain);
    }
    tac_str out = {0};
    size_t kind = strcspn(key, "|");
    const char *what = key + kind + 1, *value = strchr(what, '|') + 1;
    const char *end = strrchr(value, '|'); /* before the text */
    while (end > value && end[-1] != '|')
        end--;
    const char *ordinal = end;
    assert(end > value); /* a key has an ordinal before its text */
    char *text = tac_strndup(value, (size_t)(end - value - 1));
    const char *entry = strncmp(what, "id|", 3) ? text : strrchr(text, '/');
    if (!strncmp(what, "class|", 6))
        entry = strrchr(text, '.');
    if (!strncmp(key, "text|", 5))
        tac_str_add(&out, "type");
    else if (!strncmp(key, "scroll|", 7))
        tac_str_add(&out, "scroll");
    else if (!strncmp(key, "swipe|", 6))
        tac_str_add(&out, "swipe");
    add_camel(&out, entry ? (*entry == '/' || *entry == '.' ? entry + 1 : entry) : text);
    if (!out.length)
        tac_str_add(&out, "control");
    if (!strncmp(key, "longClick|", 10))
        tac_str_add(&out, "Long");
    else if (!strncmp(key, "doubleClick|", 12))
        tac_str_add(&out, "Double");
    else if (!strncmp(key, "hover|", 6))
        tac_str_add(&out, "Hover");
    else if (!strncmp(key, "drag|", 5))
        tac_str_add(&out, "Drag");
    unsigned long which = strtoul(ordinal, NULL, 10);
    if (which)
        tac_str_addf(&out, "_%lu", which + 1);
    free(text);
    return tac_str_take(&out);
}

void screen_class(const tac_ui *ui, const char *activity, uint32_t list_items, tac_str *out)
{
    bool *skipped = tac_calloc(ui->count + 1, sizeof *skipped);
    screen_skip_items(ui, list_items, skipped);
    screen_signature(ui, skipped, activity, out);
    free(skipped);
}

char *control_name(const tac_ui *ui, uint32_t ordinal, uint32_t node, tac_action_kind kind)
{
    char *key = control_key(ui, ordinal, node, kind, NULL);
    char *name = control_base_name(key);
    free(key);
    return name;
}

char *control_only_name(const tac_ui *ui, uint32_t node, tac_action_kind kind)
{
    bool *skipped = tac_calloc(ui->count + 1, sizeof *skipped);
    char *name = control_name(ui, control_ordinal(ui, skipped, node), node, kind);
    free(skipped);
    return name;
}

char *screen_short_name(const tac_ui *ui, const char *activity)
{
    tac_str signature = {0};
    screen_class(ui, activity, 1, &signature);
    uint64_t hash = tac_hash_bytes(tac_str_text(&signature), signature.length, 0);
    tac_str_free(&signature);
    return tac_format("%s#%06llx", activity, (unsigned long long)(hash & 0xffffff));
}
