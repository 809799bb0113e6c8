/* Finding a screen by the matching criterion (screen_class.c), and the controls a new one accepts.
 * Items of a list beyond --list-items are neither compared nor explored. */
#include "base/check.h"
#include "base/data/text.h"
#include "explore/explorer.h"
#include "explore/screen_class.h"
#include "explore/screen_view.h"

/* --- controls --- */

uint32_t screen_control(struct explorer *ex, uint32_t number, const char *key, tac_action_kind kind,
                        bool system, uint32_t order)
{
    assert(number < ex->screens.count);
    struct screen *s = &ex->screens.at[number];
    uint32_t id = tac_names_intern(&ex->keys, key);
    for (uint32_t i = 0; i < s->controls.count; i++)
        if (s->controls.at[i].key == id)
            return i;
    tac_vec_push(&s->controls,
                 (struct control){
                     .key = id, .rank = NOWHERE, .kind = kind, .system = system, .order = order});
    return (uint32_t)s->controls.count - 1;
}

static void add_control(struct explorer *ex, uint32_t number, struct screen_view *view,
                        uint32_t node, tac_action_kind kind, const char *value)
{
    const tac_ui_node *n = &view->ui->nodes[node];
    assert(node < view->ui->count && !view->skipped[node]);
    char *key = screen_view_key(view, node, kind, value);
    uint32_t at = screen_control(ex, number, key, kind, false, node + 1);
    struct control *c = &ex->screens.at[number].controls.at[at];
    char *xpath = screen_view_locator(view, node, true);
    c->rank = screen_view_rank(view, node);
    c->xpath = tac_arena_strdup(&ex->arena, xpath);
    c->leaves = n->flags & TAC_UI_LEAVES;
    c->leads = n->flags & TAC_UI_LEADS;
    c->resource_id = *n->resource_id ? tac_arena_strdup(&ex->arena, n->resource_id) : NULL;
    c->value = value ? tac_arena_strdup(&ex->arena, value) : NULL;
    free(xpath);
    free(key);
}

/* The values that --text gives to this node: "XPATH=VALUE", the last "=" outside of brackets. */
static size_t split_rule(const char *rule)
{
    size_t brackets = 0;
    char quote = 0;
    for (size_t i = 0; rule[i]; i++) {
        if (quote)
            quote = rule[i] == quote ? 0 : quote;
        else if (rule[i] == '\'' || rule[i] == '"')
            quote = rule[i];
        else if (rule[i] == '[')
            brackets++;
        else if (rule[i] == ']' && brackets)
            brackets--;
        else if (rule[i] == '=' && !brackets)
            return i;
    }
    return SIZE_MAX;
}

static tac_status text_marks(struct explorer *ex, const tac_ui *ui, size_t rule, bool *marks,
                             const char **value, tac_error *err)
{
    assert(rule < ex->options.text_count);
    const char *text = ex->options.texts[rule];
    size_t at = split_rule(text);
    if (at == SIZE_MAX)
        return tac_fail(err, TAC_E_USAGE, "the text to enter '%s' must be XPATH=VALUE", text);
    char *xpath = tac_strndup(text, at);
    tac_status st = tac_ui_mark(ui, xpath, marks, err);
    free(xpath);
    *value = text + at + 1;
    return st;
}

static tac_status add_texts(struct explorer *ex, uint32_t number, const tac_ui *given,
                            struct screen_view *view, const bool *ignored, tac_error *err)
{
    const tac_ui *ui = view->ui;
    const bool *skipped = view->skipped;
    bool *filled = tac_calloc(ui->count + 1, sizeof *filled);
    bool *marks = tac_calloc(ui->count + 1, sizeof *marks);
    tac_status st = TAC_OK;
    for (size_t r = 0; r < ex->options.text_count && !st; r++) {
        const char *value = NULL;
        memset(marks, 0, ui->count * sizeof *marks);
        st = text_marks(ex, given, r, marks, &value, err);
        for (uint32_t i = 0; i < ui->count && !st; i++) {
            if (!marks[i] || skipped[i] || ignored[i] ||
                !(tac_ui_gestures(&ui->nodes[i]) & 1u << TAC_ACTION_TEXT))
                continue;
            ex->text_used[r] = filled[i] = true;
            add_control(ex, number, view, i, TAC_ACTION_TEXT, value);
        }
    }
    for (uint32_t i = 0; i < ui->count && !st; i++)
        if (!skipped[i] && !ignored[i] && !filled[i] &&
            tac_ui_gestures(&ui->nodes[i]) & 1u << TAC_ACTION_TEXT)
            tac_names_intern(&ex->fields, *ui->nodes[i].resource_id ? ui->nodes[i].resource_id
                                                                    : ui->nodes[i].class_name);
    free(filled);
    free(marks);
    return st;
}

