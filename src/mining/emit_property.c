/* Patterns as properties of traces: a run that avoids the pattern satisfies the property, so a
 * monitor stops a run as soon as it does what failing runs did.
 *
 * In a trace the state is a variable that holds its value, and an input is an event of one row. A
 * block (s, e) is the row of e with the state s in the row before. The state that follows an input
 * is the last one before the next event, or at the end of the trace ("settled"): the same rule by
 * which run_trace.c makes runs of traces. A comparison of `event` with itself holds where there is
 * an event. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/only_name.h"
#include "base/data/quote.h"
#include "base/data/visible.h"
#include "mining/runs/runs.h"
#include <ctype.h>

struct writer {
    const tac_runs *runs;
    const char *variable;
    tac_str out;
    tac_names used; /* names of properties */
};

static void add_quoted(tac_str *out, const char *text)
{
    tac_str_add_char(out, '"');
    tac_quote_property(out, text);
    tac_str_add_char(out, '"');
}

/* The state that a run has before the first one is shown; a state of that name is the same to the
 * miner. */
static bool is_start(const struct writer *w, uint32_t token)
{
    return tac_token_is_state(w->runs, token) &&
           strcmp(tac_token_text(w->runs, token), "start") == 0;
}

static void add_block(struct writer *w, uint32_t id)
{
    assert(id < w->runs->blocks.count);
    const struct block *block = &w->runs->blocks.at[id];
    const char *state = tac_token_text(w->runs, block->state);
    tac_str_add(&w->out, "event == ");
    add_quoted(&w->out, tac_token_text(w->runs, block->input));
    if (!w->runs->has_states)
        return;
    if (is_start(w, block->state)) {
        tac_str_addf(&w->out, " and not previously (%s != \"start\")", w->variable);
        return;
    }
    tac_str_addf(&w->out, " and previously (%s == ", w->variable);
    add_quoted(&w->out, state);
    tac_str_add(&w->out, ")");
}

static void add_settled(struct writer *w, uint32_t state)
{
    assert(tac_token_is_state(w->runs, state));
    if (!w->runs->has_states) {
        tac_str_add(&w->out, "next any");
        return;
    }
    if (is_start(w, state)) {
        tac_str_addf(&w->out,
                     "not (%s != \"start\") and (next any or %s == \"start\" and not next true)",
                     w->variable, w->variable);
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
        tac_str_add(&w->out, "any");
        if (w->runs->has_states)
            tac_str_addf(&w->out, " and not previously (%s != \"start\")", w->variable);
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
        if (is_start(w, p->tail) && w->runs->has_states)
            tac_str_addf(&w->out, " and not eventually (%s == \"start\" and not next true)",
                         w->variable);
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

/* Letters and digits of the cluster, and a number that makes the name the only one. */
static void add_name(struct writer *w, const char *cluster, size_t number)
{
    tac_str name = {0};
    tac_str_add(&name, "avoids_");
    for (; *cluster; cluster++)
        tac_str_add_char(&name, isalnum((unsigned char)*cluster) ? *cluster : '_');
    tac_str_addf(&name, "_%zu", number);
    char *only = tac_only_name(&w->used, tac_str_text(&name), "_");
    tac_str_add(&w->out, only);
    free(only);
    tac_str_free(&name);
}

/* (not x) U (s & X e) with x = s: the s of the block itself would count as an x before it. */
static bool about_itself(const tac_runs *runs, const tac_mined_pattern *p)
{
    return p->form == TAC_G4 && runs->blocks.at[p->blocks[0]].state == p->tail;
}

void tac_mine_properties(const tac_runs *runs, const tac_mine_result *result, size_t limit,
                         FILE *out)
{
    char *variable = tac_format(runs->state_of ? "`%s`" : "%s", runs_state_variable(runs));
    struct writer w = {.runs = runs, .variable = variable};
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
            tac_str_clear(&w.out);
            tac_str_add(&w.out, "\n# "); /* one line, whatever the names are */
            tac_visible_add(&w.out, sentence);
            tac_str_add(&w.out, "\nproperty ");
            add_name(&w, cluster->name, i + 1);
            tac_str_add(&w.out, ": ");
            add_formula(&w, p, result->options.min_rest);
            fprintf(out, "%s\n", tac_str_text(&w.out));
            free(sentence);
        }
    }
    tac_str_free(&w.out);
    tac_names_free(&w.used);
    free(variable);
}
