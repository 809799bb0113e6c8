/* The widgets of an app file: what is on a screen. {"use": NAME} stands for a named widget of
 * "templates", read again in the place where it is used, so that its expressions see the variables
 * of that activity. */
#include "base/check.h"
#include "phone/app/load.h"

/* "Button" is android.widget.Button; a name with a dot stays as it is. */
static const char *full_class(struct sim_app *app, const char *name)
{
    if (strchr(name, '.'))
        return name;
    if (!strcmp(name, "View"))
        return "android.view.View";
    if (!strcmp(name, "RecyclerView"))
        return "androidx.recyclerview.widget.RecyclerView";
    return tac_arena_format(&app->arena, "android.widget.%s", name);
}

#define AT(key, kind, member) SIM_AT(key, kind, struct sim_widget, member)
#define ON(key, touch) SIM_AT_HAS(key, ACTIONS, struct sim_widget, on[touch].actions, on[touch].has)
static const struct sim_field widget_fields[] = {
    SIM_ONLY("class", TEXT),
    AT("id", TEXT, id),
    AT("text", PRINTED, text),
    AT("desc", PRINTED, description),
    AT("if", EXPR, show),
    AT("enabled", EXPR, enabled),
    AT("checked", EXPR, checked),
    AT("selected", EXPR, selected),
    AT("repeat", EXPR, repeat),
    ON("click", SIM_TOUCH_CLICK),
    ON("doubleClick", SIM_TOUCH_DOUBLE),
    ON("longClick", SIM_TOUCH_LONG),
    ON("scroll", SIM_TOUCH_SCROLL),
    ON("scrollUp", SIM_TOUCH_SCROLL_TO + SIM_UP),
    ON("scrollDown", SIM_TOUCH_SCROLL_TO + SIM_DOWN),
    ON("scrollLeft", SIM_TOUCH_SCROLL_TO + SIM_LEFT),
    ON("scrollRight", SIM_TOUCH_SCROLL_TO + SIM_RIGHT),
    ON("pinch", SIM_TOUCH_PINCH),
    ON("drag", SIM_TOUCH_DRAG),
    ON("drop", SIM_TOUCH_DROP),
    ON("typed", SIM_TOUCH_TEXT),
    SIM_AT_HAS("input", VARIABLE, struct sim_widget, bind, bound),
    SIM_ONLY("checkable", BOOL),
    SIM_ONLY("clickable", BOOL),
    SIM_ONLY("scrollable", BOOL),
    SIM_ONLY("password", BOOL),
    SIM_ONLY("focusable", BOOL),
    SIM_ONLY("longClickable", BOOL),
    SIM_ONLY("children", OTHER),
    SIM_END};
#undef AT
#undef ON

/* What follows from gestures, and what is said. */
static void set_flags(const json_t *json, struct sim_widget *widget)
{
    static const struct {
        const char *key;
        uint32_t flag;
    } flags[] = {{"checkable", TAC_UI_CHECKABLE},   {"clickable", TAC_UI_CLICKABLE},
                 {"scrollable", TAC_UI_SCROLLABLE}, {"password", TAC_UI_PASSWORD},
                 {"focusable", TAC_UI_FOCUSABLE},   {"longClickable", TAC_UI_LONG_CLICKABLE}};
    bool scrolls = widget->on[SIM_TOUCH_SCROLL].has;
    for (size_t i = 0; i < SIM_WAYS; i++)
        scrolls = scrolls || widget->on[SIM_TOUCH_SCROLL_TO + i].has;
    widget->flags = (widget->on[SIM_TOUCH_CLICK].has ? TAC_UI_CLICKABLE | TAC_UI_FOCUSABLE : 0) |
                    (widget->on[SIM_TOUCH_LONG].has ? TAC_UI_LONG_CLICKABLE : 0) |
                    (scrolls ? TAC_UI_SCROLLABLE : 0) |
                    (widget->bound ? TAC_UI_EDITABLE | TAC_UI_FOCUSABLE : 0);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const json_t *said = json_object_get(json, flags[i].key);
        if (said)
            widget->flags =
                json_is_true(said) ? widget->flags | flags[i].flag : widget->flags & ~flags[i].flag;
    }
}