/* ignored[i]: an --ignore rule selects the node or something around it. */
static tac_status mark_ignored(struct explorer *ex, const tac_ui *ui, bool *ignored, tac_error *err)
{
    bool *marks = tac_calloc(ui->count + 1, sizeof *marks);
    tac_status st = TAC_OK;
    for (size_t r = 0; r < ex->options.ignore_count && !st; r++) {
        memset(marks, 0, ui->count * sizeof *marks);
        st = tac_ui_mark(ui, ex->options.ignore[r], marks, err);
        for (uint32_t i = 0; i < ui->count && !st; i++)
            if (marks[i])
                ignored[i] = ex->ignore_used[r] = true;
    }
    for (uint32_t i = 0; i < ui->count; i++)
        if (ui->nodes[i].parent != TAC_UI_NONE && ignored[ui->nodes[i].parent])
            ignored[i] = true;
    free(marks);
    return st;
}

/* Rules of the user are about the screen as it is given, names and locators as it is compared. */
static tac_status list_controls(struct explorer *ex, uint32_t number, const tac_ui *given,
                                const tac_ui *ui, const bool *skipped, tac_error *err)
{
    static const struct {
        tac_action_kind kind;
        const char *value;
    } gestures[] = {{TAC_ACTION_CLICK, NULL},        {TAC_ACTION_LONG_CLICK, NULL},
                    {TAC_ACTION_DOUBLE_CLICK, NULL}, {TAC_ACTION_HOVER, NULL},
                    {TAC_ACTION_DRAG, "down"},       {TAC_ACTION_SCROLL, "down"},
                    {TAC_ACTION_SWIPE, "left"}};
    unsigned wanted = ex->options.gestures;
    struct screen_view view;
    screen_view_begin(&view, ui, skipped);
    bool *ignored = tac_calloc(ui->count + 1, sizeof *ignored);
    tac_status st = mark_ignored(ex, given, ignored, err);
    if (!st && wanted & 1u << TAC_ACTION_BACK)
        screen_control(ex, number, "back", TAC_ACTION_BACK, false, 0);
    for (uint32_t i = 0; i < ui->count && !st; i++) {
        if (skipped[i] || ignored[i])
            continue;
        unsigned accepted = tac_ui_gestures(&ui->nodes[i]) & wanted;
        for (size_t g = 0; g < sizeof gestures / sizeof *gestures; g++)
            if (accepted & 1u << gestures[g].kind)
                add_control(ex, number, &view, i, gestures[g].kind, gestures[g].value);
    }
    if (!st && wanted & 1u << TAC_ACTION_TEXT)
        st = add_texts(ex, number, given, &view, ignored, err);
    if (!st && wanted & 1u << TAC_ACTION_KEY) {
        uint32_t at = screen_control(ex, number, "escape", TAC_ACTION_KEY, false, ui->count + 1);
        ex->screens.at[number].controls.at[at].value = "Escape";
    }
    for (size_t i = 0; i < ex->options.input_count && !st; i++) {
        const char *name = ex->options.inputs[i];
        uint32_t at = screen_control(ex, number, name, TAC_ACTION_KEY, false, ui->count + 1);
        ex->screens.at[number].controls.at[at].value =
            tac_arena_format(&ex->arena, "system:%s", name);
    }
    if (!st && wanted & 1u << TAC_ACTION_HOME)
        screen_control(ex, number, "home", TAC_ACTION_HOME, false, ui->count + 1);
    screen_view_end(&view);
    free(ignored);
    return st;
}

/* --- names that change --- */

/* FNV-1a over all texts. */
static uint64_t hash_texts(const tac_ui *ui)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < ui->count; i++)
        for (int k = 0; k < 2; k++) {
            const char *text = k ? ui->nodes[i].text : ui->nodes[i].description;
            for (size_t n = strlen(text) + 1; n > 0; n--)
                hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
        }
    return hash;
}

static bool node_is(const struct explorer *ex, struct screen_view *view, uint32_t node,
                    const struct control *c)
{
    if (!(tac_ui_gestures(&view->ui->nodes[node]) & 1u << c->kind))
        return false;
    char *key = screen_view_key(view, node, c->kind, c->value);
    bool same = !strcmp(key, ex->keys.text[c->key]);
    free(key);
    return same;
}

/* Whether the control's locator still finds it; `now` is the node that is called so today, or
 * TAC_UI_NONE. A locator of that node finds it without a search. */
static tac_status still_found(const struct explorer *ex, struct screen_view *view,
                              const struct control *c, uint32_t now, bool *out, tac_error *err)
{
    uint32_t node = TAC_UI_NONE;
    char *xpath = now == TAC_UI_NONE ? NULL : screen_view_locator(view, now, true);
    *out = xpath && !strcmp(xpath, c->xpath);
    free(xpath);
    if (*out)
        return TAC_OK;
    tac_status st = tac_ui_find(view->ui, &(tac_selector){.xpath = c->xpath}, &node, err);
    *out = st == TAC_OK && node != TAC_UI_NONE && node_is(ex, view, node, c);
    return st;
}

/* The screen was seen before and says other things now: a control whose locator rests on what has
 * changed gets one that does not, here and in the model. */
