/* Random apps against a slow reference: a few lines here know how Android keeps its back stack and
 * walk through every reachable stack; what the explorer extracts from the app file must have the
 * same screens and events between them, whatever the strategy. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "explore/explore.h"
#include "settled_graph.h"

enum { MOST_ACTIVITIES = 4, MOST_SCREENS = 3, MOST_BUTTONS = 3 };

/* What a button does: shows screen `go` (-1: none), then finishes its activity, then opens one. */
typedef struct button {
    int go, open;
    bool finish, clear_top;
} button;

typedef struct app {
    int activities, screens[MOST_ACTIVITIES];
    int buttons[MOST_ACTIVITIES][MOST_SCREENS];
    button at[MOST_ACTIVITIES][MOST_SCREENS][MOST_BUTTONS];
    int back[MOST_ACTIVITIES][MOST_SCREENS]; /* the screen that back shows; -1: finish */
} app;

static int below(tac_random *random, int bound)
{
    return (int)tac_random_below(random, (uint64_t)bound);
}

/* Activities are opened in rising order, so the stacks are finite; clear-top goes to the first. */
static button random_button(tac_random *random, const app *a, int activity)
{
    button b = {.go = -1, .open = -1};
    if (below(random, 2))
        b.go = below(random, a->screens[activity]);
    if (activity + 1 < a->activities && below(random, 2))
        b.open = activity + 1 + below(random, a->activities - activity - 1);
    if (activity > 0 && below(random, 4) == 0)
        b.finish = true;
    if (activity > 0 && below(random, 4) == 0) {
        b.open = 0;
        b.clear_top = true;
        b.finish = false;
    }
    return b;
}

static app random_app(tac_random *random)
{
    app a = {.activities = 1 + below(random, MOST_ACTIVITIES)};
    for (int i = 0; i < a.activities; i++)
        a.screens[i] = 1 + below(random, MOST_SCREENS);
    for (int i = 0; i < a.activities; i++)
        for (int s = 0; s < a.screens[i]; s++) {
            a.buttons[i][s] = 1 + below(random, MOST_BUTTONS);
            a.back[i][s] = below(random, 3) ? -1 : below(random, a.screens[i]);
            for (int b = 0; b < a.buttons[i][s]; b++)
                a.at[i][s][b] = random_button(random, &a, i);
        }
    return a;
}

static void write_button(tac_str *out, int activity, int s, int number, button b)
{
    const char *comma = "";
    tac_str_addf(out, "{\"class\": \"Button\", \"id\": \"b%d%d%d\", \"click\": [", activity, s,
                 number);
    if (b.go >= 0) {
        tac_str_addf(out, "{\"go\": \"s%d\"}", b.go);
        comma = ", ";
    }
    if (b.finish) {
        tac_str_addf(out, "%s{\"finish\": true}", comma);
        comma = ", ";
    }
    if (b.open >= 0)
        tac_str_addf(out, "%s{\"open\": \"A%d\", \"clearTop\": %s}", comma, b.open,
                     b.clear_top ? "true" : "false");
    tac_str_add(out, "]}");
}

static void write_app(const app *a, tac_str *out)
{
    tac_str_add(out, "{\"tactus-app\": 1, \"package\": \"t\", \"activities\": {");
    for (int i = 0; i < a->activities; i++) {
        tac_str_addf(out, "%s\n\"A%d\": {\"screens\": {", i ? "," : "", i);
        for (int s = 0; s < a->screens[i]; s++) {
            tac_str_addf(out, "%s\n  \"s%d\": {\"widgets\": [{\"id\": \"m%d%d\"}", s ? "," : "", s,
                         i, s);
            for (int b = 0; b < a->buttons[i][s]; b++) {
                tac_str_add(out, ", ");
                write_button(out, i, s, b, a->at[i][s][b]);
            }
            tac_str_add(out, "]");
            if (a->back[i][s] >= 0)
                tac_str_addf(out, ", \"back\": [{\"go\": \"s%d\"}]", a->back[i][s]);
            tac_str_add(out, "}");
        }
        tac_str_add(out, "}}");
    }
    tac_str_add(out, "}}");
}

/* --- the reference --- */

