/* The widgets of an app file: what is on a screen. {"use": NAME} stands for a named widget of
 * "templates", read again in the place where it is used, so that its expressions see the variables
 * of that activity. */
#include "phone/app/app.h"

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

static tac_status load_flags(struct sim_place *place, const json_t *json, struct sim_widget *widget)
{
    static const struct {
        const char *key;
        uint32_t flag;
    } flags[] = {{"checkable", TAC_UI_CHECKABLE},   {"clickable", TAC_UI_CLICKABLE},
                 {"scrollable", TAC_UI_SCROLLABLE}, {"password", TAC_UI_PASSWORD},
                 {"focusable", TAC_UI_FOCUSABLE},   {"longClickable", TAC_UI_LONG_CLICKABLE}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        bool on = (widget->flags & flags[i].flag) != 0;
        tac_status st = sim_get_bool(place, json, flags[i].key, &on);
        if (st)
            return st;
        widget->flags = on ? widget->flags | flags[i].flag : widget->flags & ~flags[i].flag;
    }
    return TAC_OK;
}

static tac_status load_text(struct sim_place *place, const json_t *json, const char *key,
                            uint32_t *out)
{
    const char *text = NULL;
    *out = SIM_NONE;
    tac_status st = sim_get_text(place, json, key, &text);
    if (st || !text)
        return st;
    size_t was = sim_enter(place, key);
    st = sim_parse_text(place, text, out);
    if (!st)
        sim_leave(place, was);
    return st;
}

static tac_status load_gestures(struct sim_place *place, const json_t *json, struct sim_widget *w)
{
    const struct {
        const char *key;
        struct sim_list *actions;
        bool *has;
    } gestures[] = {{"click", &w->click, &w->has_click},
                    {"doubleClick", &w->double_click, &w->has_double},
                    {"longClick", &w->long_click, &w->has_long},
                    {"scroll", &w->scroll, &w->has_scroll},
                    {"scrollUp", &w->scroll_to[SIM_UP], &w->has_scroll_to[SIM_UP]},
                    {"scrollDown", &w->scroll_to[SIM_DOWN], &w->has_scroll_to[SIM_DOWN]},
                    {"scrollLeft", &w->scroll_to[SIM_LEFT], &w->has_scroll_to[SIM_LEFT]},
                    {"scrollRight", &w->scroll_to[SIM_RIGHT], &w->has_scroll_to[SIM_RIGHT]},
                    {"pinch", &w->pinch, &w->has_pinch},
                    {"drag", &w->drag, &w->has_drag},
                    {"drop", &w->drop, &w->has_drop}};
    tac_status st = TAC_OK;
    for (size_t i = 0; i < sizeof gestures / sizeof *gestures && !st; i++)
        st = sim_load_actions(place, json, gestures[i].key, gestures[i].actions, gestures[i].has);
    for (size_t i = 0; i < SIM_WAYS; i++)
        w->has_scroll = w->has_scroll || w->has_scroll_to[i];
    return st;
}

static tac_status load_events(struct sim_place *place, const json_t *json,
                              struct sim_widget *widget)
{
    bool has_text = false;
    tac_status st = load_gestures(place, json, widget);
    if (!st)
        st = sim_load_actions(place, json, "typed", &widget->on_text, &has_text);
    const char *variable = NULL;
    if (!st)
        st = sim_get_text(place, json, "input", &variable);
    if (!st && variable)
        st = sim_need_variable(place, "input", variable, &widget->bind);
    if (st)
        return st;
    widget->bound = variable != NULL;
    if (has_text && !variable)
        return sim_wrong(place, "\"typed\" needs \"input\": the variable that takes the text");
    if (variable && !tac_ui_class_is_editable(widget->class_name))
        return sim_wrong(place, "'input' needs a class that is an EditText");
    if (widget->has_click)
        widget->flags |= TAC_UI_CLICKABLE | TAC_UI_FOCUSABLE;
    if (widget->has_long)
        widget->flags |= TAC_UI_LONG_CLICKABLE;
    if (widget->has_scroll)
        widget->flags |= TAC_UI_SCROLLABLE;
    if (variable)
        widget->flags |= TAC_UI_EDITABLE | TAC_UI_FOCUSABLE;
    return TAC_OK;
}

/* How the widget's gestures are called in the history of events: its id, else its text. */
static void name_events(struct sim_place *place, const json_t *json, struct sim_widget *widget)
{
    struct sim_app *app = place->app;
    const char *name = widget->id;
    if (!*name && json_is_string(json_object_get(json, "desc")))
        name = json_string_value(json_object_get(json, "desc"));
    if (!*name && json_is_string(json_object_get(json, "text")))
        name = json_string_value(json_object_get(json, "text"));
    widget->click_label = sim_label(app, name);
    widget->long_label = sim_label(app, tac_arena_format(&app->arena, "longClick:%s", name));
    widget->scroll_label = sim_label(app, tac_arena_format(&app->arena, "scroll:%s", name));
    widget->pinch_label = sim_label(app, tac_arena_format(&app->arena, "pinch:%s", name));
    widget->text_label = sim_label(app, tac_arena_format(&app->arena, "text:%s", name));
    widget->double_label = sim_label(app, tac_arena_format(&app->arena, "doubleClick:%s", name));
    widget->drag_label = sim_label(app, tac_arena_format(&app->arena, "drag:%s", name));
    widget->drop_label = sim_label(app, tac_arena_format(&app->arena, "drop:%s", name));
}

