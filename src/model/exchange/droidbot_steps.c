/* From DroidBot's events to transitions; see droidbot_reader.h.
 *
 * An event of an edge is looked up among the records by its text and its two states. Each control
 * that the records name becomes a step of its own: DroidBot's hash is of a control's looks, and two
 * of a list may look alike. Without a record the control is found in the screen's tree by its hash.
 * Cost: O(records of the event + views of the screen) per event. */
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/visible.h"
#include "model/exchange/droidbot_reader.h"
#include "model/exchange/walker_graph.h"

enum { LONG_NAME = 24 };

/* The end of a resource id ("app:id/play" is play), or the text cut to a readable length. */
static void add_part(tac_str *out, const char *text, bool id)
{
    const char *slash = id && text ? strrchr(text, '/') : NULL;
    if (!text)
        return;
    text = slash && slash[1] ? slash + 1 : text;
    tac_str_add_char(out, '_');
    for (size_t length = 0, left = strlen(text); left && length < LONG_NAME; length++) {
        tac_glyph glyph = tac_glyph_at(text, left);
        bool shown = glyph.kind == TAC_GLYPH_PLAIN && *text != ' ' && *text != '/';
        if (shown)
            tac_str_add_bytes(out, text, glyph.length);
        else
            tac_str_add_char(out, '_');
        text += glyph.length;
        left -= glyph.length;
    }
}

/* touch_button_ok_Delete: gesture, id, text or description, else the class. */
static char *readable(struct droidbot_reader *reader, const struct droidbot_event *event,
                      const struct droidbot_view *view)
{
    tac_str name = {0};
    const char *shown = view->text && !view->editable ? view->text : view->description;
    const char *dot = view->class_name ? strrchr(view->class_name, '.') : NULL;
    tac_str_add(&name, event->prefix ? event->prefix : "event");
    add_part(&name, view->resource_id, true);
    add_part(&name, shown, false);
    if (!view->resource_id && !shown)
        add_part(&name, dot ? dot + 1 : "view", false);
    if (event->action == TAC_ACTION_SCROLL)
        add_part(&name, event->value, false);
    char *kept = tac_arena_strdup(&reader->arena, tac_str_text(&name));
    tac_str_free(&name);
    return kept;
}

/* The name of an event by its key; new controls get a name of their own. */
static const char *name_event(struct droidbot_reader *reader, const char *key, const char *wanted)
{
    uint32_t id = tac_names_intern(&reader->event_keys, key);
    if (id < reader->event_names.count)
        return reader->event_names.at[id];
    char *base = tac_import_clean_name(&reader->arena, wanted, "event"), *name = base;
    for (unsigned n = 2;; n++) {
        size_t before = reader->taken_events.count;
        tac_names_intern(&reader->taken_events, name);
        if (reader->taken_events.count > before)
            break;
        name = tac_arena_format(&reader->arena, "%s_%u", base, n);
    }
    tac_vec_push(&reader->event_names, name);
    return name;
}

/* Which of the views with its hash a view is, from 1; 0 when it is the only one. */
static uint32_t place_among_alike(const struct droidbot_view *tree, uint32_t count, uint32_t view)
{
    uint32_t alike = 0, place = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool same = tree[i].hash && tree[view].hash && !strcmp(tree[i].hash, tree[view].hash);
        alike += same;
        if (i == view)
            place = alike;
    }
    return alike > 1 ? place : 0;
}

/* Equal steps are one that was seen several times. */
static void add_step(struct droidbot_reader *reader, size_t first, struct droidbot_step step)
{
    for (size_t i = first; i < reader->steps.count; i++) {
        struct droidbot_step *other = &reader->steps.at[i];
        if (!strcmp(other->event, step.event)) {
            other->times += step.times;
            return;
        }
    }
    tac_vec_push(&reader->steps, step);
}

