/* One function per line of the definitions; no index, no pruning beyond what is said in the header.
 */
#include "naive_miner.h"
#include <string.h>

static bool is_at(const struct naive_run *run, uint32_t i, uint16_t event)
{
    return i < run->length && run->events[i] == event;
}

static bool block_at(const struct naive_run *run, uint32_t i, const uint16_t block[2])
{
    return is_at(run, i, block[0]) && is_at(run, i + 1, block[1]);
}

static bool later(const struct naive_run *run, uint32_t from, uint16_t event)
{
    for (uint32_t i = from; i < run->length; i++)
        if (run->events[i] == event)
            return true;
    return false;
}

/* F(s_k & X(e_k & X F(...))) from position `from` on. The first place where the block is decides:
 * what follows a later one follows this one too. */
static bool eventually(const struct naive_pattern *p, unsigned k, const struct naive_run *run,
                       uint32_t from)
{
    if (k == p->block_count)
        return later(run, from, p->tail);
    for (uint32_t i = from; i < run->length; i++)
        if (block_at(run, i, p->blocks[k]))
            return eventually(p, k + 1, run, i + 2);
    return false;
}

/* The blocks in order with gaps, the first one at `start`, the others as early as they come; the
 * position after the last one, or UINT32_MAX. */
static uint32_t completed(const struct naive_pattern *p, const struct naive_run *run,
                          uint32_t start)
{
    if (!block_at(run, start, p->blocks[0]))
        return UINT32_MAX;
    uint32_t at = start + 2;
    for (unsigned k = 1; k < p->block_count; k++) {
        while (at < run->length && !block_at(run, at, p->blocks[k]))
            at++;
        if (at >= run->length)
            return UINT32_MAX;
        at += 2;
    }
    return at;
}

/* `count` events of the blocks in a row from `start` on. */
static bool in_a_row(const struct naive_pattern *p, const struct naive_run *run, uint32_t start,
                     unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!is_at(run, start + k, p->blocks[k / 2][k % 2]))
            return false;
    return true;
}

static void count_gapped(const struct naive_pattern *p, const struct naive_run *run, tac_figures *f)
{
    uint32_t prefix = 0, whole = 0;
    for (uint32_t i = 0; i < run->length; i++) {
        uint32_t after = completed(p, run, i);
        if (after == UINT32_MAX)
            continue;
        prefix++;
        whole += later(run, after, p->tail);
    }
    f->prefix_occurrences += prefix;
    f->occurrences += whole;
    f->prefix_runs += prefix > 0;
    f->runs += p->template == TAC_G1 ? eventually(p, 0, run, 0) : whole > 0;
}

/* The blocks alone: complete with the input of the last one. */
static void count_blocks(const struct naive_pattern *p, const struct naive_run *run, tac_figures *f)
{
    uint32_t whole = 0;
    for (uint32_t i = 0; i < run->length; i++)
        whole += completed(p, run, i) != UINT32_MAX;
    f->prefix_occurrences += whole;
    f->occurrences += whole;
    f->prefix_runs += whole > 0;
    f->runs += whole > 0;
}

static void count_contiguous(const struct naive_pattern *p, const struct naive_run *run,
                             tac_figures *f)
{
    unsigned events = 2 * p->block_count - (p->template == TAC_G2E);
    uint16_t next = p->template == TAC_G2E ? p->blocks[p->block_count - 1][1] : p->tail;
    uint32_t prefix = 0, whole = 0;
    for (uint32_t i = 0; i < run->length; i++)
        if (in_a_row(p, run, i, events)) {
            prefix++;
            whole += is_at(run, i + events, next);
        }
    f->prefix_occurrences += prefix;
    f->occurrences += whole;
    f->prefix_runs += prefix > 0;
    f->runs += whole > 0;
}

static void count_starved(const struct naive_pattern *p, const struct naive_run *run,
                          uint64_t min_rest, tac_figures *f)
{
    unsigned events = 2 * p->block_count;
    uint32_t prefix = 0, whole = 0;
    for (uint32_t i = 0; i < run->length; i++)
        if (in_a_row(p, run, i, events) && run->length - (i + events) >= min_rest) {
            prefix++;
            whole += !later(run, i + events, p->tail);
        }
    f->prefix_occurrences += prefix;
    f->occurrences += whole;
    f->prefix_runs += prefix > 0;
    f->runs += whole > 0;
}

static void count_before(const struct naive_pattern *p, const struct naive_run *run, tac_figures *f)
{
    bool shown = false, holds = false;
    for (uint32_t k = 0; k < run->length; k++) {
        if (!block_at(run, k, p->blocks[0]))
            continue;
        shown = true;
        bool clean = true;
        for (uint32_t j = 0; j < k; j++)
            clean = clean && run->events[j] != p->tail;
        holds = holds || clean;
    }
    f->prefix_runs += shown;
    f->prefix_occurrences += shown;
    f->runs += holds;
    f->occurrences += holds;
}

