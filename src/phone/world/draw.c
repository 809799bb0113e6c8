/* Draws the screen: the hierarchy that UiAutomator would dump, with bounds, and a plain picture.
 * The tree is drawn when it is asked for and kept until something changes it. */
#include "phone/world/phone.h"
#include <zlib.h>

enum {
    WIDTH = 1080,
    HEIGHT = 1920,
    STATUS_BAR = 75,
    ROW = 120,
    MAX_REPEAT = 200,
    MAX_NODES = 20000
};

static const char *print_kept(struct sim *s, uint32_t text, uint32_t item)
{
    if (text == SIM_NONE)
        return "";
    struct sim_text t = s->app->texts.at[text];
    if (t.count == 0)
        return "";
    const struct sim_part *only = &s->app->parts.at[t.first];
    if (t.count == 1 && only->literal)
        return only->literal;
    tac_str out = {.cap = SIM_MAX_TEXT};
    sim_print(s, text, item, &out);
    const char *kept = tac_arena_strdup(ui_arena(s->ui), tac_str_text(&out));
    tac_str_free(&out);
    return kept;
}

static uint32_t add_node(struct sim *s, uint32_t parent, const tac_ui_node *node, uint32_t widget,
                         uint32_t item)
{
    tac_vec_push(&s->drawn_widget, widget);
    tac_vec_push(&s->drawn_item, item);
    return ui_add_borrowed(s->ui, parent, node);
}

static const char *held_text(struct sim *s, const struct sim_widget *w)
{
    const struct sim_instance *top = sim_top(s);
    const struct sim_slot *slot = w->bind.scope == SIM_LOCAL     ? &top->locals[w->bind.slot]
                                  : w->bind.scope == SIM_PROCESS ? &s->process[w->bind.slot]
                                                                 : &s->kept[w->bind.slot];
    return slot->text ? slot->text : "";
}

const char *sim_field_text(struct sim *s, uint32_t node)
{
    uint32_t widget = s->drawn_widget.at[node];
    if (widget == SIM_NONE || !s->app->widgets.at[widget].bound || !sim_top(s))
        return "";
    return held_text(s, &s->app->widgets.at[widget]);
}

static const char *shown_text(struct sim *s, const struct sim_widget *w, uint32_t item)
{
    const char *held = w->bound ? held_text(s, w) : "";
    return *held ? tac_arena_strdup(ui_arena(s->ui), held) : print_kept(s, w->text, item);
}

static bool has_focus(struct sim *s, uint32_t widget, uint32_t item)
{
    const struct sim_instance *top = sim_top(s);
    return s->focus.on && top && s->focus.instance == top->id && s->focus.widget == widget &&
           s->focus.item == item;
}

static void draw_children(struct sim *s, uint32_t parent, uint32_t first, uint32_t count,
                          uint32_t item);

static void draw_widget(struct sim *s, uint32_t parent, uint32_t number, uint32_t item)
{
    const struct sim_widget *w = &s->app->widgets.at[number];
    if (!sim_true(s, w->show, item) || s->ui->count >= MAX_NODES)
        return;
    tac_ui_node node = {.text = shown_text(s, w, item),
                        .resource_id = w->resource_id,
                        .class_name = w->class_name,
                        .package = s->app->package,
                        .description = print_kept(s, w->description, item),
                        .flags = w->flags};
    if (sim_true(s, w->enabled, item))
        node.flags |= TAC_UI_ENABLED;
    if (w->checked != SIM_NONE) {
        node.flags |= TAC_UI_CHECKABLE;
        if (sim_true(s, w->checked, item))
            node.flags |= TAC_UI_CHECKED;
    }
    if (w->selected != SIM_NONE && sim_true(s, w->selected, item))
        node.flags |= TAC_UI_SELECTED;
    if (has_focus(s, number, item))
        node.flags |= TAC_UI_FOCUSED;
    uint32_t drawn = add_node(s, parent, &node, number, item);
    draw_children(s, drawn, w->first_child, w->child_count, item);
}

static void draw_children(struct sim *s, uint32_t parent, uint32_t first, uint32_t count,
                          uint32_t item)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = s->app->children.at[first + i];
        const struct sim_widget *w = &s->app->widgets.at[number];
        if (w->repeat == SIM_NONE) {
            draw_widget(s, parent, number, item);
            continue;
        }
        double times = sim_eval(s, w->repeat, item).number;
        for (uint32_t k = 0; k < times && k < MAX_REPEAT; k++)
            draw_widget(s, parent, number, k);
    }
}

static uint32_t draw_frame(struct sim *s, const char *package)
{
    tac_ui_node frame = {.text = "",
                         .resource_id = "",
                         .class_name = "android.widget.FrameLayout",
                         .package = package,
                         .description = "",
                         .flags = TAC_UI_ENABLED};
    return add_node(s, TAC_UI_NONE, &frame, SIM_NONE, 0);
}

static void draw_label(struct sim *s, uint32_t parent, const char *package, const char *id,
                       const char *text, uint32_t flags)
{
    tac_ui_node node = {.text = text,
                        .resource_id = id,
                        .package = package,
                        .description = "",
                        .class_name = flags & TAC_UI_CLICKABLE ? "android.widget.Button"
                                                               : "android.widget.TextView",
                        .flags = flags | TAC_UI_ENABLED};
    add_node(s, parent, &node, SIM_NONE, 0);
}

static void draw_permission(struct sim *s)
{
    uint32_t frame = draw_frame(s, SIM_PERMISSIONS);
    draw_label(s, frame, SIM_PERMISSIONS, SIM_PERMISSIONS ":id/permission_message", s->asking->name,
               0);
    draw_label(s, frame, SIM_PERMISSIONS, SIM_ALLOW_ID, "Allow", TAC_UI_CLICKABLE);
    draw_label(s, frame, SIM_PERMISSIONS, SIM_DENY_ID, "Deny", TAC_UI_CLICKABLE);
}

