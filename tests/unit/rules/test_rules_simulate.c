/* The simulator against a separate table walk, and against a world that ticks millisecond by
 * millisecond. */
#include "base/data/random.h"
#include "rules/rules.h"
#include "rules_helpers.h"

static tac_rules *parse(const char *text)
{
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    tac_rules *rules = NULL;
    if (tac_rules_parse("random.rules", text, strlen(text), &diagnostics, &rules, &err))
        test_fail(__FILE__, __LINE__, "%s\n%s", err.message, text);
    tac_diagnostics_free(&diagnostics);
    return rules;
}

static unsigned number_of(const tac_rules *rules, const char *input)
{
    unsigned number = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        number |= (unsigned)(input[v] == '1') << v;
    return number;
}

static void text_of(const tac_rules *rules, unsigned number, char *input)
{
    for (uint32_t v = 0; v < rules->variable_count; v++)
        input[v] = number >> v & 1 ? '1' : '0';
    input[rules->variable_count] = '\0';
}

/* A table of every state and input: the first rule that fires, or NONE, and where it leads. */
struct table {
    const tac_rules *rules;
    unsigned inputs;
    uint32_t *rule, *state;
    unsigned *input;
};

static struct table make_table(const tac_rules *rules)
{
    struct table t = {.rules = rules, .inputs = 1u << rules->variable_count};
    size_t cells = (size_t)rules->state_count * t.inputs;
    t.rule = calloc(cells, sizeof *t.rule);
    t.state = calloc(cells, sizeof *t.state);
    t.input = calloc(cells, sizeof *t.input);
    for (uint32_t s = 0; s < rules->state_count; s++)
        for (unsigned i = 0; i < t.inputs; i++) {
            uint32_t fired[64];
            size_t count = reference_triggered(rules, s, i, fired), cell = s * t.inputs + i;
            t.rule[cell] = count ? fired[0] : TAC_RULES_NONE;
            t.input[cell] = i;
            t.state[cell] = count ? rules->rules[fired[0]].to : s;
            for (uint32_t k = 0; count && k < rules->rules[fired[0]].action_count; k++) {
                tac_rules_action a = rules->actions[rules->rules[fired[0]].first_action + k];
                t.input[cell] = a.value ? t.input[cell] | 1u << a.variable
                                        : t.input[cell] & ~(1u << a.variable);
            }
        }
    return t;
}

static void free_table(struct table *t)
{
    free(t->rule);
    free(t->state);
    free(t->input);
}

/* Walks the table as the moment says it walked; *state and *input become those afterwards. */
static void walk(const struct table *t, uint32_t *state, unsigned *input, const tac_rules_moment *m,
                 const char *text)
{
    size_t cells = (size_t)t->rules->state_count * t->inputs, steps = 0;
    bool *seen = calloc(cells, 1), round = false;
    for (;; steps++) {
        size_t cell = *state * t->inputs + *input;
        round = seen[cell];
        seen[cell] = true;
        if (round || t->rule[cell] == TAC_RULES_NONE)
            break;
        if (steps < m->count &&
            (m->transitions[steps].from != *state || m->transitions[steps].rule != t->rule[cell]))
            test_fail(__FILE__, __LINE__, "transition %zu differs\n%s", steps, text);
        *state = t->state[cell];
        *input = t->input[cell];
    }
    if (steps != m->count || round != m->never_rests || *state != m->state)
        test_fail(__FILE__, __LINE__, "%zu transitions, wanted %zu\n%s", m->count, steps, text);
    free(seen);
}

/* Where chance may lead: every rule that fires is followed. */
static void check_chance(const tac_rules *rules, uint32_t state, unsigned input,
                         const tac_rules_moment *m, const char *text)
{
    unsigned inputs = 1u << rules->variable_count;
    size_t cells = (size_t)rules->state_count * inputs;
    bool *reached = calloc(cells, 1), *rests = calloc(rules->state_count, 1);
    reached[state * inputs + input] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t c = 0; c < cells; c++) {
            uint32_t fired[64];
            size_t count = reached[c] ? reference_triggered(rules, (uint32_t)(c / inputs),
                                                            (unsigned)(c % inputs), fired)
                                      : 0;
            if (reached[c] && !count)
                rests[c / inputs] = true;
            for (size_t k = 0; k < count; k++) {
                const tac_rules_rule *rule = &rules->rules[fired[k]];
                unsigned next = (unsigned)(c % inputs);
                for (uint32_t a = 0; a < rule->action_count; a++) {
                    tac_rules_action action = rules->actions[rule->first_action + a];
                    next = action.value ? next | 1u << action.variable
                                        : next & ~(1u << action.variable);
                }
                size_t to = rule->to * inputs + next;
                more = more || !reached[to];
                reached[to] = true;
            }
        }
    }
    size_t count = 0;
    for (uint32_t s = 0; s < rules->state_count; s++)
        if (rests[s] && (count >= m->may_rest_count || m->may_rest[count++] != s))
            test_fail(__FILE__, __LINE__, "chance may end in %s\n%s", rules->states[s].name, text);
    CHECK_EQ(count, m->may_rest_count);
    free(reached);
    free(rests);
}