tac_figures naive_figures(const struct naive_pattern *p, const struct naive_run *runs,
                          uint32_t count, uint64_t min_rest)
{
    tac_figures f = {0};
    for (uint32_t r = 0; r < count; r++)
        switch (p->template) {
        case TAC_G1E:
            count_blocks(p, &runs[r], &f);
            break;
        case TAC_G1:
        case TAC_G3:
        case TAC_HAS:
        case TAC_END:
        case TAC_MANY:
            count_gapped(p, &runs[r], &f);
            break;
        case TAC_G2:
        case TAC_G2E:
            count_contiguous(p, &runs[r], &f);
            break;
        case TAC_G4:
            count_before(p, &runs[r], &f);
            break;
        case TAC_G5:
            count_starved(p, &runs[r], min_rest, &f);
            break;
        }
    return f;
}

static bool shown_by(const struct naive_run *runs, uint32_t count, uint16_t event)
{
    for (uint32_t r = 0; r < count; r++)
        if (later(&runs[r], 0, event))
            return true;
    return false;
}

/* Shares of small whole numbers: the tests use thresholds in hundredths, so this is exact. */
static bool at_least(double share, uint64_t part, uint64_t whole)
{
    return part * 100 >= (uint64_t)(share * 100 + 0.5) * whole;
}

static bool over(const struct naive_task *task, const struct naive_pattern *p)
{
    const tac_figures *f = &p->fail;
    if (p->template == TAC_G1 || p->template == TAC_G4 || p->template == TAC_G1E)
        return f->runs > 0 && at_least(task->support, f->runs, task->fail_count);
    return f->occurrences > 0 && f->occurrences >= task->min_occurrences &&
           at_least(task->confidence, f->occurrences, f->prefix_occurrences);
}

static void try_tail(const struct naive_task *task, struct naive_pattern *p, uint16_t tail,
                     naive_report *report, void *context)
{
    p->tail = tail;
    p->fail = naive_figures(p, task->fail, task->fail_count, task->min_rest);
    if (!over(task, p))
        return;
    p->pass = naive_figures(p, task->pass, task->pass_count, task->min_rest);
    report(context, p);
}

/* Algorithm 1: a pattern that has the support is reported, and its tail becomes the next block. */
static void expand_eventuality(const struct naive_task *task, struct naive_pattern *p,
                               uint16_t state, naive_report *report, void *context)
{
    unsigned k = p->block_count++;
    p->blocks[k][0] = state;
    for (unsigned e = 0; e < task->inputs; e++)
        for (unsigned s = 0; s < task->states; s++) {
            p->blocks[k][1] = (uint16_t)(task->states + e);
            p->tail = (uint16_t)s;
            tac_figures f = {0};
            for (uint32_t r = 0; r < task->fail_count; r++)
                f.runs += eventually(p, 0, &task->fail[r], 0);
            if (f.runs == 0 || !at_least(task->support, f.runs, task->fail_count))
                continue;
            try_tail(task, p, (uint16_t)s, report, context);
            if (p->block_count < task->depth)
                expand_eventuality(task, p, (uint16_t)s, report, context);
        }
    p->block_count--;
}

static void try_tails(const struct naive_task *task, struct naive_pattern *p, naive_report *report,
                      void *context)
{
    unsigned events = task->states + task->inputs;
    if (p->template == TAC_G2E || p->template == TAC_G1E) {
        try_tail(task, p, p->blocks[p->block_count - 1][1], report, context);
        return;
    }
    for (unsigned x = 0; x < events; x++) {
        bool state = x < task->states;
        bool wanted = p->template == TAC_G4
                          ? shown_by(task->whole_pass, task->pass_count, (uint16_t)x)
                      : p->template == TAC_G5 ? shown_by(task->fail, task->fail_count, (uint16_t)x)
                                              : state;
        if (wanted)
            try_tail(task, p, (uint16_t)x, report, context);
    }
}

static bool prefix_occurs(const struct naive_task *task, const struct naive_pattern *p)
{
    bool gaps = p->template == TAC_G3 || p->template == TAC_G1E;
    for (uint32_t r = 0; r < task->fail_count; r++)
        for (uint32_t i = 0; i < task->fail[r].length; i++)
            if (gaps ? completed(p, &task->fail[r], i) != UINT32_MAX
                     : in_a_row(p, &task->fail[r], i, 2 * p->block_count))
                return true;
    return false;
}

static void expand_blocks(const struct naive_task *task, struct naive_pattern *p,
                          naive_report *report, void *context)
{
    unsigned k = p->block_count++;
    for (unsigned s = 0; s < task->states; s++)
        for (unsigned e = 0; e < task->inputs; e++) {
            p->blocks[k][0] = (uint16_t)s;
            p->blocks[k][1] = (uint16_t)(task->states + e);
            if (!prefix_occurs(task, p))
                continue;
            try_tails(task, p, report, context);
            if (p->block_count < task->depth && p->template != TAC_G4)
                expand_blocks(task, p, report, context);
        }
    p->block_count--;
}

void naive_mine(const struct naive_task *task, tac_template template, naive_report *report,
                void *context)
{
    struct naive_pattern p = {.template = template};
    if (template != TAC_G1) {
        expand_blocks(task, &p, report, context);
        return;
    }
    for (unsigned s = 0; s < task->states; s++)
        expand_eventuality(task, &p, (uint16_t)s, report, context);
}