/* A step on a view of its screen's tree. */
static void add_on_view(struct droidbot_reader *reader, size_t first, struct droidbot_step step,
                        const struct droidbot_view *tree, uint32_t count, uint32_t view)
{
    bool unique_id, positional;
    uint32_t place = place_among_alike(tree, count, view);
    step.what.xpath = droidbot_locator(&reader->arena, tree, count, view, &unique_id, &positional);
    step.resource_id = unique_id ? tree[view].resource_id : NULL;
    step.area = droidbot_area(&reader->folder, &reader->arena, tree, count, &tree[view]);
    const char *key = place || positional ? tac_arena_format(&reader->arena, "%s %s", step.what.key,
                                                             step.what.xpath)
                                          : step.what.key;
    step.event = name_event(reader, key, readable(reader, &step.what, &tree[view]));
    size_t before = reader->steps.count;
    add_step(reader, first, step);
    reader->positional += positional && reader->steps.count > before;
    reader->separated += place && reader->steps.count > before;
}

/* The steps of the records of one event; false when there is none. */
static bool add_recorded(struct droidbot_reader *reader, size_t first, const char *text,
                         const struct droidbot_step *step, const char *stop)
{
    const struct droidbot_folder *folder = &reader->folder;
    const char *start = reader->nodes.at[step->from].state;
    uint32_t count, record = TAC_NONE;
    const struct droidbot_view *tree = droidbot_tree(folder, start, &count);
    bool any = false;
    while ((record = droidbot_find(folder, text, start, stop, record)) != TAC_NONE) {
        const struct droidbot_record *at = &folder->records.at[record];
        struct droidbot_step one = *step;
        any = true;
        one.times = 1;
        if (one.what.action == TAC_ACTION_TEXT && at->value)
            one.what.value = at->value;
        uint32_t view = at->on_view ? droidbot_match(tree, count, &at->view, at->number) : TAC_NONE;
        if (at->on_view && view != TAC_NONE) {
            add_on_view(reader, first, one, tree, count, view);
        } else if (at->on_view) {
            reader->without_tree++;
            add_on_view(reader, first, one, &at->view, 1, 0);
        } else {
            one.event = name_event(reader, one.what.key, one.what.name);
            add_step(reader, first, one);
        }
        if (!stop)
            break; /* of records that ended elsewhere one is enough to know the control */
    }
    return any;
}

/* Without a record: the view of the tree that has the hash of the event's text. */
static void add_unrecorded(struct droidbot_reader *reader, size_t first, struct droidbot_step step)
{
    uint32_t count, found = TAC_NONE, alike = 0;
    const struct droidbot_view *tree =
        droidbot_tree(&reader->folder, reader->nodes.at[step.from].state, &count);
    for (uint32_t i = 0; step.what.hash && i < count; i++)
        if (tree[i].hash && !strcmp(tree[i].hash, step.what.hash)) {
            found = found == TAC_NONE ? i : found;
            alike++;
        }
    reader->ambiguous += alike > 1;
    if (found != TAC_NONE) {
        add_on_view(reader, first, step, tree, count, found);
        return;
    }
    step.event = name_event(reader, step.what.key, step.what.name);
    add_step(reader, first, step);
}

void droidbot_read_events(struct droidbot_reader *reader, const json_t *events, uint32_t from,
                          uint32_t to)
{
    size_t i, first = reader->steps.count;
    json_t *event;
    json_array_foreach(events, i, event)
    {
        const char *text = json_string_value(json_object_get(event, "event_str"));
        json_int_t order = json_integer_value(json_object_get(event, "event_id"));
        struct droidbot_step step = {
            .from = from, .to = to, .times = 1, .order = order > 0 ? (uint64_t)order : 0};
        tac_droidbot_event_parse(&reader->arena, tac_json_get_text(event, "event_type"),
                                 text ? text : "", &step.what);
        reader->events++;
        if (!text || (!add_recorded(reader, first, text, &step, reader->nodes.at[to].state) &&
                      !add_recorded(reader, first, text, &step, NULL)))
            add_unrecorded(reader, first, step);
    }
}

