/* The certificate checker's own view of rules: nothing here is shared with the engines but the
 * parsers of rules and recordings.
 *
 * Grounding is by brute force: every alias multiplied out, every variable tried with every value
 * that stands at its place somewhere in the recording. Automata are built the textbook way, bottom
 * up over the expression, instead of by derivatives. */
#pragma once

#include "protocol/recording/recording.h"
#include "protocol/spec/spec.h"
#include "tactus/watch.h"

typedef TAC_VEC(uint32_t) check_vec;

/* A ground expression, as a tree. */
struct check_tree {
    enum node_kind kind; /* NODE_ATOM: one of the letters */
    struct check_tree *left, *right;
    const uint32_t *letters; /* sorted */
    size_t letter_count;
};

struct check_rule {
    const struct check_tree *body;
    bool permits;
    uint32_t target; /* letter */
    uint32_t source; /* in spec_set.rules */
};

struct check_rules {
    tac_arena arena;
    TAC_VEC(struct check_rule) rules;
    tac_names keys; /* texts of the rules, to keep each once */
};

tac_status check_ground(const struct spec_set *specs, const struct recording *recording,
                        tac_watch *watch, struct check_rules *out, tac_error *err);
void check_rules_free(struct check_rules *rules);

/* A deterministic automaton over the letters of an expression and one for all others (the last). */
struct check_dfa {
    uint32_t states, symbols, start;
    uint32_t *next; /* states * symbols */
    uint8_t *accepts;
};

/* letters: sorted, the symbols 0 .. count-1; symbol count stands for every other letter.
 * TAC_E_LIMIT when the automaton grows past a bound. */
tac_status check_dfa_build(const struct check_tree *tree, const uint32_t *letters, size_t count,
                           struct check_dfa *out, tac_error *err);
void check_dfa_free(struct check_dfa *dfa);
/* The letters of a tree, sorted without repeats, appended to out. */
void check_tree_letters(const struct check_tree *tree, check_vec *out);