TEST(one_input_walks_as_the_table_does)
{
    size_t rounds = test_scale(1000);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        char *text = random_rules(seed * 3 + 1, seed & 1, seed & 2, seed & 4);
        tac_rules *rules = parse(text);
        struct table table = make_table(rules);
        char input[64];
        for (uint32_t s = 0; s < rules->state_count; s++)
            for (unsigned i = 0; i < table.inputs && !test_failed; i++) {
                tac_rules_timeline *timeline = NULL;
                tac_rules_simulation simulation = {.state = s, .input = input};
                uint32_t state = s;
                unsigned now = i;
                text_of(rules, i, input);
                REQUIRE(tac_rules_simulate(rules, &simulation, &timeline, NULL) == TAC_OK);
                CHECK_EQ(timeline->count, 1);
                CHECK_EQ(timeline->at[0].valid, reference_valid(rules, i));
                walk(&table, &state, &now, &timeline->at[0], text);
                if (i % 5 == 0)
                    check_chance(rules, s, i, &timeline->at[0], text);
                tac_rules_timeline_free(timeline);
            }
        free_table(&table);
        tac_rules_free(rules);
        free(text);
    }
}

/* --- Time ------------------------------------------------------------------------------------- */

struct world {
    unsigned now, seen;
    uint64_t changed[8]; /* by group: when, or NEVER since it was last read */
};

#define NEVER UINT64_MAX

/* Every millisecond: events happen, then groups that are refreshed and have stood are read. */
static void tick_through(const tac_rules *rules, const tac_rules_events *events,
                         const tac_rules_timeline *timeline, const char *text)
{
    struct table table = make_table(rules);
    struct world w = {0};
    uint32_t state = 0;
    size_t next = 0, moment = 1;
    for (; next < events->count && events->at[next].time_ms == 0; next++)
        for (uint32_t v = 0; v < rules->variable_count; v++)
            if (events->at[next].change[v] != '*')
                w.now = (w.now & ~(1u << v)) | (unsigned)(events->at[next].change[v] == '1') << v;
    w.seen = w.now;
    memset(w.changed, 0xff, sizeof w.changed);
    CHECK_EQ(number_of(rules, timeline->at[0].input), w.seen);
    walk(&table, &state, &w.seen, &timeline->at[0], text);
    for (uint64_t t = 0; t < 300 && !test_failed; t++) {
        unsigned before = w.now, masks[8] = {0}, read = w.seen;
        for (uint32_t v = 0; v < rules->variable_count; v++)
            masks[rules->variables[v].group] |= 1u << v;
        for (; next < events->count && events->at[next].time_ms == t; next++) {
            for (uint32_t v = 0; v < rules->variable_count; v++)
                if (events->at[next].change[v] != '*')
                    w.now = (w.now & ~(1u << v)) | (unsigned)(events->at[next].change[v] == '1')
                                                       << v;
            for (uint32_t g = 0; g < rules->group_count; g++)
                if ((before ^ w.now) & masks[g])
                    w.changed[g] = t;
            before = w.now;
        }
        for (uint32_t g = 0; g < rules->group_count; g++) {
            uint64_t every = rules->groups[g].every_ms, hold = rules->groups[g].hold_ms;
            if (w.changed[g] == NEVER || t < w.changed[g] + hold || (every && t % every))
                continue;
            w.changed[g] = NEVER;
            read = (read & ~masks[g]) | (w.now & masks[g]);
        }
        if (read == w.seen)
            continue;
        if (moment >= timeline->count || timeline->at[moment].time_ms != t)
            test_fail(__FILE__, __LINE__, "no moment at %llu ms\n%s", (unsigned long long)t, text);
        else {
            w.seen = read;
            CHECK_EQ(number_of(rules, timeline->at[moment].input), w.seen);
            walk(&table, &state, &w.seen, &timeline->at[moment++], text);
        }
    }
    CHECK_EQ(moment, timeline->count);
    free_table(&table);
}