/* --- Building --- */

static bool is_new(struct droidbot_reader *reader, uint32_t machine, const char *name)
{
    char *key = tac_arena_format(&reader->arena, "%u %s", machine, name);
    size_t before = reader->connections.count;
    tac_names_intern(&reader->connections, key);
    return reader->connections.count > before;
}

/* Where a step leads inside the machine it starts in: the state, a jump, or the way out. */
static const char *target_of(struct droidbot_reader *reader, uint32_t machine, uint32_t to)
{
    const struct droidbot_node *node = &reader->nodes.at[to];
    uint32_t index = reader->machines.at[machine].index;
    if (!node->own) {
        char *name = tac_import_clean_name(
            &reader->arena, tac_arena_format(&reader->arena, "to_%s", node->package), "out");
        if (is_new(reader, machine, name))
            tac_build_node(reader->builder, index, TAC_NODE_FINAL, name, 0);
        return name;
    }
    if (node->machine == machine)
        return node->name;
    char *name = tac_arena_format(&reader->arena, "to_%s", node->name);
    if (is_new(reader, machine, name)) {
        uint32_t jump = tac_build_node(reader->builder, index, TAC_NODE_CONNECTION, name, 0);
        tac_build_jump(reader->builder, jump, reader->machines.at[node->machine].path, node->name);
    }
    return name;
}

static void build_step(struct droidbot_reader *reader, uint32_t machine, const char *from,
                       const struct droidbot_step *step)
{
    const struct droidbot_event *what = &step->what;
    uint32_t transition = tac_build_transition(
        reader->builder, reader->machines.at[machine].index, from, step->event,
        target_of(reader, machine, step->to), what->performed ? TAC_EVENT_USER : TAC_EVENT_SYSTEM,
        -1, step->times, NULL, NULL, 0);
    bool needs = what->action == TAC_ACTION_CLICK || what->action == TAC_ACTION_LONG_CLICK ||
                 what->action == TAC_ACTION_TEXT;
    if (needs && !what->xpath)
        reader->without_locator++;
    else if (what->performed)
        tac_build_action(reader->builder, transition, what->action, what->xpath, step->resource_id,
                         NULL, what->value);
    if (step->area && what->performed && !(needs && !what->xpath))
        tac_build_area(reader->builder, step->area);
}

/* Where the app starts: the screen that DroidBot labelled <FIRST> if it is the app's, else those
 * that launching was seen to lead to; the screens that nothing else leads to come last. */
struct entries {
    TAC_VEC(uint32_t) nodes;
    TAC_VEC(double) times;
    TAC_VEC(bool) launched;
};

static void add_entry(struct entries *entries, uint32_t node, double times, bool launched)
{
    for (size_t i = 0; i < entries->nodes.count; i++)
        if (entries->nodes.at[i] == node) {
            entries->times.at[i] += times;
            return;
        }
    tac_vec_push(&entries->nodes, node);
    tac_vec_push(&entries->times, times);
    tac_vec_push(&entries->launched, launched);
}

static bool *reachable_from(const struct droidbot_reader *reader, const struct entries *entries)
{
    bool *seen = tac_calloc(reader->nodes.count + 1, sizeof *seen);
    for (size_t i = 0; i < entries->nodes.count; i++)
        seen[entries->nodes.at[i]] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < reader->steps.count; i++) {
            const struct droidbot_step *step = &reader->steps.at[i];
            if (seen[step->from] && !seen[step->to] && reader->nodes.at[step->from].own &&
                reader->nodes.at[step->to].own)
                more = seen[step->to] = true;
        }
    }
    return seen;
}

