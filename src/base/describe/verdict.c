/* The one kind of result that every analysis returns. See tactus/verdict.h. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/describe/describe.h"
#include "base/error.h"
#include "base/print/print.h"

void tac_verdict_init(tac_verdict *verdict, const char *analysis, const char *subject,
                      tac_answer answer)
{
    *verdict = (tac_verdict){.answer = answer,
                             .analysis = tac_strdup(analysis),
                             .subject = tac_strdup(subject),
                             .explanation = tac_strdup(""),
                             .advice = tac_strdup("")};
}

static void replace_text(char **text, const char *format, va_list args)
{
    char *fresh = NULL;
    if (vasprintf(&fresh, format, args) < 0)
        tac_out_of_memory(0);
    free(*text);
    *text = fresh;
}

void tac_verdict_explain(tac_verdict *verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    replace_text(&verdict->explanation, format, args);
    va_end(args);
}

void tac_verdict_advise(tac_verdict *verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    replace_text(&verdict->advice, format, args);
    va_end(args);
}

void tac_verdict_free(tac_verdict *verdict)
{
    free(verdict->analysis);
    free(verdict->subject);
    free(verdict->explanation);
    free(verdict->advice);
    json_decref(verdict->witness);
    json_decref(verdict->statistics);
    *verdict = (tac_verdict){0};
}

const char *const tac_answer_words[] = {
    [TAC_HOLDS] = "true",
    [TAC_VIOLATED] = "false",
    [TAC_INCONCLUSIVE] = "inconclusive",
    [TAC_PRESUMABLY_HOLDS] = "presumably true",
    [TAC_PRESUMABLY_VIOLATED] = "presumably false",
};
TABLE_COVERS(tac_answer_words, TAC_PRESUMABLY_VIOLATED);

const char *tac_answer_name(tac_answer answer)
{
    return tac_answer_words[answer];
}

tac_answer tac_answer_both(tac_answer one, tac_answer other)
{
    int codes[] = {tac_answer_exit_code(one), tac_answer_exit_code(other)};
    if (codes[0] == 1 || codes[1] == 1)
        return TAC_VIOLATED;
    return codes[0] == 3 || codes[1] == 3 ? TAC_INCONCLUSIVE : TAC_HOLDS;
}

int tac_exit_code(tac_status status, tac_answer answer)
{
    static const int codes[] = {
        [TAC_HOLDS] = 0,
        [TAC_VIOLATED] = 1,
        [TAC_INCONCLUSIVE] = 3,
        [TAC_PRESUMABLY_HOLDS] = 0,
        [TAC_PRESUMABLY_VIOLATED] = 1,
    };
    TABLE_COVERS(codes, TAC_PRESUMABLY_VIOLATED);
    if (status != TAC_OK)
        return status == TAC_E_USAGE ? 2 : 4;
    assert((size_t)answer < sizeof codes / sizeof *codes);
    return codes[answer];
}

int tac_answer_exit_code(tac_answer answer)
{
    return tac_exit_code(TAC_OK, answer);
}

int tac_status_exit_code(tac_status status)
{
    return tac_exit_code(status, TAC_HOLDS);
}

static const struct field analysis_verdict_fields[] = {
    FIELD_TEXT(tac_verdict, analysis),
    FIELD_TEXT(tac_verdict, subject),
    FIELD_ENUM(tac_verdict, answer, tac_answer_words),
    FIELD_TEXT(tac_verdict, explanation),
    FIELD_TEXT(tac_verdict, advice),
    FIELD(tac_verdict, witness),
    FIELD(tac_verdict, statistics),
};
DESCRIBE(analysis_verdict, tac_verdict);

json_t *tac_verdict_json(const tac_verdict *verdict)
{
    return describe_json(&analysis_verdict_described, verdict);
}

void tac_verdict_text(const tac_verdict *verdict, FILE *out)
{
    static const char *const marks[] = {
        [TAC_HOLDS] = "holds",
        [TAC_VIOLATED] = "VIOLATED",
        [TAC_INCONCLUSIVE] = "inconclusive",
        [TAC_PRESUMABLY_HOLDS] = "presumably holds",
        [TAC_PRESUMABLY_VIOLATED] = "PRESUMABLY VIOLATED",
    };
    TABLE_COVERS(marks, TAC_PRESUMABLY_VIOLATED);
    tac_print(out, "%s: %s\n", verdict->subject, marks[verdict->answer]);
    if (verdict->explanation[0])
        tac_print(out, "  %s\n", verdict->explanation);
    if (verdict->advice[0])
        tac_print(out, "  -> %s\n", verdict->advice);
}
