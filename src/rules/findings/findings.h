/* Private: building up findings. */
#pragma once

#include "base/data/vec.h"
#include "rules/rules.h"

void rules_count_init(tac_rules_count *count); /* zero, unknown */
void rules_count_clear(tac_rules_count *count);
void rules_count_set_u64(tac_rules_count *count, uint64_t value);
bool rules_count_is_zero(const tac_rules_count *count); /* known and zero */
/* sum += count; unknown stays unknown. */
void rules_count_add(tac_rules_count *sum, const tac_rules_count *count);
/* sum -= count, which is not more. */
void rules_count_subtract(tac_rules_count *sum, const tac_rules_count *count);
void rules_count_copy(tac_rules_count *to, const tac_rules_count *from);
bool rules_count_equal(const tac_rules_count *a, const tac_rules_count *b);
char *rules_count_text(
    const tac_rules_count *count); /* decimal, or "m*2^k" past 60 digits; the caller's */
/* The lists of the document that show faults, and its statistics; the caller's. */
json_t *rules_evidence_json(const tac_rules *rules, const tac_rules_findings *f);
json_t *rules_statistics_json(const tac_rules *rules, const tac_rules_findings *f);
/* Inputs with some run of two transitions or more: valid - stable - one. */
void rules_unrest(const tac_rules_findings *findings, uint32_t state, tac_rules_count *out);
/* Some change of the world ends differently depending on how the groups are read. */
bool rules_hazardous(const tac_rules_hazards *hazards);

/* All counts zero and unknown, one entry per state. */
tac_rules_findings *rules_findings_new(const tac_rules *rules, const tac_rules_options *options);

/* Adding to an array of the findings: FINDINGS_PUSH(out, pairs, pair_count, value). Arrays grow by
 * doubling; the count alone tells the capacity. */
void *rules_findings_grow(void *array, size_t count, size_t size);
#define FINDINGS_PUSH(out, array, number, ...)                                                     \
    do {                                                                                           \
        (out)->array = rules_findings_grow((out)->array, (out)->number, sizeof *(out)->array);     \
        (out)->array[(out)->number++] = (__VA_ARGS__);                                             \
    } while (0)
