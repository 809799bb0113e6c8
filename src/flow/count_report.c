/* Counts for machines (JSON, decimal texts of any size) and for people (one sentence). */
#include "base/data/bignum.h"
#include "base/data/str.h"
#include "flow/described.h"
#include <string.h>

static const struct field witnesses_fields[] = {FIELD_BIG(tac_flow_counts, witnesses)};
static DESCRIBE(witnesses, tac_flow_counts);
static const struct field counts_fields[] = {
    FIELD_BIG(tac_flow_counts, flows), FIELD_BIG(tac_flow_counts, exit),
    FIELD_BIG(tac_flow_counts, stuck), FIELD_BIG(tac_flow_counts, truncated)};
static DESCRIBE(counts, tac_flow_counts);

static void prefixes_of(const void *value, struct field_value *out)
{
    (void)value;
    char *text = tac_big_text(((const tac_flow_counts *)out->context)->prefixes);
    out->text = tac_arena_strdup(out->arena, text);
    free(text);
}

static const struct field effort_fields[] = {
    FIELDS(tac_flow_effort, state_bytes, depth, states, steps),
    FIELD_GET_TEXT("prefixes", prefixes_of), FIELDS(tac_flow_effort, memory, seconds)};
static DESCRIBE(effort, tac_flow_effort);

static const struct field flow_counted_fields[] = {
    FIELD_POINTER(struct flow_counted, witnesses, witnesses_described, .splice = true),
    FIELD_POINTER(struct flow_counted, counts, counts_described, .splice = true),
    FIELD(struct flow_counted, orders, .omit = true),
    FIELD_POINTER(struct flow_counted, effort, effort_described, .key = "statistics",
                  .omit = true)};
DESCRIBE(flow_counted, struct flow_counted);

json_t *tac_flow_counts_json(const tac_flow_counts *counts, bool witness)
{
    return describe_json(witness ? &witnesses_described : &counts_described, counts);
}

/* 1234567 as "1,234,567"; the caller's. */
static char *grouped(const mpz_t value)
{
    char *digits = tac_big_text(value);
    size_t length = strlen(digits);
    tac_str out = {0};
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            tac_str_add_char(&out, ',');
        tac_str_add_char(&out, digits[i]);
    }
    free(digits);
    return tac_str_take(&out);
}

void tac_flow_counts_verdict(const tac_flow_counts *counts, const tac_flow_options *options,
                             const char *subject, tac_verdict *verdict)
{
    char *flows = grouped(options->witness ? counts->witnesses : counts->flows);
    bool one = !mpz_cmp_ui(options->witness ? counts->witnesses : counts->flows, 1);
    const char *what = options->distinct ? "distinct " : "";
    tac_verdict_init(verdict, "flows", subject, TAC_HOLDS);
    if (options->witness) {
        tac_verdict_explain(verdict, "%s %switness%s of up to %u events", flows, what,
                            one ? "" : "es", options->length);
    } else {
        char *exit = grouped(counts->exit), *stuck = grouped(counts->stuck),
             *truncated = grouped(counts->truncated);
        tac_verdict_explain(verdict,
                            "%s %sflow%s of up to %u events (%s end by leaving the app, %s are "
                            "stuck, %s reach the bound)",
                            flows, what, one ? "" : "s", options->length, exit, stuck, truncated);
        free(exit);
        free(stuck);
        free(truncated);
    }
    if (!mpz_sgn(options->witness ? counts->witnesses : counts->flows) &&
        options->requirement_count)
        tac_verdict_advise(verdict, "no flow meets the requirement; allow longer flows, or relax "
                                    "an invariant");
    verdict->statistics = tac_flow_counts_json(counts, options->witness);
    free(flows);
}