static tac_status renew_locators(struct explorer *ex, struct screen *s, const tac_ui *ui,
                                 const bool *skipped, tac_error *err)
{
    tac_status st = TAC_OK;
    struct screen_view view;
    screen_view_begin(&view, ui, skipped);
    for (size_t i = 0; i < s->controls.count && !st; i++) {
        struct control *c = &s->controls.at[i];
        if (!c->xpath || (!strstr(c->xpath, "@text=") && !strstr(c->xpath, "@content-desc=")))
            continue;
        bool found;
        uint32_t node = screen_view_control(&view, ex->keys.text[c->key], c->kind);
        st = still_found(ex, &view, c, node, &found, err);
        if (st || found)
            continue;
        if (node == TAC_UI_NONE && c->rank != NOWHERE) /* it is called otherwise today */
            node = screen_view_of_rank(&view, c->rank);
        if (node == TAC_UI_NONE || !(tac_ui_gestures(&ui->nodes[node]) & 1u << c->kind))
            continue; /* it is not there today */
        char *xpath = screen_view_locator(&view, node, false);
        c->xpath = tac_arena_strdup(&ex->arena, xpath);
        free(xpath);
    }
    screen_view_end(&view);
    return st;
}

/* The tree as it is compared: without ids that somebody counts up. The caller's, with its nodes. */
static tac_ui without_counted(const struct explorer *ex, const tac_ui *ui)
{
    tac_ui seen = *ui;
    tac_ui_node *nodes = tac_calloc((size_t)ui->count + 1, sizeof *nodes);
    for (uint32_t i = 0; i < ui->count; i++) {
        nodes[i] = ui->nodes[i];
        if (reconsider_counted(ex, nodes[i].resource_id, strlen(nodes[i].resource_id)))
            nodes[i].resource_id = "";
    }
    seen.nodes = nodes;
    return seen;
}

static void sign(struct explorer *ex, const tac_ui *ui, const bool *skipped, const char *activity,
                 tac_str *signature)
{
    screen_signature(ui, skipped, activity, signature);
    ex->look = screen_look(ui, skipped);
    if (ex->finer.count && tac_names_find(&ex->finer, tac_str_text(signature)) != TAC_NONE)
        tac_str_addf(signature, SCREEN_LOOK "%llx", (unsigned long long)ex->look);
}

/* A new screen that differs from a known one in nothing but what is chosen. */
static bool is_variant(struct explorer *ex, const tac_ui *ui, const bool *skipped,
                       const char *activity)
{
    tac_ui plain = *ui;
    tac_ui_node *nodes = tac_calloc((size_t)ui->count + 1, sizeof *nodes);
    tac_str signature = {0};
    size_t known = ex->shapes.count;
    for (uint32_t i = 0; i < ui->count; i++) {
        nodes[i] = ui->nodes[i];
        nodes[i].flags &= ~(uint32_t)TAC_UI_CHOSEN;
    }
    plain.nodes = nodes;
    screen_signature(&plain, skipped, activity, &signature);
    uint32_t shape =
        tac_names_intern_bytes(&ex->shapes, tac_str_text(&signature), signature.length);
    tac_str_free(&signature);
    free(nodes);
    assert(shape <= known && ex->shapes.count - known <= 1);
    return shape < known;
}

tac_status screen_match(struct explorer *ex, const tac_ui *given, const char *activity,
                        uint32_t *number, tac_error *err)
{
    tac_ui seen = without_counted(ex, given);
    const tac_ui *ui = &seen;
    assert(ex->signatures.count == ex->screens.count); /* a screen is its signature's number */
    bool *skipped = tac_calloc(ui->count + 1, sizeof *skipped);
    tac_str signature = {0};
    screen_skip_items(ui, ex->options.list_items, skipped);
    sign(ex, ui, skipped, activity, &signature);
    size_t known = ex->signatures.count;
    *number = tac_names_intern_bytes(&ex->signatures, tac_str_text(&signature), signature.length);
    tac_str_free(&signature);
    tac_status st = TAC_OK;
    if (*number == known) {
        if (known >= MAX_SCREENS) {
            st = tac_fail(err, TAC_E_LIMIT,
                          "more than %d different screens; explore less deep, fewer "
                          "items of each list, or ignore elements that change",
                          MAX_SCREENS);
        } else {
            tac_vec_push(&ex->screens,
                         (struct screen){.activity = tac_names_intern(&ex->names, activity),
                                         .depth = NOWHERE,
                                         .found_from = NOWHERE,
                                         .found_by = NOWHERE,
                                         .variant = is_variant(ex, ui, skipped, activity)});
            st = list_controls(ex, *number, given, ui, skipped, err);
            ex->screens.at[*number].texts = hash_texts(ui);
        }
    } else if (ex->screens.at[*number].texts != hash_texts(ui)) {
        ex->screens.at[*number].texts = hash_texts(ui);
        st = renew_locators(ex, &ex->screens.at[*number], ui, skipped, err);
    }
    assert(st != TAC_OK || *number < ex->screens.count);
    free((void *)(uintptr_t)seen.nodes);
    free(skipped);
    return st;
}
