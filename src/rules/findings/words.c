/* Findings in words. */
#include "rules/findings/words.h"
#include "base/check.h"
#include "base/print/print.h"
#include "rules/rules.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 96
#define MANY_LITERALS 8

const char *rules_plural(size_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* A derived variable is its test; others are known by their label, if they have one. */
static void add_literal(const tac_rules *rules, uint32_t v, bool value, tac_str *out)
{
    assert(v < rules->variable_count);
    const tac_rules_variable *variable = &rules->variables[v];
    const char *name = variable->name;
    if (variable->sensor == TAC_RULES_NONE) {
        const char *label = variable->label[0] ? variable->label : name;
        const char *quote = strchr(label, ' ') ? "'" : "";
        tac_str_addf(out, "%s%s%s%s", value ? "" : "not ", quote, label, quote);
        return;
    }
    static const char *const turned[][2] = {{" >= ", " < "}, {" > ", " <= "}, {" == ", " != "}};
    for (size_t i = 0; i < 3 && !value; i++) {
        const char *op = strstr(name, turned[i][0]);
        if (op) {
            tac_str_add_bytes(out, name, (size_t)(op - name));
            tac_str_addf(out, "%s%s", turned[i][1], op + strlen(turned[i][0]));
            return;
        }
    }
    tac_str_add(out, name);
}

void rules_words_of_cube(const tac_rules *rules, const char *cube, tac_str *out)
{
    assert(strlen(cube) == rules->variable_count);
    size_t literals = 0, written = 0;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        literals += cube[v] != '*';
    if (literals == 0)
        tac_str_add(out, "whatever the input");
    for (int wanted = 1; wanted >= 0; wanted--) /* what holds first, then what does not */
        for (uint32_t v = 0; v < rules->variable_count; v++) {
            if (cube[v] != '0' + wanted || written >= MANY_LITERALS)
                continue;
            if (written)
                tac_str_add(out, written + 1 == literals ? " and " : ", ");
            add_literal(rules, v, wanted, out);
            written++;
        }
    if (literals > written)
        tac_str_addf(out, " and %zu more", literals - written);
}

void rules_words_of_rules(const tac_rules *rules, const uint32_t *names, size_t count,
                          const char *last, tac_str *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            tac_str_addf(out, "%s", i + 1 == count ? last : ", ");
        tac_str_add(out, rules->rules[names[i]].name);
    }
}

void rules_words_of_states(const tac_rules *rules, const uint32_t *states, size_t count,
                           tac_str *out)
{
    for (size_t i = 0; i < count; i++)
        tac_str_addf(out, "%s%s", i ? ", " : "", rules->states[states[i]].name);
}

void rules_write_paragraph(FILE *out, int indent, const char *format, ...)
{
    assert(indent >= 0 && indent < WIDTH);
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    const char *at = tac_str_text(&text);
    while (*at) {
        size_t room = (size_t)(WIDTH - indent), length = strlen(at);
        if (length > room) {
            length = room;
            while (length > 0 && at[length] != ' ')
                length--;
            if (length == 0)
                length = strcspn(at, " ");
        }
        tac_print(out, "%*s%.*s\n", indent, "", (int)length, at);
        at += length;
        while (*at == ' ')
            at++;
    }
    tac_str_free(&text);
}

const char *tac_rules_engine_name(tac_rules_engine engine)
{
    assert(engine <= TAC_RULES_ENUMERATIVE);
    static const char *const names[] = {[TAC_RULES_LEAN] = "lean",
                                        [TAC_RULES_HYBRID] = "hybrid",
                                        [TAC_RULES_SYMBOLIC] = "symbolic",
                                        [TAC_RULES_ENUMERATIVE] = "enumerative"};
    TABLE_COVERS(names, TAC_RULES_ENUMERATIVE);
    return names[engine];
}
