/* Patterns in words and as formulas. */
#include "base/check.h"
#include "base/data/text.h"
#include "mining/runs/runs.h"

static const char *state_text(const tac_runs *runs, const tac_mined_pattern *p, uint32_t i)
{
    return tac_token_text(runs, runs->blocks.at[p->blocks[i]].state);
}

static const char *input_text(const tac_runs *runs, const tac_mined_pattern *p, uint32_t i)
{
    return tac_token_text(runs, runs->blocks.at[p->blocks[i]].input);
}

/* Blocks nested with the template's connectives: open, join and the operator before a next state.
 */
static void nest(tac_str *out, const tac_runs *runs, const tac_mined_pattern *p, const char *outer,
                 const char *join, const char *next, const char *last)
{
    size_t open = 1;
    tac_str_addf(out, "%s(", outer);
    for (uint32_t i = 0; i < p->block_count; i++) {
        bool ends_in_input = p->form == TAC_G2E || p->form == TAC_G1E;
        bool input_is_last = ends_in_input && i + 1 == p->block_count;
        tac_str_addf(out, "%s %s X(%s", state_text(runs, p, i), join, input_text(runs, p, i));
        open++;
        if (input_is_last)
            break;
        tac_str_addf(out, " %s %s(", join, next);
        open++;
    }
    tac_str_add(out, last);
    for (size_t i = 0; i < open; i++)
        tac_str_add_char(out, ')');
}

char *tac_pattern_formula(const tac_runs *runs, const tac_mined_pattern *p)
{
    tac_str out = {0};
    const char *tail = p->tail == TAC_NONE ? "" : tac_token_text(runs, p->tail);
    char *never = tac_format("G(!%s)", tail);
    switch (p->form) {
    case TAC_G1:
        nest(&out, runs, p, "F", "&", "XF", tail);
        break;
    case TAC_G2:
        nest(&out, runs, p, "G", "->", "X", tail);
        break;
    case TAC_G2E:
        nest(&out, runs, p, "G", "->", "X", "");
        break;
    case TAC_G3:
        nest(&out, runs, p, "G", "->", "XF", tail);
        break;
    case TAC_G4:
        tac_str_addf(&out, "(!%s) U (%s & X(%s))", tail, state_text(runs, p, 0),
                     input_text(runs, p, 0));
        break;
    case TAC_G5:
        nest(&out, runs, p, "G", "->", "X", never);
        break;
    case TAC_G1E:
        nest(&out, runs, p, "F", "&", "XF", "");
        break;
    case TAC_HAS:
        tac_str_addf(&out, "F(%s)", tail);
        break;
    case TAC_MANY:
        for (uint32_t i = 0; i < p->times; i++)
            tac_str_addf(&out, "%sF(%s", i ? " & X" : "", tail);
        for (uint32_t i = 0; i < p->times; i++)
            tac_str_add_char(&out, ')');
        break;
    case TAC_END:
        tac_str_add(&out, "F(");
        for (uint32_t i = 0; i < p->block_count; i++)
            tac_str_addf(&out, "%s & X(%s & X(", state_text(runs, p, i), input_text(runs, p, i));
        tac_str_add(&out, *tail ? tail : "!true");
        for (uint32_t i = 0; i < 2 * p->block_count + 1; i++)
            tac_str_add_char(&out, ')');
        break;
    }
    free(never);
    return tac_str_take(&out);
}

static void add_share(tac_str *out, uint32_t part, uint32_t whole)
{
    double percent = whole ? 100.0 * part / whole : 0;
    if (percent > 0 && percent < 0.95)
        tac_str_addf(out, "%.1f %%", percent);
    else
        tac_str_addf(out, "%.0f %%", percent);
}

static void add_blocks(tac_str *out, const tac_runs *runs, const tac_mined_pattern *p,
                       uint32_t count, const char *between)
{
    for (uint32_t i = 0; i < count; i++) {
        tac_str_add(out, i ? between : "");
        if (runs->has_states)
            tac_str_addf(out, "%s ", state_text(runs, p, i));
        tac_str_add(out, input_text(runs, p, i));
    }
}

