/* Inputs by name: variables on or off, sensors by their values. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "rules/language/build.h"
#include "rules/simulate/simulate.h"
#include <string.h>

static bool is_variable(const tac_rules *rules, const char *name)
{
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (strcmp(rules->variables[v].name, name) == 0)
            return true;
    return false;
}

static tac_status unknown_name(const tac_rules *rules, const char *name, tac_error *err)
{
    TAC_VEC(const char *) names = {0};
    for (uint32_t v = 0; v < rules->variable_count && v < 10000; v++)
        if (rules->variables[v].sensor == TAC_RULES_NONE)
            tac_vec_push(&names, rules->variables[v].name);
    for (uint32_t s = 0; s < rules->sensor_count && s < 10000; s++)
        tac_vec_push(&names, rules->sensors[s].name);
    tac_status status = tac_fail(err, TAC_E_INPUT, "'%.80s' is not a variable or a sensor%s", name,
                                 tac_meant(name, names.at, names.count).text);
    tac_vec_free(&names);
    return status;
}

static tac_status set_number(const tac_rules *rules, uint32_t sensor, const char *text, char *input,
                             tac_error *err)
{
    double number;
    if (!tac_parse_double(text, &number))
        return tac_fail(err, TAC_E_INPUT, "sensor '%s' is a number, and '%.80s' is not one",
                        rules->sensors[sensor].name, text);
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        const tac_rules_variable *test = &rules->variables[v];
        if (test->sensor == sensor)
            input[v] =
                (test->strict ? number > test->threshold : number >= test->threshold) ? '1' : '0';
    }
    return TAC_OK;
}

static tac_status set_value(const tac_rules *rules, uint32_t sensor, const char *text, char *input,
                            tac_error *err)
{
    const tac_rules_sensor *s = &rules->sensors[sensor];
    uint32_t value = 0;
    while (value < s->value_count && strcmp(rules->values[s->first_value + value], text))
        value++;
    if (value == s->value_count)
        return tac_fail(err, TAC_E_INPUT, "sensor '%s' has no value '%.80s'", s->name, text);
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (rules->variables[v].sensor == sensor)
            input[v] = rules->variables[v].value == value ? '1' : '0';
    return TAC_OK;
}

/* Inputs are texts of one '0' or '1' per variable. Sets a variable (on, off), or the tests of a
 * sensor by its value. TAC_E_INPUT when there is no such name or value. */
static tac_status tac_rules_set(const tac_rules *rules, const char *name, const char *value,
                                char *input, tac_error *err)
{
    for (uint32_t s = 0; s < rules->sensor_count; s++)
        if (strcmp(rules->sensors[s].name, name) == 0)
            return rules->sensors[s].value_count ? set_value(rules, s, value, input, err)
                                                 : set_number(rules, s, value, input, err);
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        if (strcmp(rules->variables[v].name, name) != 0)
            continue;
        int truth = rules_truth(value);
        if (truth < 0)
            return tac_fail(err, TAC_E_INPUT, "'%.80s' is on or off, not '%.80s'", name, value);
        input[v] = (char)('0' + truth);
        return TAC_OK;
    }
    return unknown_name(rules, name, err);
}

/* NAME, not NAME, !NAME or NAME=VALUE; changes the text. A test of a sensor ("location == home") is
 * a name too. */
static tac_status set_one(const tac_rules *rules, char *text, char *input, tac_error *err)
{
    bool off = strncmp(text, "not ", 4) == 0 || text[0] == '!';
    char *name = off ? tac_trim(text + (text[0] == '!' ? 1 : 4)) : text;
    char *equals = is_variable(rules, name) || off ? NULL : strchr(name, '=');
    if (!equals)
        return tac_rules_set(rules, name, off ? "off" : "on", input, err);
    *equals = '\0';
    return tac_rules_set(rules, tac_trim(name), tac_trim(equals + 1), input, err);
}

static tac_status set_words(const tac_rules *rules, const char *text, char *input, tac_error *err)
{
    char *copy = tac_strdup(text);
    tac_status status = TAC_OK;
    for (char *at = copy, *next; at && status == TAC_OK; at = next) {
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        at = tac_trim(at);
        if (*at)
            status = set_one(rules, at, input, err);
    }
    free(copy);
    return status;
}

tac_status rules_set_json(const tac_rules *rules, json_t *object, char *input, tac_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return tac_fail(err, TAC_E_INPUT, "expected an object of names and values");
    json_object_foreach(object, key, value)
    {
        char *text = json_is_string(value) ? tac_strdup(json_string_value(value))
                                           : tac_json_text(value, JSON_COMPACT | JSON_ENCODE_ANY);
        tac_status status = tac_rules_set(rules, key, text, input, err);
        free(text);
        if (status)
            return status;
    }
    return TAC_OK;
}

tac_status tac_rules_set_all(const tac_rules *rules, const char *text, char *input, tac_error *err)
{
    assert(strlen(input) == rules->variable_count);
    while (*text == ' ' || *text == '\t' || *text == '\n')
        text++;
    if (*text != '{')
        return set_words(rules, text, input, err);
    tac_json json;
    tac_status status = tac_json_parse("input", text, strlen(text), &json, err);
    if (status)
        return status;
    status = rules_set_json(rules, json.root, input, err);
    tac_json_free(&json);
    return status;
}
