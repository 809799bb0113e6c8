/* What --strategy novelty goes for first, on screens as a page gives them: links that lead to other
 * places of the app, then what no screen has tried, last what leads out of it. */
#include "explore/explorer.h"
#include "tactus_test.h"

#define SCREEN(nodes) "<hierarchy rotation=\"0\">" nodes "</hierarchy>"
#define NODE(class, id, more)                                                                      \
    "<node class=\"" class "\" resource-id=\"" id "\" package=\"p\" enabled=\"true\" "             \
                           "clickable=\"true\" bounds=\"[0,0][9,9]\"" more "/>"

static const char menu[] =
    SCREEN(NODE("web.Button", "sign_in", "") NODE("web.Link", "partner", " leaves=\"true\"")
               NODE("web.Link", "top", "") NODE("web.Link", "news", " leads=\"true\"")
                   NODE("web.Link", "about", " leads=\"true\""));
static const char news[] = SCREEN(NODE("web.Button", "share", "") NODE("web.Button", "later", ""));

static void begin(struct explorer *ex)
{
    *ex = (struct explorer){.at = NOWHERE};
    ex->options.strategy = TAC_EXPLORE_NOVELTY;
    ex->options.list_items = 1;
    ex->options.tries = 4;
    ex->options.gestures = 1u << TAC_ACTION_CLICK | 1u << TAC_ACTION_BACK;
}

/* The screen is in front. */
static uint32_t show(struct explorer *ex, const char *text)
{
    tac_ui *ui = NULL;
    uint32_t number = NOWHERE;
    tac_error err = {0};
    if (tac_ui_from_xml("screen", text, strlen(text), &ui, &err) ||
        screen_match(ex, ui, "index", &number, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    tac_ui_free(ui);
    REQUIRE(number < ex->screens.count);
    if (ex->frames.count == 0) {
        struct explore_frame frame = {.entry = number, .left_by = {NOWHERE, NOWHERE, NOWHERE}};
        tac_vec_push(&ex->frames, frame);
    }
    ex->at = number;
    return number;
}

/* What it goes for next, by resource-id; "back"; "" when there is nothing. *steps: events until it
 * is done. */
static const char *next(struct explorer *ex, size_t *steps)
{
    struct explore_plan plan = {0};
    const char *name = "";
    if (plan_find_novel(ex, false, &plan)) {
        size_t last = plan.controls.count - 1;
        const struct control *goal =
            &ex->screens.at[plan.screens.at[last]].controls.at[plan.controls.at[last]];
        name = goal->kind == TAC_ACTION_BACK ? "back" : goal->resource_id;
    }
    *steps = plan.controls.count;
    plan_free(&plan);
    return name;
}

static struct control *named(struct explorer *ex, uint32_t screen, const char *name)
{
    struct screen *s = &ex->screens.at[screen];
    for (size_t i = 0; i < s->controls.count; i++) {
        struct control *c = &s->controls.at[i];
        if (!strcmp(c->kind == TAC_ACTION_BACK ? "back" : c->resource_id, name))
            return c;
    }
    return NULL;
}

/* The control was performed on its screen and led to another one, or to the same. */
static void led(struct explorer *ex, uint32_t from, const char *name, uint32_t to)
{
    struct control *c = named(ex, from, name);
    REQUIRE(c != NULL);
    c->tries++;
    tac_vec_push(&c->outcomes, (struct explore_outcome){.kind = WENT, .target = to, .count = 1});
    while (ex->records.count <= c->key)
        tac_vec_push(&ex->records, (struct key_record){0});
    ex->records.at[c->key].tries++;
    ex->records.at[c->key].moves += from != to;
    ex->records.at[c->key].finds += from != to && to + 1 == ex->screens.count;
}

TEST(links_within_the_app_come_first_and_those_out_of_it_last)
{
    struct explorer ex;
    size_t steps = 0;
    begin(&ex);
    uint32_t start = show(&ex, menu);
    static const char *const order[] = {"news", "about", "sign_in", "top", "back", "partner"};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        CHECK_STR(next(&ex, &steps), order[i]);
        struct control *done = named(&ex, start, order[i]);
        REQUIRE(done != NULL);
        done->tries++; /* it led somewhere, so the others promise what they promised */
        tac_vec_push(&done->outcomes, (struct explore_outcome){.kind = AWAY, .count = 1});
    }
    CHECK_STR(next(&ex, &steps), "");
    explorer_free(&ex);
}

TEST(a_link_one_event_away_is_as_near_as_anything_else_here_and_nearer_than_a_second_dead_button)
{
    struct explorer ex;
    size_t steps = 0;
    begin(&ex);
    uint32_t start = show(&ex, menu), page = show(&ex, news);
    led(&ex, start, "news", page);
    led(&ex, page, "back", start);
    CHECK_STR(next(&ex, &steps), "share");
    CHECK_EQ(steps, 1);
    led(&ex, page, "share", page); /* nothing happens: the page promises less */
    CHECK_STR(next(&ex, &steps), "about");
    CHECK_EQ(steps, 2);
    explorer_free(&ex);
}

TEST(what_found_something_new_every_time_comes_before_what_only_leads_away)
{
    static const char *const toggled[] = {
        SCREEN(NODE("web.Button", "up", "") NODE("web.CheckBox", "mark", "")),
        SCREEN(NODE("web.Button", "up", "") NODE("web.CheckBox", "mark", "") NODE("a", "b", "")),
        SCREEN(NODE("web.Button", "up", "") NODE("web.CheckBox", "mark", "") NODE("c", "d", "")),
    };
    struct explorer ex;
    size_t steps = 0;
    begin(&ex);
    uint32_t start = show(&ex, menu), page = show(&ex, toggled[0]), last = page;
    led(&ex, start, "news", page);
    led(&ex, page, "up", start);
    for (size_t i = 1; i < 3; i++, last++) {
        uint32_t more = show(&ex, toggled[i]);
        REQUIRE(more == last + 1);
        led(&ex, last, "mark", more);
        named(&ex, more, i == 1 ? "b" : "d")->tries++;
        CHECK_STR(next(&ex, &steps), "mark"); /* and not "up", which stands first */
    }
    explorer_free(&ex);
}

TEST(without_links_what_stands_first_comes_first)
{
    struct explorer ex;
    size_t steps = 0;
    begin(&ex);
    show(&ex, news);
    CHECK_STR(next(&ex, &steps), "share");
    explorer_free(&ex);
}
