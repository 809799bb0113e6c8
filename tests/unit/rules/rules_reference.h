/* A slow analysis of rule sets that follows the definitions of docs/rules.md word by word: every
 * input, every run, every order of commits is walked. For the tests only; shares nothing with the
 * engines but the loaded rule set. */
#ifndef RULES_REFERENCE_H
#define RULES_REFERENCE_H

#include "tactus/rules.h"

/* The same keys as "rules check --json --paths" without cubes, examples and statistics; the
 * caller's. Inputs are numbers: variable v is bit v. Up to 12 variables. */
json_t *reference_document(const tac_rules *rules, bool hazards);
/* Table 2: {"General": {"nondeterministic", "races", "cycles"}} by walking projected inputs. */
json_t *reference_table2(const tac_rules *rules);
bool reference_holds(const tac_rules *rules, tac_rules_predicate predicate, unsigned input);
bool reference_valid(const tac_rules *rules, unsigned input);
/* The rules triggered in the state, best priority only; returns how many. */
size_t reference_triggered(const tac_rules *rules, uint32_t state, unsigned input, uint32_t *out);
/* Transitions of the shortest run of the state that never ends (until a pair of state and input
 * comes again), of its shortest race; 0 = there is none. */
size_t reference_shortest_cycle(const tac_rules *rules, uint32_t state);
size_t reference_shortest_race(const tac_rules *rules, uint32_t state);
/* Whether the rules walk as the witness of the document says. */
bool reference_replays(const tac_rules *rules, uint32_t state, const json_t *witness, bool race);
/* Changes whose orders differ in the ways they can end; those that end differently when groups are
 * read at their rates, over changes at every half millisecond of `span` (0 = not asked); all. */
void reference_chance_hazards(const tac_rules *rules, unsigned span, long *hazards, long *rated,
                              long *of);
/* A rule set written by chance, small enough for the reference. */
char *random_rules(uint64_t seed, bool constraints, bool actions, bool equal_priorities);
/* Engines may choose different witnesses: takes them out of a document (test_rules_witness.c looks
 * at them). */
void drop_witnesses(json_t *document);
/* The array's elements as sorted text, one a line, so that order does not matter; the caller's. */
char *sorted_text(const json_t *array);

#endif
