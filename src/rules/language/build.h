/* The front-end interface: every rule language is read by calling these functions, and the core
 * (resolution, validation, analysis) knows nothing about the language. Text and JSON use it; an
 * importer of another rule language needs nothing else.
 *
 * Names may be used before they are declared: rules_builder_finish resolves them. Errors go to the
 * diagnostics with their places, and building goes on. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "base/syntax/syntax.h"
#include "rules/rules.h"

#define RULES_MAX_THINGS 1000000u /* variables, states, rules, each */
#define RULES_MAX_EDGES 4000000u
#define RULES_MAX_PREDICATE 20000u  /* names and operators in one predicate */
#define RULES_MAX_DEPTH 200         /* parentheses, nots and arrows inside each other */
#define RULES_MAX_REFERENCES 1000u  /* rule names that stand for rule names that ... */
#define RULES_MAX_EXPANDED 1000000u /* names of a predicate with its references written out */
#define RULES_MAX_NAME 256

struct place {
    uint32_t line, column;
};

enum draft_kind { DRAFT_OPERATOR, DRAFT_NAME, DRAFT_ABOVE, DRAFT_AT_LEAST, DRAFT_VALUE };

/* A node of a predicate before names are known. */
struct draft_node {
    enum draft_kind kind;
    tac_rules_operator op;
    uint32_t left, right; /* DRAFT_OPERATOR: as in tac_rules_node */
    const char *name;     /* the others: variable, rule or sensor */
    const char *value;    /* DRAFT_VALUE */
    double number;        /* DRAFT_ABOVE, DRAFT_AT_LEAST: the threshold */
    struct place at;
};

struct draft_rule {
    const char *name, *to;
    struct place at, to_at;
    tac_rules_predicate when;
    uint32_t priority;
    uint32_t first_from, from_count;     /* into froms */
    uint32_t first_action, action_count; /* into draft actions */
};

struct draft_name {
    const char *name;
    struct place at;
};

struct draft_action {
    const char *name, *value;
    struct place at;
};

struct draft_sensor {
    tac_rules_sensor sensor;
    TAC_VEC(uint32_t) tests; /* provisional variables derived so far */
};

/* A variable that was declared, or a test derived from a sensor. */
struct draft_variable {
    tac_rules_variable variable;
    double number;
    bool strict; /* "above" rather than "at least" */
    uint32_t value;
};

struct draft_expectation {
    const char *state;
    struct place at;
    tac_rules_predicate when;
};

struct rules_builder {
    const char *file, *app;
    tac_diagnostics *diagnostics;
    tac_arena arena; /* becomes the rule set's */
    uint32_t suggestions;
    TAC_VEC(tac_rules_group) groups;
    TAC_VEC(struct draft_sensor) sensors;
    TAC_VEC(const char *) values;
    TAC_VEC(struct draft_variable) variables;
    TAC_VEC(uint64_t) order; /* declared variables, and sensors with the top bit set */
    TAC_VEC(tac_rules_state) states;
    TAC_VEC(struct draft_rule) rules;
    TAC_VEC(struct draft_name) froms;
    TAC_VEC(struct draft_action) actions;
    TAC_VEC(tac_rules_constraint) constraints;
    TAC_VEC(struct draft_expectation) expectations;
    TAC_VEC(struct draft_node) nodes;
    tac_names group_names, term_names, state_names;
    TAC_VEC(uint64_t) terms; /* what a term name is: enum term and index, by name id */
    uint32_t initial;
};

enum term { TERM_VARIABLE, TERM_SENSOR, TERM_RULE };

void rules_builder_open(struct rules_builder *b, const char *file, tac_diagnostics *diagnostics);
void rules_builder_close(struct rules_builder *b);
void rules_build_error(struct rules_builder *b, struct place at, const char *format, ...)
    TAC_PRINTF(3, 4);

/* Copies a name; complains when it is reserved, too long or not valid UTF-8. */
const char *rules_build_name(struct rules_builder *b, const char *text, size_t length,
                             struct place at);
uint32_t rules_build_group(struct rules_builder *b, const char *name, struct place at);
/* A statement about the group itself; 0 = not said. Complains when it was said differently before.
 */
void rules_build_rates(struct rules_builder *b, uint32_t group, uint64_t every_ms, uint64_t hold_ms,
                       struct place at);
/* "10", "10 s", "500 ms", "2 min", "1 h" as milliseconds; false when it is not a time from 1 ms to
 * 1,000 h. unit may be NULL. */
bool rules_duration(const char *number, size_t length, const char *unit, size_t unit_length,
                    uint64_t *out);
/* group TAC_RULES_NONE: a group of its own. Names and labels come from build_name or the arena. */
void rules_build_variable(struct rules_builder *b, uint32_t group, const char *name,
                          const char *label, tac_monotone monotone, struct place at);
/* value_count 0: a number. The values were pushed to b->values by the caller. */
void rules_build_sensor(struct rules_builder *b, const tac_rules_sensor *sensor, struct place at);
void rules_build_state(struct rules_builder *b, const char *name, bool initial, struct place at);
/* Adds a rule with neither sources nor actions; the caller fills in the rest by build_from and
 * build_action before the next rule is added. */
struct draft_rule *rules_build_rule(struct rules_builder *b, const char *name, struct place at);
void rules_build_from(struct rules_builder *b, const char *state, struct place at);
void rules_build_action(struct rules_builder *b, const char *name, const char *value,
                        struct place at);
/* False (with an error) when the number is out of range. */
bool rules_build_priority(struct rules_builder *b, const char *text, size_t length, struct place at,
                          uint32_t *out);
void rules_build_constraint(struct rules_builder *b, tac_rules_predicate holds, struct place at);
void rules_build_expectation(struct rules_builder *b, const char *state, tac_rules_predicate when,
                             struct place at);

/* Tokens of the text language (predicate.c); mistakes go to the builder's diagnostics. at: the
 * place of the first character. */
extern const struct syntax_language rules_syntax;
void rules_syntax_open(struct syntax *s, struct rules_builder *b, const char *text, size_t size,
                       struct place at);
static inline struct place rules_here(const struct syntax *s)
{
    return (struct place){s->token.line, s->token.column};
}
/* 1 for on, true and 1, 0 for off, false and 0, else -1. */
int rules_truth(const char *text);
/* Words that cannot be names because predicates and rules use them. */
bool rules_word_is_reserved(const char *text, size_t length);
/* Reads a predicate up to a token that cannot continue it. False (with an error) when it is not
 * well formed. */
bool rules_read_predicate(struct syntax *s, tac_rules_predicate *out);

/* Reads a whole text or JSON file into the builder. */
void rules_read_rules_text(struct rules_builder *b, const char *text, size_t size);
/* places: note where everything stands; slow, so only for files that are known to have errors. */
tac_status rules_read_rules_json(struct rules_builder *b, const char *text, size_t size,
                                 bool places, tac_error *err);

/* Resolves and validates. On success the rule set takes the arena. */
tac_status rules_builder_finish(struct rules_builder *b, tac_rules **out, tac_error *err);

/* tac_meant, for the first errors of a file. Valid until the arena is freed. */
const char *rules_build_suggestion(struct rules_builder *b, const char *name,
                                   const tac_names *names);
