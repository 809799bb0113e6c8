/* Private: rule sets as text, as they are or with edits. */
#pragma once

#include "rules/rules.h"

enum rules_edit_kind {
    EDIT_PRIORITY, /* rule, priority; between: a level of its own just before that one, when not 0:
                      of several such levels the smaller number comes first */
    EDIT_STRENGTHEN, /* rule: "and condition" is added to its predicate */
    EDIT_THRESHOLD,  /* rule: the test `variable` in its predicate becomes `condition` */
    EDIT_ADD_RULE,   /* name: state -> target when condition, priority */
    EDIT_MENTION,    /* condition: a test that shall exist; changes nothing */
    EDIT_SPLIT       /* state: a second half called name, where `rule` is not active; the rule
                        `entering` leads there */
};

/* Rules and states are those of the unedited rule set. Texts are owned by whoever made the edit. */
struct rules_edit {
    enum rules_edit_kind kind;
    uint32_t rule, entering, state, target, priority, variable;
    uint32_t between;
    const char *condition, *name;
    bool by_rule; /* EDIT_STRENGTHEN: the condition is "not RULE" */
};

/* In the rule language, with no more parentheses than it needs; the caller's. */
char *rules_predicate_text(const tac_rules *rules, tac_rules_predicate predicate);
tac_status rules_write_edited(const tac_rules *rules, const struct rules_edit *edits,
                              size_t edit_count, FILE *out, tac_error *err);
