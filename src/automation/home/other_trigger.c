/* Triggers that are neither a state nor a range: times, and events that are equal to one another
 * when they are written alike. */
#include "automation/home/home.h"
#include "automation/template/template.h"
#include "base/data/text.h"
#include <string.h>

struct occasions {
    struct trigger *like;
    home_trigger_list *out;
    const char *detail; /* what the occasions of one mapping share */
};

static void add_time(struct home *home, const struct tree_node *at, const char *text, void *context)
{
    struct occasions *o = context;
    struct trigger trigger = *o->like;
    (void)at;
    trigger.kind = !*o->detail && home_clock(text, &trigger.seconds) ? TRIGGER_TIME : TRIGGER_EVENT;
    if (trigger.kind == TRIGGER_TIME)
        tac_vec_push(&home->model->clock_cuts[CLOCK_SECOND_OF_DAY], trigger.seconds);
    else
        trigger.key = tac_arena_format(&home->model->arena, "time of %s%s", text, o->detail);
    tac_vec_push(o->out, trigger);
}

/* A time, an entity that has one, {entity_id, offset}, or a list of these. */
static void add_times(struct home *home, struct tree_node *at, struct occasions *o)
{
    double seconds = 0;
    if (!at || !tree_step(home->library, at))
        return;
    for (size_t i = 0; at->kind == TREE_LIST && i < at->count; i++)
        add_times(home, tree_resolve(home->library, at->at[i]), o);
    if (at->kind == TREE_SCALAR)
        home_each_text(home, at, add_time, o);
    if (at->kind != TREE_MAP)
        return;
    struct tree_node *offset = home_get(home, at, "offset");
    bool known = !offset || home_offset(home, offset, &seconds);
    if (!known)
        home_abstract(home, TAC_READ_ABSTRACTED, "template in a duration");
    struct trigger like = *o->like;
    struct occasions moved = {&like, o->out, ""};
    like.abstract |= !known;
    if (!known || seconds != 0)
        moved.detail = tac_arena_format(&home->model->arena, " and %g s", seconds);
    home_each_text(home, home_get(home, at, "entity_id"), add_time, &moved);
}

static void read_time(struct home *home, struct tree_node *node, struct trigger *like,
                      home_trigger_list *out)
{
    struct occasions o = {like, out, ""};
    struct tree_node *weekday = home_get(home, node, "weekday");
    if (weekday && weekday->kind != TREE_EMPTY)
        like->guard = home_weekdays(home, weekday, like->place);
    add_times(home, home_get(home, node, "at"), &o);
}

static void add_event(struct home *home, const struct tree_node *at, const char *text,
                      void *context)
{
    struct occasions *o = context;
    struct trigger trigger = *o->like;
    (void)at;
    trigger.key = tac_arena_format(&home->model->arena, "event %s%s", text, o->detail);
    trigger.kind =
        !strcmp(trigger.key, "event homeassistant_start") ? TRIGGER_START : TRIGGER_EVENT;
    trigger.abstract |= is_template(trigger.key);
    tac_vec_push(o->out, trigger);
}

static void read_event(struct home *home, struct tree_node *node, struct trigger *like,
                       home_trigger_list *out)
{
    struct occasions o = {like, out, ""};
    struct tree_node *data = home_get(home, node, "event_data");
    struct tree_node *context = home_get(home, node, "context");
    if ((data && data->count) || (context && context->count))
        o.detail = tac_arena_format(&home->model->arena, " %s%s", data ? home_data(home, data) : "",
                                    context ? home_data(home, context) : "");
    home_each_text(home, home_get(home, node, "event_type"), add_event, &o);
}

/* "/5", "30", "*" or nothing of one part of a pattern; false: it is something else. */
static bool read_part(const char *text, bool given, int *step, int *at)
{
    double number;
    *step = *at = -1;
    if (!given || (text && !strcmp(text, "*")))
        return true;
    bool steps = text && *text == '/';
    if (!text || !tac_parse_double(text + steps, &number) || number < steps || number > 59 ||
        number != (int)number)
        return false;
    *(steps ? step : at) = (int)number;
    return true;
}

/* Smaller parts that are not written are 0 behind one that is. */
static const struct clock_pattern *read_pattern(struct home *home, struct tree_node *node)
{
    static const char *const keys[] = {"hours", "minutes", "seconds"};
    struct clock_pattern *pattern = tac_arena_calloc(&home->model->arena, 1, sizeof *pattern);
    bool before = false, good = true;
    for (int i = 0; i < 3; i++) {
        const struct tree_node *part = home_get(home, node, keys[i]);
        good &= read_part(tree_text(part), part != NULL, &pattern->step[i], &pattern->at[i]);
        if (!part && before)
            pattern->at[i] = 0;
        before |= part != NULL;
    }
    return good && before ? pattern : NULL;
}

static void read_occasion(struct home *home, struct tree_node *node, struct trigger *like,
                          home_trigger_list *out)
{
    const char *event = home_text(home, node, "event");
    bool start = !strcmp(like->platform, "homeassistant") && event && !strcmp(event, "start");
    like->kind = start ? TRIGGER_START : TRIGGER_EVENT;
    like->key = home_canonical(home, node);
    if (!strcmp(like->platform, "time_pattern"))
        like->pattern = read_pattern(home, node);
    if (!strcmp(like->platform, "template") || is_template(like->key)) {
        like->abstract = true;
        home_abstract(home, TAC_READ_ABSTRACTED, "template trigger");
    } else if (strchr(like->platform, '.')) { /* `cover.opened`: about states that are not known */
        like->abstract = true;
        home_abstract(home, TAC_READ_ABSTRACTED, "trigger of a kind that is not understood");
    }
    tac_vec_push(out, *like);
}

void home_other_trigger(struct home *home, struct tree_node *node, struct trigger *like,
                        home_trigger_list *out)
{
    size_t before = out->count;
    if (!strcmp(like->platform, "time"))
        read_time(home, node, like, out);
    else if (!strcmp(like->platform, "event"))
        read_event(home, node, like, out);
    if (out->count == before)
        read_occasion(home, node, like, out);
}