typedef struct stack {
    int height;
    int activity[MOST_ACTIVITIES + 1], shown[MOST_ACTIVITIES + 1];
} stack;

static void press(stack *s, button b)
{
    int top = s->height - 1;
    if (b.go >= 0)
        s->shown[top] = b.go;
    if (b.finish)
        s->height--;
    if (b.open < 0)
        return;
    if (b.clear_top)
        for (int i = s->height - 1; i >= 0; i--)
            if (s->activity[i] == b.open) {
                s->height = i + 1;
                return;
            }
    s->activity[s->height] = b.open;
    s->shown[s->height++] = 0;
}

static uint32_t place(graph *g, const stack *s)
{
    char name[64], activity[32];
    snprintf(activity, sizeof activity, "A%d", s->height ? s->activity[s->height - 1] : 0);
    snprintf(name, sizeof name, "%s/%d", activity, s->height ? s->shown[s->height - 1] : 0);
    size_t before = g->nodes.count;
    uint32_t id = tac_names_intern(&g->nodes, s->height ? name : "EXIT/");
    if (id == before) {
        tac_vec_push(&g->activity, tac_names_intern(&g->activities, s->height ? activity : "EXIT"));
        tac_vec_push(&g->start, false);
    }
    return id;
}

static void reference(const app *a, graph *g)
{
    tac_names seen = {0};
    TAC_VEC(stack) todo = {0};
    *g = (graph){0};
    tac_vec_push(&todo, (stack){.height = 1});
    uint32_t first = place(g, &todo.at[0]);
    g->start.at[first] = true;
    for (size_t i = 0; i < todo.count; i++) {
        stack now = todo.at[i];
        int top = now.height - 1, activity = now.activity[top], shown = now.shown[top];
        uint32_t from = place(g, &now);
        for (int b = -1; b < a->buttons[activity][shown]; b++) {
            stack next = now;
            char event[32] = "back";
            int back = a->back[activity][shown];
            if (b >= 0)
                snprintf(event, sizeof event, "b%d%d%d", activity, shown, b);
            press(&next, b >= 0 ? a->at[activity][shown][b]
                                : (button){.go = back, .open = -1, .finish = back < 0});
            for (int k = next.height; k <= MOST_ACTIVITIES; k++)
                next.activity[k] = next.shown[k] = 0;
            uint32_t to = place(g, &next);
            graph_edge(g, (edge){from, tac_names_intern(&g->events, event), to});
            size_t known = seen.count;
            if (next.height && tac_names_intern_bytes(&seen, &next, sizeof next) == known)
                tac_vec_push(&todo, next);
        }
    }
    tac_names_free(&seen);
    tac_vec_free(&todo);
}

static bool compare(const app *a, tac_strategy strategy)
{
    tac_error err = {0};
    tac_str text = {0};
    write_app(a, &text);
    char uri[4200];
    snprintf(uri, sizeof uri, "sim:%s", test_write("random.json", tac_str_text(&text)));
    tac_device *device = NULL;
    tac_exploration *found = NULL;
    tac_explore_options options = {.strategy = strategy};
    bool same = false;
    if (tac_device_open(uri, NULL, &device, &err) ||
        tac_explore(device, &options, NULL, &found, &err)) {
        test_fail(__FILE__, __LINE__, "%s", err.message);
    } else {
        graph extracted, wanted;
        graph_of(tac_exploration_model(found), &extracted);
        reference(a, &wanted);
        same = graphs_are_isomorphic(&extracted, &wanted);
        if (!same)
            test_fail(__FILE__, __LINE__, "strategy %d, %zu edges, not %zu: %s", (int)strategy,
                      extracted.edges.count, wanted.edges.count, tac_str_text(&text));
        graph_free(&extracted);
        graph_free(&wanted);
    }
    tac_exploration_free(found);
    tac_device_free(device);
    tac_str_free(&text);
    return same;
}

TEST(random_apps_are_extracted_as_the_reference_walks_them)
{
    tac_random random;
    tac_random_seed(&random, 2026);
    for (size_t round = 0; round < test_scale(500); round++) {
        app a = random_app(&random);
        for (int strategy = 0; strategy < 3; strategy++)
            if (!compare(&a, (tac_strategy)strategy))
                return;
    }
}
