/* The JSON language: the same statements as the text language, as one document.
 *
 *   {"app", "groups": [{"name", "every", "hold", "variables": [NAME or
 * {"name","label","monotone"}]}], "variables": [...], "sensors": [{"name","type":"number" or
 * "values":[..],"group","label", "monotone"}], "constraints": [PREDICATE], "states": [NAME or
 * {"name","initial"}], "initial": NAME, "rules": [{"name","from": NAME or
 * [NAME],"to","when","priority", "do": {NAME: VALUE}}], "expect": [{"state","when"}]}
 *
 * Predicates are strings in the text language; errors point into them. */
#include "base/io/json.h"
#include "base/check.h"
#include "rules/language/build.h"
#include <stdlib.h>
#include <string.h>

struct json_reader {
    struct rules_builder *b;
    tac_json json;
    char pointer[512];
    const char *initial;
    size_t places_left;
    uint32_t group;           /* of the variables being read */
    tac_rules_sensor *sensor; /* of the values being read */
};

/* A place is found by scanning the text again. A good file therefore is read without places; one
 * with errors is read once more with them, as many as LOCATE_BYTES of scanning allow. */
#define LOCATE_BYTES ((size_t)1 << 30)

static struct place locate(struct json_reader *r)
{
    size_t line, column;
    if (r->places_left == 0)
        return (struct place){0, 0};
    r->places_left--;
    tac_json_locate(&r->json, r->pointer, &line, &column);
    return (struct place){(uint32_t)line, (uint32_t)column};
}

static void complain(struct json_reader *r, const char *message)
{
    rules_build_error(r->b, locate(r), "%s", message);
}

/* Extends the pointer for the time of one call. */
static size_t enter(struct json_reader *r, const char *key)
{
    size_t length = strlen(r->pointer);
    snprintf(r->pointer + length, sizeof r->pointer - length, "/%s", key);
    return length;
}

static void leave(struct json_reader *r, size_t length)
{
    assert(length <= strlen(r->pointer));
    r->pointer[length] = '\0';
}

static void complain_of(struct json_reader *r, const char *key, const char *message)
{
    size_t before = enter(r, key);
    complain(r, message);
    leave(r, before);
}

static const char *const document_keys[] = {"app",         "groups", "variables", "sensors",
                                            "constraints", "states", "rules",     "initial",
                                            "expect",      NULL};
static const char *const group_keys[] = {"name", "every", "hold", "variables", NULL};
static const char *const variable_keys[] = {"name", "label", "monotone", NULL};
static const char *const sensor_keys[] = {"name",  "type",     "values", "group",
                                          "label", "monotone", NULL};
static const char *const state_keys[] = {"name", "initial", NULL};
static const char *const rule_keys[] = {"name", "from", "to", "when", "priority", "do", NULL};
static const char *const expect_keys[] = {"state", "when", NULL};

/* A key that nobody reads is a slip of the pen: it is reported where it stands. */
static void check_keys(struct json_reader *r, const json_t *object, const char *what,
                       const char *const *known)
{
    tac_json_stray stray = {0};
    while (tac_json_next_stray(object, known, sizeof *known, &stray)) {
        size_t before = enter(r, stray.key);
        rules_build_error(r->b, locate(r), "'%.60s' is not a key of %s%s", stray.key, what,
                          stray.meant.text);
        leave(r, before);
    }
}

/* Names must be words of the text language, so that predicates can use them. */
static const char *name_of(struct json_reader *r, const json_t *value, const char *what)
{
    const char *text = json_string_value(value);
    if (!text) {
        rules_build_error(r->b, locate(r), "expected %s as a string", what);
        return NULL;
    }
    struct syntax s;
    rules_syntax_open(&s, r->b, text, json_string_length(value), (struct place){1, 1});
    if (s.token.kind != SYNTAX_WORD || s.token.length != json_string_length(value)) {
        rules_build_error(
            r->b, locate(r),
            "'%.40s' cannot be %s: a name starts with a letter and has letters, digits, "
            "'_' and '.'",
            text, what);
        return NULL;
    }
    return rules_build_name(r->b, text, s.token.length, locate(r));
}

static const char *name_at(struct json_reader *r, const json_t *object, const char *key,
                           const char *what)
{
    size_t before = enter(r, key);
    const char *name = name_of(r, json_object_get(object, key), what);
    leave(r, before);
    return name;
}

static const char *label_of(struct json_reader *r, const json_t *object)
{
    const char *label = json_string_value(json_object_get(object, "label"));
    if (!label)
        return "";
    if (strlen(label) > 1000 || strpbrk(label, "\"\n"))
        complain_of(r, "label", "a label is at most 1,000 bytes on one line, without quotes");
    return tac_arena_strdup(&r->b->arena, label);
}

/* A thing is its name, or an object that has one. */
static const char *own_name(struct json_reader *r, const json_t *value, const char *what)
{
    return json_is_object(value) ? name_at(r, value, "name", what) : name_of(r, value, what);
}