/* Leaves lie below each other, a parent spans its children. */
static void lay_out(tac_ui *ui)
{
    int32_t leaves = 0;
    for (uint32_t i = 0; i < ui->count; i++)
        leaves += ui->nodes[i].first_child == TAC_UI_NONE;
    int32_t row = leaves ? (HEIGHT - STATUS_BAR) / leaves : ROW;
    row = row > ROW ? ROW : row < 2 ? 2 : row;
    int32_t top = STATUS_BAR;
    for (uint32_t i = 0; i < ui->count; i++) {
        tac_ui_node *n = ui_node(ui, i);
        n->left = 0;
        n->right = WIDTH;
        n->top = top;
        n->bottom = top;
        if (n->first_child == TAC_UI_NONE) {
            n->bottom = top + row;
            top += row;
        }
    }
    for (uint32_t i = ui->count; i-- > 0;) {
        const tac_ui_node *n = &ui->nodes[i];
        if (n->parent != TAC_UI_NONE && ui->nodes[n->parent].bottom < n->bottom)
            ui_node(ui, n->parent)->bottom = n->bottom;
    }
    if (ui->count && ui->nodes[0].bottom < HEIGHT)
        ui_node(ui, 0)->bottom = HEIGHT;
}

const tac_ui *sim_draw(struct sim *s)
{
    if (s->drawn)
        return s->ui;
    ui_clear(s->ui, s->rotation);
    s->drawn_widget.count = s->drawn_item.count = 0;
    const struct sim_instance *top = sim_top(s);
    if (s->asking) {
        draw_permission(s);
    } else if (s->external_package) {
        uint32_t frame = draw_frame(s, s->external_package);
        draw_label(s, frame, s->external_package, "", s->external_activity, 0);
    } else if (s->background || !top) {
        uint32_t frame = draw_frame(s, SIM_LAUNCHER);
        draw_label(s, frame, SIM_LAUNCHER, SIM_LAUNCHER ":id/workspace", "", 0);
    } else {
        const struct sim_screen *screen = &s->app->screens.at[top->screen];
        uint32_t frame = draw_frame(s, s->app->package);
        draw_children(s, frame, screen->first_child, screen->child_count, 0);
    }
    lay_out(s->ui);
    s->drawn = true;
    return s->ui;
}

/* --- a plain picture: every node a box, clickable ones filled --- */

static void put_u32(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)(value >> 24);
    at[1] = (unsigned char)(value >> 16);
    at[2] = (unsigned char)(value >> 8);
    at[3] = (unsigned char)value;
}

static void put_chunk(tac_str *out, const char *type, const unsigned char *data, size_t size)
{
    unsigned char word[4];
    put_u32(word, (uint32_t)size);
    tac_str_add_bytes(out, (const char *)word, 4);
    tac_str_add_bytes(out, type, 4);
    if (size)
        tac_str_add_bytes(out, (const char *)data, size);
    uLong check = crc32(0, (const Bytef *)type, 4);
    if (size)
        check = crc32(check, data, (uInt)size);
    put_u32(word, (uint32_t)check);
    tac_str_add_bytes(out, (const char *)word, 4);
}

enum { PICTURE_WIDTH = WIDTH / 4, PICTURE_HEIGHT = HEIGHT / 4, PICTURE_ROW = PICTURE_WIDTH + 1 };

static void paint(unsigned char *picture, const tac_ui_node *n)
{
    int32_t left = n->left / 4, right = n->right / 4, top = n->top / 4, bottom = n->bottom / 4;
    for (int32_t y = top < 0 ? 0 : top; y < bottom && y < PICTURE_HEIGHT; y++)
        for (int32_t x = left < 0 ? 0 : left; x < right && x < PICTURE_WIDTH; x++) {
            bool edge = x == left || x == right - 1 || y == top || y == bottom - 1;
            unsigned char *pixel = &picture[y * PICTURE_ROW + 1 + x];
            if (edge)
                *pixel = 60;
            else if (n->first_child == TAC_UI_NONE)
                *pixel = n->flags & TAC_UI_CLICKABLE ? 190 : n->flags & TAC_UI_EDITABLE ? 225 : 250;
        }
}

unsigned char *sim_screenshot(struct sim *s, size_t *size)
{
    const tac_ui *ui = sim_draw(s);
    const size_t raw_size = (size_t)PICTURE_ROW * PICTURE_HEIGHT;
    unsigned char *raw = tac_alloc(raw_size);
    memset(raw, 255, raw_size);
    for (uint32_t i = 0; i < ui->count; i++)
        paint(raw, &ui->nodes[i]);
    for (size_t y = 0; y < PICTURE_HEIGHT; y++)
        raw[y * PICTURE_ROW] = 0; /* no filter */
    uLongf packed_size = compressBound((uLong)raw_size);
    unsigned char *packed = tac_alloc(packed_size);
    compress2(packed, &packed_size, raw, (uLong)raw_size, 6);
    tac_str out = {0};
    unsigned char header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0};
    put_u32(header, PICTURE_WIDTH);
    put_u32(header + 4, PICTURE_HEIGHT);
    tac_str_add_bytes(&out, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&out, "IHDR", header, sizeof header);
    put_chunk(&out, "IDAT", packed, packed_size);
    put_chunk(&out, "IEND", NULL, 0);
    free(raw);
    free(packed);
    *size = out.length;
    return (unsigned char *)tac_str_take(&out);
}
