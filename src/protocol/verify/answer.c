/* What verify found out, as a typed result: the verdict per call, the witness and what to do about
 * it. */
#include "base/check.h"
#include "protocol/evidence/described.h"
#include "protocol/evidence/evidence.h"
#include "protocol/verify/verification.h"

static tac_safety safety_of(const struct verification *v, enum search_verdict verdict)
{
    static const tac_safety safeties[] = {
        [SEARCH_UNKNOWN] = TAC_SAFETY_UNKNOWN,
        [SEARCH_SAFE] = TAC_SAFE,
        [SEARCH_UNSAFE] = TAC_UNSAFE,
    };
    TABLE_COVERS(safeties, SEARCH_UNSAFE);
    if (v->inadmissible)
        return TAC_INADMISSIBLE;
    if (verdict == SEARCH_SAFE && v->problem->specs->left_out)
        return TAC_SAFETY_UNKNOWN;
    return safeties[verdict];
}

/* "pkg.Cls.method" of a letter: what tables group by. */
static const char *method_name(const struct problem *p, uint32_t letter, tac_arena *memory)
{
    const struct recording *r = p->recording;
    assert(letter < r->letters.count);
    const char *text = r->names.text[r->calls.at[r->letters.at[letter].call].signature];
    struct method_parts m;
    recording_split(text, &m);
    return evidence_text(memory, tac_arena_strndup(memory, m.class, (size_t)(m.end - m.class)));
}

/* A conflict of rules is listed where it matters only. */
static bool is_listed(const struct target_result *t)
{
    return t->bit != TAC_NONE || t->verdict != SEARCH_SAFE;
}

static tac_protocol_call call_of(const struct verification *v, const struct target_result *t,
                                 tac_arena *memory)
{
    const struct problem *p = v->problem;
    tac_safety safety = safety_of(v, t->verdict);
    assert(t->bit == TAC_NONE || t->bit < p->system.bit_letters.count);
    tac_protocol_call call = {.message = "any call after a conflict of rules",
                              .safety = safety,
                              .witness_events = safety == TAC_UNSAFE ? t->events.count : 0};
    if (t->bit != TAC_NONE) {
        uint32_t letter = p->system.bit_letters.at[t->bit];
        call.message = evidence_letter(p, letter, memory);
        call.method = method_name(p, letter, memory);
    }
    return call;
}

static void list_calls(const struct verification *v, tac_protocol_result *out)
{
    size_t count = v->found.targets.count;
    tac_protocol_call *calls = tac_arena_calloc(out->memory, count + 1, sizeof *calls);
    for (size_t i = 0; i < count; i++)
        if (is_listed(&v->found.targets.at[i]))
            calls[out->call_count++] = call_of(v, &v->found.targets.at[i], out->memory);
    assert(out->call_count <= count);
    out->calls = calls;
}

static void explain_violation(const tac_protocol_witness *witness, tac_verdict *verdict)
{
    size_t events = witness->count;
    const tac_protocol_reason *by = witness->violation.prohibited_by;
    tac_verdict_explain(verdict, "%zu event%s lead%s to %s, which %s %s", events,
                        events == 1 ? "" : "s", events == 1 ? "s" : "", witness->violation.words,
                        by ? by->rule : "no rule", by ? "disallows" : "allows");
    tac_verdict_advise(verdict, "guard the call, or make the last event impossible after the "
                                "one that made it illegal");
    verdict->witness = describe_list_json(&protocol_step_described, witness->steps, witness->count);
}

static void explain(const struct verification *v, const tac_protocol_result *result,
                    tac_verdict *verdict)
{
    switch (result->safety) {
    case TAC_INADMISSIBLE:
        assert(result->because);
        tac_verdict_explain(verdict, "the rules do not admit the recording: rule %s",
                            result->because->rule);
        tac_verdict_advise(verdict, "correct the rule: a proof by rules that do not hold for the "
                                    "recorded run proves nothing");
        break;
    case TAC_UNSAFE:
        explain_violation(result->witness, verdict);
        break;
    case TAC_SAFE:
        tac_verdict_explain(verdict,
                            "no order of the recorded events makes a prohibited call "
                            "(%zu calls looked at, %llu states)",
                            v->found.targets.count, (unsigned long long)result->states);
        break;
    case TAC_SAFETY_UNKNOWN:
        if (result->left_out) {
            tac_verdict_explain(verdict, "what may be a rule was left out: %s", result->left_out);
            tac_verdict_advise(verdict, "correct the rules: a proof needs all of them");
            break;
        }
        tac_verdict_explain(verdict, "not decided within the memory limit");
        tac_verdict_advise(verdict, "look at one call at a time, or use decision diagrams");
        break;
    }
}

void verification_result(const struct verification *v, tac_protocol_result *out)
{
    static const tac_answer answers[] = {
        [TAC_SAFETY_UNKNOWN] = TAC_INCONCLUSIVE,
        [TAC_SAFE] = TAC_HOLDS,
        [TAC_UNSAFE] = TAC_VIOLATED,
        [TAC_INADMISSIBLE] = TAC_INCONCLUSIVE,
    };
    TABLE_COVERS(answers, TAC_INADMISSIBLE);
    const struct problem *p = v->problem;
    assert(out->memory && !out->calls);
    out->safety = safety_of(v, v->verdict);
    assert((out->safety == TAC_UNSAFE) == (out->witness != NULL));
    if (v->validation)
        validation_ending(v->validation, out);
    list_calls(v, out);
    out->ground_rules = p->grounding.rules.count;
    out->reading = evidence_reading(p, out->memory);
    out->left_out = evidence_text_or_null(out->memory, p->specs->left_out);
    out->by_diagrams = v->found.used_bdd;
    out->states = v->found.states;
    out->events = p->system.events.count;
    out->certificate = evidence_text_or_null(out->memory, v->certificate);
    tac_verdict_init(&out->verdict, "protocol", p->recording->name, answers[out->safety]);
    explain(v, out, &out->verdict);
    out->verdict.statistics =
        json_pack("{s:I,s:I,s:I}", "states", (json_int_t)out->states, "ground_rules",
                  (json_int_t)out->ground_rules, "targets", (json_int_t)v->found.targets.count);
}