/* What comes last, in words: without states, "start" is there when the run goes on. */
static const char *tail_words(const tac_runs *runs, const tac_mined_pattern *p)
{
    if (p->tail == TAC_NONE)
        return "";
    return !runs->has_states && tac_token_is_state(runs, p->tail) ? "another event"
                                                                  : tac_token_text(runs, p->tail);
}

static void add_confidence(tac_str *out, const tac_mined_pattern *p)
{
    if (p->fail.prefix_occurrences == 0) /* nothing was counted */
        return;
    tac_str_add(out, " (");
    add_share(out, p->fail.occurrences, p->fail.prefix_occurrences);
    tac_str_add(out, " of the time)");
}

static void add_claim(tac_str *out, const tac_runs *runs, const tac_mined_pattern *p)
{
    const char *tail = tail_words(runs, p);
    switch (p->form) {
    case TAC_G1:
        tac_str_add(out, "after ");
        add_blocks(out, runs, p, p->block_count, ", later ");
        tac_str_addf(out, ", %s follows at some time", tail);
        break;
    case TAC_G2:
        tac_str_add(out, "after ");
        add_blocks(out, runs, p, p->block_count, " then ");
        tac_str_addf(out, ", %s follows", tail);
        add_confidence(out, p);
        break;
    case TAC_G2E:
        if (10 * (uint64_t)p->fail.occurrences < 9 * (uint64_t)p->fail.prefix_occurrences ||
            p->fail.prefix_occurrences == 0) {
            add_blocks(out, runs, p, p->block_count, " then ");
            break;
        }
        tac_str_add(out, p->block_count > 1 ? "after " : "");
        add_blocks(out, runs, p, p->block_count - 1, " then ");
        if (runs->has_states)
            tac_str_addf(out, "%sin %s", p->block_count > 1 ? " " : "",
                         state_text(runs, p, p->block_count - 1));
        tac_str_addf(out, "%s%s is done", p->block_count > 1 || runs->has_states ? ", " : "", tail);
        add_confidence(out, p);
        break;
    case TAC_G3:
        tac_str_add(out, "whenever ");
        add_blocks(out, runs, p, p->block_count, ", later ");
        tac_str_addf(out, ", %s follows at some time", tail);
        add_confidence(out, p);
        break;
    case TAC_G4:
        add_blocks(out, runs, p, 1, "");
        tac_str_addf(out, " comes before any %s", tail);
        break;
    case TAC_G5:
        tac_str_add(out, "after ");
        add_blocks(out, runs, p, p->block_count, " then ");
        tac_str_addf(out, ", %s never comes again", tail);
        add_confidence(out, p);
        break;
    case TAC_G1E:
        add_blocks(out, runs, p, p->block_count, ", later ");
        break;
    case TAC_HAS:
        tac_str_addf(out, "%s occurs", tail);
        break;
    case TAC_MANY:
        tac_str_addf(out, "%s occurs at least %u times", tail, p->times);
        break;
    case TAC_END:
        tac_str_add(out, "the run ends in ");
        add_blocks(out, runs, p, p->block_count, " then ");
        tac_str_addf(out, "%s%s", p->block_count ? " " : "", tail);
        break;
    }
}

char *tac_pattern_claim(const tac_runs *runs, const tac_mined_pattern *p)
{
    tac_str out = {0};
    add_claim(&out, runs, p);
    return tac_str_take(&out);
}

char *tac_pattern_sentence(const tac_runs *runs, const tac_mined_pattern *p, uint32_t failing,
                           uint32_t passing)
{
    assert(p->fail.runs <= failing || failing == 0);
    tac_str out = {0};
    char number[32];
    add_claim(&out, runs, p);
    tac_str_add(&out, ": ");
    if (p->form != TAC_G4)
        tac_str_addf(&out, "%s time%s ", tac_thousands(p->fail.occurrences, number, sizeof number),
                     p->fail.occurrences == 1 ? "" : "s");
    tac_str_add(&out, "in ");
    add_share(&out, p->fail.runs, failing);
    tac_str_add(&out, passing ? " of the failing runs" : " of the runs");
    if (passing) {
        tac_str_add(&out, ", ");
        add_share(&out, p->pass.runs, passing);
        tac_str_add(&out, " of the passing");
    }
    return tac_str_take(&out);
}