TEST(a_timed_world_is_seen_as_a_ticking_one)
{
    size_t rounds = test_scale(400);
    for (uint64_t seed = 1; seed <= rounds && !test_failed; seed++) {
        tac_random random;
        char *small = random_rules(seed * 5 + 2, seed & 1, seed & 2, seed & 4), *text = NULL;
        char *happens = NULL;
        size_t size;
        tac_random_seed(&random, seed);
        FILE *out = open_memstream(&text, &size);
        fprintf(out, "group G0 every %u ms\n", 1 + (unsigned)tac_random_below(&random, 30));
        fprintf(out, "group G1 hold %u ms\n%s", 1 + (unsigned)tac_random_below(&random, 12), small);
        fclose(out);
        tac_rules *rules = parse(text);
        out = open_memstream(&happens, &size);
        for (unsigned t = 0; t < 180; t += (unsigned)tac_random_below(&random, 25))
            fprintf(out, "%u ms v%u=%s\n", t,
                    (unsigned)tac_random_below(&random, rules->variable_count),
                    tac_random_below(&random, 2) ? "on" : "off");
        fclose(out);
        tac_diagnostics diagnostics = {0};
        tac_rules_events *events = NULL;
        tac_rules_timeline *timeline = NULL;
        tac_error err = {0};
        if (tac_rules_events_parse(rules, "events", happens, strlen(happens), &diagnostics, &events,
                                   &err))
            test_fail(__FILE__, __LINE__, "%s\n%s", err.message, happens);
        tac_rules_simulation simulation = {.events = events};
        REQUIRE(tac_rules_simulate(rules, &simulation, &timeline, &err) == TAC_OK);
        tick_through(rules, events, timeline, text);
        tac_rules_timeline_free(timeline);
        tac_rules_events_free(events);
        tac_diagnostics_free(&diagnostics);
        tac_rules_free(rules);
        free(small);
        free(text);
        free(happens);
    }
}

static const char *end_of(const char *file)
{
    tac_rules *rules = load_rules(file);
    tac_diagnostics diagnostics = {0};
    tac_rules_events *events = NULL;
    tac_rules_timeline *timeline = NULL;
    static char name[64];
    uint32_t office = 0;
    while (strcmp(rules->states[office].name, "Office"))
        office++;
    REQUIRE(tac_rules_events_load(rules, test_source("examples/rules/office-to-car.context"),
                                  &diagnostics, &events, NULL) == TAC_OK);
    tac_rules_simulation simulation = {.state = office, .events = events};
    REQUIRE(tac_rules_simulate(rules, &simulation, &timeline, NULL) == TAC_OK);
    snprintf(name, sizeof name, "%s", rules->states[timeline->at[timeline->count - 1].state].name);
    tac_rules_timeline_free(timeline);
    tac_rules_events_free(events);
    tac_diagnostics_free(&diagnostics);
    tac_rules_free(rules);
    return name;
}

TEST(from_the_office_to_the_car)
{
    CHECK_STR(end_of("examples/rules/phoneadapter.rules"), "Driving");
    CHECK_STR(end_of("examples/rules/phoneadapter-timed.rules"), "Meeting");
}

TEST(sensors_are_set_by_their_values)
{
    tac_rules *rules = parse("sensor speed number in GPS\nsensor place {home, office} in GPS\n"
                             "state A initial; state B\n"
                             "rule r: A -> B when speed > 5 and speed >= 70 and place == office\n"
                             "rule q: B -> A when place == home\n");
    char input[8] = "0000";
    tac_error err = {0};
    CHECK_EQ(tac_rules_set_all(rules, "speed=70, place=office", input, &err), TAC_OK);
    CHECK_STR(input, "1101");
    CHECK_EQ(tac_rules_set_all(rules, "speed=5", input, &err), TAC_OK);
    CHECK_STR(input, "0001");
    CHECK_EQ(tac_rules_set_all(rules, "{\"speed\": 6, \"place\": \"home\"}", input, &err), TAC_OK);
    CHECK_STR(input, "1010");
    CHECK_EQ(tac_rules_set_all(rules, "not place == home, speed >= 70", input, &err), TAC_OK);
    CHECK_STR(input, "1100");
    CHECK_EQ(tac_rules_set_all(rules, "sped=6", input, &err), TAC_E_INPUT);
    CHECK_EQ(tac_rules_set_all(rules, "place=moon", input, &err), TAC_E_INPUT);
    tac_rules_free(rules);
}