static tac_monotone monotone_of(struct json_reader *r, const json_t *object)
{
    const json_t *value = json_object_get(object, "monotone");
    const char *text = json_string_value(value);
    if (!value || json_is_false(value))
        return TAC_MONOTONE_NO;
    if (json_is_true(value) || (text && strcmp(text, "rising") == 0))
        return TAC_MONOTONE_RISING;
    if (text && strcmp(text, "falling") == 0)
        return TAC_MONOTONE_FALLING;
    complain_of(r, "monotone", "expected \"rising\" or \"falling\"");
    return TAC_MONOTONE_NO;
}

static bool predicate_at(struct json_reader *r, const json_t *value, tac_rules_predicate *out)
{
    const char *text = json_string_value(value);
    if (!text) {
        complain(r, "expected a predicate as a string");
        return false;
    }
    /* Columns are those of the string's characters; escapes in it would shift them. */
    struct place at = locate(r);
    struct syntax s;
    at.column++;
    rules_syntax_open(&s, r->b, text, json_string_length(value), at);
    if (rules_read_predicate(&s, out) && s.token.kind != SYNTAX_END)
        syntax_expected(&s, "'and', 'or', '->' or the end of the predicate");
    return !s.failed;
}

static bool predicate_of(struct json_reader *r, const json_t *object, tac_rules_predicate *out)
{
    size_t before = enter(r, "when");
    bool fine = predicate_at(r, json_object_get(object, "when"), out);
    leave(r, before);
    return fine;
}

/* Calls read for each element of the array object[key]; absent is empty. */
static void each(struct json_reader *r, const json_t *object, const char *key,
                 void (*read)(struct json_reader *, const json_t *))
{
    const json_t *array = json_object_get(object, key);
    if (!array)
        return;
    size_t before = enter(r, key);
    if (!json_is_array(array))
        complain(r, "expected an array");
    for (size_t i = 0; i < json_array_size(array); i++) {
        char number[32];
        snprintf(number, sizeof number, "%zu", i);
        size_t inner = enter(r, number);
        read(r, json_array_get(array, i));
        leave(r, inner);
    }
    leave(r, before);
}

static void read_variable(struct json_reader *r, const json_t *value)
{
    struct place at = locate(r);
    check_keys(r, value, "a variable", variable_keys);
    const char *name = own_name(r, value, "the name of a variable");
    if (name)
        rules_build_variable(r->b, r->group, name, label_of(r, value), monotone_of(r, value), at);
}

/* Seconds, or a string as in the text language; 0 when absent. */
static uint64_t duration_of(struct json_reader *r, const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    uint64_t ms = 0;
    if (!value)
        return 0;
    char *number = text ? NULL : tac_json_text(value, JSON_COMPACT | JSON_ENCODE_ANY);
    struct syntax s;
    rules_syntax_open(&s, r->b, text ? text : number, strlen(text ? text : number),
                      (struct place){1, 1});
    bool unit = s.ahead.kind != SYNTAX_END;
    bool fine = s.token.kind == SYNTAX_NUMBER &&
                rules_duration(s.token.text, s.token.length, unit ? s.ahead.text : NULL,
                               s.ahead.length, &ms);
    if (!fine)
        complain_of(r, key, "expected seconds, or a time as in \"10 s\"");
    free(number);
    return ms;
}

static void read_group(struct json_reader *r, const json_t *value)
{
    check_keys(r, value, "a group", group_keys);
    const char *name = name_at(r, value, "name", "the name of a group");
    if (!name)
        return;
    r->group = rules_build_group(r->b, name, locate(r));
    rules_build_rates(r->b, r->group, duration_of(r, value, "every"), duration_of(r, value, "hold"),
                      locate(r));
    each(r, value, "variables", read_variable);
    r->group = TAC_RULES_NONE;
}

static void read_value(struct json_reader *r, const json_t *value)
{
    const char *name = name_of(r, value, "a value of the sensor");
    if (name && r->sensor->value_count < 1000) {
        tac_vec_push(&r->b->values, name);
        r->sensor->value_count++;
    }
}

static void read_sensor(struct json_reader *r, const json_t *value)
{
    tac_rules_sensor sensor = {.group = TAC_RULES_NONE};
    check_keys(r, value, "a sensor", sensor_keys);
    sensor.name = name_at(r, value, "name", "the name of a sensor");
    if (!sensor.name)
        return;
    sensor.label = label_of(r, value);
    sensor.first_value = (uint32_t)r->b->values.count;
    const char *type = json_string_value(json_object_get(value, "type"));
    r->sensor = &sensor;
    each(r, value, "values", read_value);
    if (sensor.value_count == 0 && (!type || strcmp(type, "number") != 0))
        complain(r, "a sensor has \"type\": \"number\" or \"values\": [...]");
    sensor.monotone = monotone_of(r, value);
    if (sensor.monotone && sensor.value_count)
        complain(r, "only a number can be monotone");
    if (json_object_get(value, "group")) {
        const char *group = name_at(r, value, "group", "the name of a group");
        if (group)
            sensor.group = rules_build_group(r->b, group, (struct place){0, 0});
    }
    rules_build_sensor(r->b, &sensor, locate(r));
}