static tac_status load_states(struct sim_place *place, const json_t *json,
                              struct sim_widget *widget)
{
    tac_status st = load_text(place, json, "text", &widget->text);
    if (!st)
        st = load_text(place, json, "desc", &widget->description);
    if (!st)
        st = sim_get_expr(place, json, "if", &widget->show);
    if (!st)
        st = sim_get_expr(place, json, "enabled", &widget->enabled);
    if (!st)
        st = sim_get_expr(place, json, "checked", &widget->checked);
    if (!st)
        st = sim_get_expr(place, json, "selected", &widget->selected);
    if (!st)
        st = sim_get_expr(place, json, "repeat", &widget->repeat);
    return st;
}

static tac_status load_widget(struct sim_place *place, const json_t *json,
                              struct sim_widget *widget)
{
    static const char *const known[] = {
        "class",      "id",          "text",        "desc",      "if",
        "enabled",    "checked",     "selected",    "repeat",    "click",
        "longClick",  "scroll",      "typed",       "input",     "checkable",
        "clickable",  "scrollable",  "password",    "focusable", "longClickable",
        "children",   "pinch",       "doubleClick", "scrollUp",  "scrollDown",
        "scrollLeft", "scrollRight", "drag",        "drop",      NULL};
    struct sim_app *app = place->app;
    const json_t *children = json_object_get(json, "children");
    const char *class_name = children ? "FrameLayout" : "TextView", *id = "";
    tac_status st = sim_only_keys(place, json, known);
    if (!st)
        st = sim_get_text(place, json, "class", &class_name);
    if (!st)
        st = sim_get_text(place, json, "id", &id);
    if (st)
        return st;
    widget->class_name = full_class(app, class_name);
    widget->id = id;
    widget->resource_id = !*id ? ""
                          : strchr(id, ':')
                              ? id
                              : tac_arena_format(&app->arena, "%s:id/%s", app->package, id);
    st = load_states(place, json, widget);
    if (!st)
        st = load_events(place, json, widget);
    if (!st)
        st = load_flags(place, json, widget);
    if (st)
        return st;
    name_events(place, json, widget);
    if (!children)
        return TAC_OK;
    size_t was = sim_enter(place, "children");
    st = sim_load_widgets(place, children, &widget->first_child, &widget->child_count);
    if (!st)
        sim_leave(place, was);
    return st;
}

/* The widget itself, or the template that it names; the place then points into the template. */
static tac_status resolve(struct sim_place *place, const json_t **json)
{
    static const char *const known[] = {"use", NULL};
    tac_status st = sim_want(place, *json, JSON_OBJECT, "a widget (an object)");
    const char *name = NULL;
    if (!st)
        st = sim_get_text(place, *json, "use", &name);
    if (st || !name)
        return st;
    st = sim_only_keys(place, *json, known);
    if (st)
        return st;
    const json_t *named = place->templates ? json_object_get(place->templates, name) : NULL;
    if (!json_is_object(named)) {
        sim_enter(place, "use");
        return sim_wrong(place, "there is no template '%s'", name);
    }
    place->pointer[0] = '\0';
    sim_enter(place, "templates");
    sim_enter(place, name);
    if (json_object_get(named, "use"))
        return sim_wrong(place,
                         "a template cannot be another template itself; put it into children");
    *json = named;
    return TAC_OK;
}

tac_status sim_load_widgets(struct sim_place *place, const json_t *array, uint32_t *first,
                            uint32_t *count)
{
    struct sim_app *app = place->app;
    tac_status st = sim_want(place, array, JSON_ARRAY, "an array of widgets");
    if (st)
        return st;
    if (++place->depth > SIM_MAX_DEPTH)
        return sim_wrong(place, "widgets are nested more than %d deep (a template inside itself?)",
                         SIM_MAX_DEPTH);
    TAC_VEC(uint32_t) made = {0};
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)array, i, item)
    {
        size_t was = sim_enter_item(place, i);
        char pointer[sizeof place->pointer];
        memcpy(pointer, place->pointer, sizeof pointer);
        const json_t *json = item;
        st = resolve(place, &json);
        struct sim_widget widget = {.resource_id = "", .id = ""};
        if (!st)
            st = load_widget(place, json, &widget);
        if (!st && app->widgets.count >= SIM_MAX_WIDGETS)
            st = sim_wrong(place, "more than %d widgets", SIM_MAX_WIDGETS);
        if (st)
            break;
        tac_vec_push(&app->widgets, widget);
        tac_vec_push(&made, (uint32_t)app->widgets.count - 1);
        memcpy(place->pointer, pointer, sizeof pointer);
        sim_leave(place, was);
    }
    place->depth--;
    if (!st) {
        *first = (uint32_t)app->children.count;
        *count = (uint32_t)made.count;
        tac_vec_append(&app->children, made.at, made.count);
    }
    tac_vec_free(&made);
    return st;
}
