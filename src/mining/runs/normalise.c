/* Identifiers made stable, so that the same screen or widget has the same name in every run.
 *
 * Two kinds of rules (mining paper, section 7): process and platform specific identifiers become a
 * constant text; run specific ones (object addresses, session ids) are numbered by their order of
 * occurrence within the run. Rules are regular expressions, applied one after the other to
 * every match in a token. Cost: linear in the token per rule; tokens that no order rule touches are
 * remembered by the caller and cost one lookup. */
#include "base/check.h"
#include "mining/runs/runs.h"

static const char *const builtin_rules[] = {
    "constant:emulator-[0-9]+=emulator",
    "constant:/data/user/[0-9]+/=/data/data/",
    "constant:u[0-9]+_a[0-9]+=uid",
    "constant:pid[=:][0-9]+=pid",
    "order:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}=uuid#",
    "order:0x[0-9a-fA-F]{4,16}=0x#",
    "order:@[0-9a-f]{5,16}=@#",
};

static tac_status bad_rule(tac_error *err, const char *text)
{
    return tac_fail(err, TAC_E_USAGE,
                    "identifier rule '%s': expected constant:REGEX=TEXT or order:REGEX=TEXT "
                    "(# in TEXT is the number)",
                    text);
}

tac_status rules_add(struct identifier_rules *rules, const char *text, tac_error *err)
{
    struct identifier_rule rule = {0};
    const char *expression;
    if (strncmp(text, "constant:", 9) == 0)
        expression = text + 9;
    else if (strncmp(text, "order:", 6) == 0) {
        expression = text + 6;
        rule.order = true;
    } else
        return bad_rule(err, text);
    const char *equals = strrchr(expression, '=');
    if (!equals || equals == expression)
        return bad_rule(err, text);
    if (rules->at.count >= 255)
        return tac_fail(err, TAC_E_LIMIT, "more than 255 identifier rules");
    rule.expression = tac_strndup(expression, (size_t)(equals - expression));
    tac_error why;
    tac_status status =
        tac_pattern_new(expression, (size_t)(equals - expression), &rule.pattern, &why);
    if (status != TAC_OK) {
        free(rule.expression);
        return tac_fail(err, status, "identifier rule '%s': %s", text, why.message);
    }
    rule.text = tac_strdup(text);
    rule.replacement = tac_strdup(equals + 1);
    tac_vec_push(&rules->at, rule);
    rules->next = tac_realloc(rules->next, rules->at.count, sizeof *rules->next);
    rules->next[rules->at.count - 1] = 0;
    assert(rules->at.count <= UINT8_MAX); /* a rule's number is one byte of its keys */
    return TAC_OK;
}

tac_status rules_add_builtin(struct identifier_rules *rules, tac_error *err)
{
    for (size_t i = 0; i < sizeof builtin_rules / sizeof *builtin_rules; i++) {
        tac_status status = rules_add(rules, builtin_rules[i], err);
        if (status)
            return status;
    }
    return TAC_OK;
}

void rules_new_run(struct identifier_rules *rules)
{
    assert(rules->number.count == rules->seen.count);
    if (rules->seen.count == 0)
        return;
    tac_names_free(&rules->seen);
    rules->seen = (tac_names){0};
    rules->number.count = 0;
    memset(rules->next, 0, rules->at.count * sizeof *rules->next);
}

static uint32_t number_of(struct identifier_rules *rules, size_t rule, const char *text,
                          size_t length)
{
    tac_str key = {0};
    assert(rule < rules->at.count && rules->at.at[rule].order);
    tac_str_add_char(&key, (char)rule);
    tac_str_add_bytes(&key, text, length);
    size_t before = rules->seen.count;
    uint32_t id = tac_names_intern_bytes(&rules->seen, key.text, key.length);
    if (rules->seen.count > before)
        tac_vec_push(&rules->number, ++rules->next[rule]);
    tac_str_free(&key);
    assert(id < rules->number.count);
    return rules->number.at[id];
}

static void add_replacement(struct identifier_rules *rules, size_t r, const char *match,
                            size_t length, tac_str *out)
{
    const struct identifier_rule *rule = &rules->at.at[r];
    if (!rule->order) {
        tac_str_add(out, rule->replacement);
        return;
    }
    uint32_t number = number_of(rules, r, match, length);
    for (const char *c = rule->replacement; *c; c++) {
        if (*c == '#')
            tac_str_addf(out, "%u", number);
        else
            tac_str_add_char(out, *c);
    }
}

/* One rule over the whole text. */
static tac_status apply_one(struct identifier_rules *rules, size_t r, const char *text,
                            size_t length, tac_str *out, bool *replaced, tac_error *err)
{
    size_t at = 0;
    bool found = true;
    tac_status status = TAC_OK;
    *replaced = false;
    while (at < length && found && status == TAC_OK) {
        tac_span match;
        status =
            tac_pattern_find(rules->at.at[r].pattern, text, length, at, &found, &match, 1, err);
        found = status == TAC_OK && found && match.to > match.from && match.from >= at;
        if (!found)
            continue;
        assert(at <= match.from && match.to <= length);
        tac_str_add_bytes(out, text + at, match.from - at);
        add_replacement(rules, r, text + match.from, match.to - match.from, out);
        at = match.to;
        *replaced = true;
    }
    if (*replaced)
        tac_str_add_bytes(out, text + at, length - at);
    return status;
}

tac_status rules_apply(struct identifier_rules *rules, const char *text, tac_str *out,
                       bool *depends, tac_error *err)
{
    tac_status status = TAC_OK;
    tac_str next = {0};
    *depends = false;
    tac_str_clear(out);
    tac_str_add(out, text);
    for (size_t r = 0; r < rules->at.count && status == TAC_OK; r++) {
        bool replaced;
        tac_str_clear(&next);
        status = apply_one(rules, r, tac_str_text(out), out->length, &next, &replaced, err);
        if (status != TAC_OK || !replaced)
            continue;
        *depends = *depends || rules->at.at[r].order;
        tac_str swap = *out;
        *out = next;
        next = swap;
    }
    tac_str_free(&next);
    return status;
}

void rules_free(struct identifier_rules *rules)
{
    for (size_t i = 0; i < rules->at.count; i++) {
        tac_pattern_free(rules->at.at[i].pattern);
        free(rules->at.at[i].text);
        free(rules->at.at[i].expression);
        free(rules->at.at[i].replacement);
    }
    tac_vec_free(&rules->at);
    tac_names_free(&rules->seen);
    tac_vec_free(&rules->number);
    free(rules->next);
}
