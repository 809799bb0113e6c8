/* Patterns as properties of traces: a run that avoids the pattern satisfies the property, so a
 * monitor stops a run as soon as it does what failing runs did.
 *
 * In a trace the state is a variable that holds its value, and an input is an event of one row. A
 * block (s, e) is the row of e with the state s in the row before. The state that follows an input
 * is the last one before the next event, or at the end of the trace ("settled"): the same rule by
 * which run_trace.c makes runs of traces. A comparison of `event` with itself holds where there is
 * an event. */
#include "base/check.h"
#include "mining/runs/runs.h"
#include <ctype.h>

struct writer {
    const tac_runs *runs;
    const char *variable;
    tac_str out;
};

static void add_quoted(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            tac_str_add_char(out, '\\');
        tac_str_add_char(out, (unsigned char)*text < ' ' ? '?' : *text);
    }
    tac_str_add_char(out, '"');
}

/* The state that a run has before the first one is shown. */
static bool is_start(const struct writer *w, uint32_t token)
{
    return tac_token_is_state(w->runs, token) &&
           strcmp(tac_token_text(w->runs, token), "start") == 0;
}

static void add_block(struct writer *w, uint32_t id)
{
    const struct block *block = &w->runs->blocks.at[id];
    const char *state = tac_token_text(w->runs, block->state);
    tac_str_add(&w->out, "event == ");
    add_quoted(&w->out, tac_token_text(w->runs, block->input));
    if (is_start(w, block->state)) {
        tac_str_addf(&w->out, " and not previously (%s != \"\")", w->variable);
        return;
    }
    tac_str_addf(&w->out, " and previously (%s == ", w->variable);
    add_quoted(&w->out, state);
    tac_str_add(&w->out, ")");
}

static void add_settled(struct writer *w, uint32_t state)
{
    if (is_start(w, state)) {
        tac_str_addf(&w->out, "not (%s != \"\") and next any", w->variable);
        return;
    }
    tac_str_addf(&w->out, "%s == ", w->variable);
    add_quoted(&w->out, tac_token_text(w->runs, state));
    tac_str_add(&w->out, " and (next any or not next true)");
}

/* x, as a state that settles or as an event. */
static void add_event(struct writer *w, uint32_t x)
{
    if (is_start(w, x)) { /* seen at the input after it: no row need be before the first input */
        tac_str_addf(&w->out, "any and not previously (%s != \"\")", w->variable);
        return;
    }
    if (tac_token_is_state(w->runs, x)) {
        add_settled(w, x);
        return;
    }
    tac_str_add(&w->out, "event == ");
    add_quoted(&w->out, tac_token_text(w->runs, x));
}

/* At least `count` further inputs. */
static void add_rest(struct writer *w, uint64_t count)
{
    if (count == 0)
        return;
    tac_str_add(&w->out, " and next eventually (any");
    add_rest(w, count - 1);
    tac_str_add(&w->out, ")");
}

static void add_end(struct writer *w, const tac_mined_pattern *p, uint64_t min_rest)
{
    switch (p->form) {
    case TAC_G1:
    case TAC_G3:
        tac_str_add(&w->out, " and eventually (");
        add_settled(w, p->tail);
        tac_str_add(&w->out, ")");
        break;
    case TAC_G2:
        tac_str_add(&w->out, " and ((next (not any)) until (");
        add_settled(w, p->tail);
        tac_str_add(&w->out, "))");
        break;
    case TAC_G5:
        add_rest(w, (min_rest < 64 ? min_rest : 64) / 2);
        tac_str_add(&w->out, tac_token_is_state(w->runs, p->tail) && !is_start(w, p->tail)
                                 ? " and not eventually ("
                                 : " and not next eventually (");
        add_event(w, p->tail);
        tac_str_add(&w->out, ")");
        break;
    case TAC_G2E:
    case TAC_G1E:
    case TAC_G4:
    case TAC_HAS:
    case TAC_END:
    case TAC_MANY:
        break;
    }
}

static void add_blocks(struct writer *w, const tac_mined_pattern *p, uint32_t i, uint64_t min_rest)
{
    bool gapped = p->form == TAC_G1 || p->form == TAC_G3 || p->form == TAC_G1E;
    assert(i < p->block_count);
    add_block(w, p->blocks[i]);
    if (i + 1 == p->block_count) {
        add_end(w, p, min_rest);
        return;
    }
    tac_str_add(&w->out, gapped ? " and next eventually (" : " and next ((not any) until (");
    add_blocks(w, p, i + 1, min_rest);
    tac_str_add(&w->out, gapped ? ")" : "))");
}

static void add_formula(struct writer *w, const tac_mined_pattern *p, uint64_t min_rest)
{
    if (p->form == TAC_G4) {
        tac_str_add(&w->out, "not ((not (");
        add_event(w, p->tail);
        tac_str_add(&w->out, ")) until (");
        add_block(w, p->blocks[0]);
        tac_str_add(&w->out, "))");
        return;
    }
    tac_str_add(&w->out, "not eventually (");
    add_blocks(w, p, 0, min_rest);
    tac_str_add(&w->out, ")");
}

static void add_name(tac_str *out, const char *cluster, size_t number)
{
    tac_str_add(out, "avoids_");
    for (; *cluster; cluster++)
        tac_str_add_char(out, isalnum((unsigned char)*cluster) ? *cluster : '_');
    tac_str_addf(out, "_%zu", number);
}

/* (not x) U (s & X e) with x = s: the s of the block itself would count as an x before it. */
static bool about_itself(const tac_runs *runs, const tac_mined_pattern *p)
{
    return p->form == TAC_G4 && runs->blocks.at[p->blocks[0]].state == p->tail;
}

void tac_mine_properties(const tac_runs *runs, const tac_mine_result *result, size_t limit,
                         FILE *out)
{
    struct writer w = {.runs = runs, .variable = runs->state_of ? runs->state_of : "state"};
    fprintf(out,
            "# What failing runs do and passing runs avoid. A violated property means that the "
            "run\n# shows the pattern, not that it fails.\nlet any = event == event\n");
    for (size_t c = 0; c < result->cluster_count; c++) {
        const tac_cluster_result *cluster = &result->clusters[c];
        for (size_t i = 0; i < cluster->pattern_count && (!limit || i < limit); i++) {
            const tac_mined_pattern *p = &cluster->patterns[i];
            if (about_itself(runs, p))
                continue;
            char *sentence = tac_pattern_sentence(runs, p, cluster->runs, cluster->passing);
            for (char *at = sentence; *at; at++) /* it is a comment: one line */
                *at = (unsigned char)*at < ' ' ? '?' : *at;
            tac_str_clear(&w.out);
            add_name(&w.out, cluster->name, i + 1);
            tac_str_add(&w.out, ": ");
            add_formula(&w, p, result->options.min_rest);
            fprintf(out, "\n# %s\nproperty %s\n", sentence, tac_str_text(&w.out));
            free(sentence);
        }
    }
    tac_str_free(&w.out);
}