/* How the widget's gestures are called in the history of events: its id, else its text. */
static void name_events(struct sim_place *place, const json_t *json, struct sim_widget *widget)
{
    static const char *const prefixes[] = {
        [SIM_TOUCH_CLICK] = "",         [SIM_TOUCH_LONG] = "longClick:",
        [SIM_TOUCH_SCROLL] = "scroll:", [SIM_TOUCH_PINCH] = "pinch:",
        [SIM_TOUCH_TEXT] = "text:",     [SIM_TOUCH_DOUBLE] = "doubleClick:",
        [SIM_TOUCH_DRAG] = "drag:",     [SIM_TOUCH_DROP] = "drop:"};
    static_assert(sizeof prefixes / sizeof *prefixes == SIM_TOUCH_SCROLL_TO, "a touch has no name");
    struct sim_app *app = place->app;
    const char *name = widget->id;
    if (!*name && sim_text_of(json, "desc"))
        name = sim_text_of(json, "desc");
    if (!*name && sim_text_of(json, "text"))
        name = sim_text_of(json, "text");
    for (size_t i = 0; i < SIM_TOUCH_SCROLL_TO; i++)
        widget->on[i].label =
            sim_label(app, tac_arena_format(&app->arena, "%s%s", prefixes[i], name));
}

static tac_status load_widget(struct sim_place *place, const json_t *json,
                              struct sim_widget *widget)
{
    struct sim_app *app = place->app;
    const char *class_name = sim_text_of(json, "class");
    tac_status st = sim_load_fields(place, json, NULL, widget_fields, widget);
    if (st)
        return st;
    if (!class_name)
        class_name = json_object_get(json, "children") ? "FrameLayout" : "TextView";
    widget->class_name = full_class(app, class_name);
    widget->resource_id = !*widget->id ? ""
                          : strchr(widget->id, ':')
                              ? widget->id
                              : tac_arena_format(&app->arena, "%s:id/%s", app->package, widget->id);
    if (widget->on[SIM_TOUCH_TEXT].has && !widget->bound)
        return sim_wrong(place, "\"typed\" needs \"input\": the variable that takes the text");
    if (widget->bound && !tac_ui_class_is_editable(widget->class_name))
        return sim_wrong(place, "'input' needs a class that is an EditText");
    set_flags(json, widget);
    name_events(place, json, widget);
    return sim_load_widgets(place, json, "children", &widget->first_child, &widget->child_count);
}

/* The widget itself, or the template that it names; the place then points into the template. */
static tac_status resolve(struct sim_place *place, const json_t **json)
{
    static const struct sim_field fields[] = {SIM_ONLY("use", TEXT), SIM_END};
    tac_status st = sim_want(place, *json, JSON_OBJECT, "a widget (an object)");
    if (!st && json_object_get(*json, "use"))
        st = sim_load_fields(place, *json, NULL, fields, NULL);
    const char *name = sim_text_of(*json, "use");
    if (st || !name)
        return st;
    const json_t *named = place->templates ? json_object_get(place->templates, name) : NULL;
    if (!json_is_object(named))
        return sim_wrong_member(place, "use", "there is no template '%s'", name);
    place->pointer[0] = '\0';
    sim_enter(place, "templates");
    sim_enter(place, name);
    if (json_object_get(named, "use"))
        return sim_wrong(place,
                         "a template cannot be another template itself; put it into children");
    *json = named;
    return TAC_OK;
}

typedef TAC_VEC(uint32_t) widget_numbers;

static tac_status load_one(struct sim_place *place, const char *name, const json_t *json,
                           void *made)
{
    struct sim_app *app = place->app;
    struct sim_widget widget = {.resource_id = "", .id = ""};
    char pointer[sizeof place->pointer];
    (void)name;
    memcpy(pointer, place->pointer, sizeof pointer);
    tac_status st = resolve(place, &json);
    if (!st)
        st = load_widget(place, json, &widget);
    if (!st && app->widgets.count >= SIM_MAX_WIDGETS)
        st = sim_wrong(place, "more than %d widgets", SIM_MAX_WIDGETS);
    if (st)
        return st;
    tac_vec_push(&app->widgets, widget);
    tac_vec_push((widget_numbers *)made, (uint32_t)app->widgets.count - 1);
    memcpy(place->pointer, pointer, sizeof pointer);
    return TAC_OK;
}

tac_status sim_load_widgets(struct sim_place *place, const json_t *object, const char *key,
                            uint32_t *first, uint32_t *count)
{
    struct sim_app *app = place->app;
    widget_numbers made = {0};
    if (!json_object_get(object, key))
        return TAC_OK;
    if (++place->depth > SIM_MAX_DEPTH)
        return sim_wrong(place, "widgets are nested more than %d deep (a template inside itself?)",
                         SIM_MAX_DEPTH);
    tac_status st =
        sim_each(place, object, key, JSON_ARRAY, "an array of widgets", load_one, &made);
    place->depth--;
    *first = (uint32_t)app->children.count;
    *count = (uint32_t)made.count;
    tac_vec_append(&app->children, made.at, made.count);
    tac_vec_free(&made);
    return st;
}
