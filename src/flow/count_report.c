/* Counts for machines (JSON, decimal texts of any size) and for people (one sentence). */
#include "base/data/alloc.h"
#include "base/data/bignum.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "tactus/flow.h"
#include <string.h>

static void set_number(json_t *object, const char *key, const mpz_t value)
{
    char *text = tac_big_text(value);
    json_object_set_new(object, key, tac_json_string(text));
    free(text);
}

json_t *tac_flow_counts_json(const tac_flow_counts *counts, bool witness)
{
    json_t *object = json_object();
    if (witness) {
        set_number(object, "witnesses", counts->witnesses);
        return object;
    }
    set_number(object, "flows", counts->flows);
    set_number(object, "exit", counts->exit);
    set_number(object, "stuck", counts->stuck);
    set_number(object, "truncated", counts->truncated);
    return object;
}

json_t *tac_flow_effort_json(const tac_flow_effort *effort, const tac_flow_counts *counts)
{
    json_t *object = json_object();
    json_object_set_new(object, "state_bytes", json_integer((json_int_t)effort->state_bytes));
    json_object_set_new(object, "depth", json_integer((json_int_t)effort->depth));
    json_object_set_new(object, "states", json_integer((json_int_t)effort->states));
    json_object_set_new(object, "steps", json_integer((json_int_t)effort->steps));
    set_number(object, "prefixes", counts->prefixes);
    json_object_set_new(object, "memory", json_integer((json_int_t)effort->memory));
    json_object_set_new(object, "seconds", json_real(effort->seconds));
    return object;
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