static void find_entries(const struct droidbot_reader *reader, struct entries *out)
{
    uint32_t first_own = 0;
    bool inside = reader->first != TAC_NONE && reader->nodes.at[reader->first].own;
    if (inside)
        add_entry(out, reader->first, 1, true);
    for (size_t i = 0; i < reader->steps.count && !inside; i++) {
        const struct droidbot_step *step = &reader->steps.at[i];
        if (reader->nodes.at[step->to].own && !reader->nodes.at[step->from].own &&
            step->what.action == TAC_ACTION_LAUNCH && step->what.performed)
            add_entry(out, step->to, step->times, true);
    }
    while (!reader->nodes.at[first_own].own)
        first_own++;
    if (!out->nodes.count)
        add_entry(out, first_own, 1, true);
    bool *seen = reachable_from(reader, out);
    for (size_t i = 0; i < reader->steps.count; i++) {
        const struct droidbot_step *step = &reader->steps.at[i];
        if (reader->nodes.at[step->to].own && !reader->nodes.at[step->from].own && !seen[step->to])
            add_entry(out, step->to, step->times, false);
    }
    free(seen);
}

/* One entry is where the app starts. Several: a state before the launch, and a launch to each. */
static void build_start(struct droidbot_reader *reader)
{
    struct entries entries = {0};
    find_entries(reader, &entries);
    uint32_t machine = reader->nodes.at[entries.nodes.at[0]].machine;
    const char *start = reader->nodes.at[entries.nodes.at[0]].name;
    if (entries.nodes.count > 1) {
        start = "not_running";
        tac_build_node(reader->builder, reader->machines.at[machine].index, TAC_NODE_STATE, start,
                       0);
    }
    for (size_t i = 0; entries.nodes.count > 1 && i < entries.nodes.count; i++) {
        struct droidbot_step step = {
            .to = entries.nodes.at[i],
            .event = entries.launched.at[i] ? "launch" : "return",
            .what = {.action = TAC_ACTION_LAUNCH, .performed = entries.launched.at[i]},
            .times = entries.times.at[i]};
        build_step(reader, machine, start, &step);
    }
    tac_build_external(reader->builder, reader->machines.at[machine].index);
    tac_build_initial(reader->builder, reader->machines.at[machine].index, start, 0);
    reader->machines.at[machine].has_initial = true;
    tac_vec_free(&entries.nodes);
    tac_vec_free(&entries.times);
    tac_vec_free(&entries.launched);
}

/* Several screens of one other package are one way out: equal steps become one. */
static void fold_steps(struct droidbot_reader *reader)
{
    tac_names keys = {0};
    size_t kept = 0;
    for (size_t i = 0; i < reader->steps.count; i++) {
        struct droidbot_step *step = &reader->steps.at[i];
        const struct droidbot_node *to = &reader->nodes.at[step->to];
        char *key = tac_arena_format(&reader->arena, "%u %s %s", step->from, step->event,
                                     to->own ? to->name : to->package);
        uint32_t id = tac_names_intern(&keys, key);
        if (id < kept)
            reader->steps.at[id].times += step->times;
        else
            reader->steps.at[kept++] = *step;
    }
    reader->steps.count = kept;
    tac_names_free(&keys);
}

void droidbot_build_steps(struct droidbot_reader *reader)
{
    fold_steps(reader);
    build_start(reader);
    for (size_t i = 0; i < reader->nodes.count; i++) {
        const struct droidbot_node *node = &reader->nodes.at[i];
        if (!node->own || reader->machines.at[node->machine].has_initial)
            continue;
        reader->machines.at[node->machine].has_initial = true;
        tac_build_initial(reader->builder, reader->machines.at[node->machine].index, node->name, 0);
    }
    for (size_t i = 0; i < reader->steps.count; i++) {
        const struct droidbot_step *step = &reader->steps.at[i];
        const struct droidbot_node *from = &reader->nodes.at[step->from];
        assert(step->from < reader->nodes.count && step->to < reader->nodes.count);
        if (from->own)
            build_step(reader, from->machine, from->name, step);
        else
            reader->foreign_events++;
    }
}