static void read_constraint(struct json_reader *r, const json_t *value)
{
    tac_rules_predicate holds;
    if (predicate_at(r, value, &holds))
        rules_build_constraint(r->b, holds, locate(r));
}

static void read_state(struct json_reader *r, const json_t *value)
{
    check_keys(r, value, "a state", state_keys);
    const char *name = own_name(r, value, "the name of a state");
    if (name)
        rules_build_state(r->b, name,
                          json_is_true(json_object_get(value, "initial")) ||
                              (r->initial && strcmp(r->initial, name) == 0),
                          locate(r));
}

static void read_source(struct json_reader *r, const json_t *value)
{
    const char *name = name_of(r, value, "the state the rule is active in");
    if (name)
        rules_build_from(r->b, name, locate(r));
}

static void read_sources(struct json_reader *r, const json_t *rule)
{
    const json_t *from = json_object_get(rule, "from");
    if (json_is_array(from)) {
        each(r, rule, "from", read_source);
        return;
    }
    size_t before = enter(r, "from");
    read_source(r, from);
    leave(r, before);
}

static void read_actions(struct json_reader *r, json_t *rule)
{
    json_t *actions = json_object_get(rule, "do"), *value;
    const char *key;
    if (!actions)
        return;
    size_t before = enter(r, "do");
    if (!json_is_object(actions))
        complain(r, "expected an object of variables and values, as in {\"ringer\": \"off\"}");
    json_object_foreach(actions, key, value)
    {
        const char *text = json_is_true(value)    ? "on"
                           : json_is_false(value) ? "off"
                                                  : json_string_value(value);
        if (json_is_integer(value))
            text = json_integer_value(value) == 1 ? "1" : json_integer_value(value) ? "?" : "0";
        if (!text)
            complain(r, "an action sets a variable to \"on\" or \"off\"");
        else
            rules_build_action(r->b, tac_arena_strdup(&r->b->arena, key),
                               tac_arena_strdup(&r->b->arena, text), locate(r));
    }
    leave(r, before);
}

static void read_rule(struct json_reader *r, const json_t *value)
{
    check_keys(r, value, "a rule", rule_keys);
    const char *name = name_at(r, value, "name", "the name of a rule");
    if (!name)
        return;
    struct place at = locate(r);
    rules_build_rule(r->b, name, at);
    size_t rule = r->b->rules.count - 1;
    read_sources(r, value);
    r->b->rules.at[rule].to = name_at(r, value, "to", "the state the rule leads to");
    r->b->rules.at[rule].to_at = at;
    predicate_of(r, value, &r->b->rules.at[rule].when);
    const json_t *priority = json_object_get(value, "priority");
    if (priority) {
        char *text = tac_json_text(priority, JSON_COMPACT);
        size_t before = enter(r, "priority");
        rules_build_priority(r->b, text, strlen(text), locate(r), &r->b->rules.at[rule].priority);
        leave(r, before);
        free(text);
    }
    read_actions(r, (json_t *)value);
}

static void read_expectation(struct json_reader *r, const json_t *value)
{
    tac_rules_predicate when;
    check_keys(r, value, "an expectation", expect_keys);
    const char *state = name_at(r, value, "state", "the state that is expected");
    if (state && predicate_of(r, value, &when))
        rules_build_expectation(r->b, state, when, locate(r));
}

tac_status rules_read_rules_json(struct rules_builder *b, const char *text, size_t size,
                                 bool places, tac_error *err)
{
    struct json_reader r = {
        .b = b, .group = TAC_RULES_NONE, .places_left = places ? LOCATE_BYTES / (size + 1) + 1 : 0};
    tac_status status = tac_json_parse(b->file, text, size, &r.json, err);
    if (status)
        return status;
    check_keys(&r, r.json.root, "a rule file", document_keys);
    if (json_object_get(r.json.root, "app")) {
        const char *app = name_at(&r, r.json.root, "app", "the name of the app");
        b->app = app ? app : "";
    }
    r.initial = json_string_value(json_object_get(r.json.root, "initial"));
    each(&r, r.json.root, "groups", read_group);
    each(&r, r.json.root, "variables", read_variable);
    each(&r, r.json.root, "sensors", read_sensor);
    each(&r, r.json.root, "constraints", read_constraint);
    each(&r, r.json.root, "states", read_state);
    each(&r, r.json.root, "rules", read_rule);
    each(&r, r.json.root, "expect", read_expectation);
    tac_json_free(&r.json);
    return TAC_OK;
}
