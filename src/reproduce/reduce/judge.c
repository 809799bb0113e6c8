/* Judging candidates. See judge.h. */
#include "reproduce/reduce/judge.h"
#include "base/check.h"
#include <math.h>

enum { MOST_TRIES = 100 };
static const double missed = 0.05;
static const double seldom =
    0.3; /* a chance that longer runs may hide: they have it several times */

uint32_t judge_tries_for(uint32_t needed, double chance)
{
    assert(needed > 0);
    for (uint32_t tries = needed; tries < MOST_TRIES; tries++) {
        double below = 0, term = pow(1 - chance, tries); /* exactly i failures */
        for (uint32_t i = 0; i < needed; i++) {
            below += term;
            term *= (double)(tries - i) / (i + 1) * chance / (1 - chance);
        }
        if (below <= missed)
            return tries;
    }
    return MOST_TRIES;
}

/* One candidate failed sometimes: how often do the others have to be tried? */
static void notice_chance(struct judge *judge, uint32_t tried, uint32_t failed)
{
    double chance = (double)failed / tried;
    uint32_t tries = judge_tries_for(judge->needed, chance < seldom ? chance : seldom);
    judge->flaky = true;
    if (tries > judge->tries)
        judge->tries = tries;
}

struct judge_tally judge_known(const struct judge *judge, const struct script *script)
{
    struct known known = knowledge_of(judge->known, script, judge->scenario, judge->failure);
    bool own = judge->at_the_end || judge->plain;
    uint32_t otherwise = known.own - known.passed - (judge->at_the_end ? 0 : known.own_failed);
    uint32_t blocked = judge->plain ? otherwise : known.blocked;
    return (struct judge_tally){.tried = own ? known.own : known.tried,
                                .failed = own ? known.own_failed : known.failed,
                                .blocked = blocked > (judge->flaky ? 2 : 0),
                                .left = known.left};
}

static tac_status execute(struct judge *judge, const struct script *script, bool replay,
                          size_t count, tac_error *err)
{
    if (judge->most && judge->known->total + count > judge->most)
        return tac_fail(err, TAC_E_LIMIT, "%llu executions were not enough",
                        (unsigned long long)judge->most);
    return judge->execute(judge->context, script, replay, count, err);
}

tac_status judge_fails(struct judge *judge, const struct script *script, bool *fails,
                       tac_error *err)
{
    tac_status status = TAC_OK;
    *fails = false;
    if (judge->sends_first && !script_sends_first(&judge->known->steps, script))
        return TAC_OK;
    while (status == TAC_OK) {
        struct judge_tally tally = judge_known(judge, script);
        if (tally.left) { /* half of them may say another thing than all */
            status = execute(judge, script, false, tally.left, err);
            continue;
        }
        if (tally.failed && tally.failed < tally.tried)
            notice_chance(judge, tally.tried, tally.failed);
        uint32_t missing = judge->needed > tally.failed ? judge->needed - tally.failed : 0;
        uint32_t left = judge->tries > tally.tried ? judge->tries - tally.tried : 0;
        *fails = !missing;
        if (!missing || left < missing || tally.blocked)
            break;
        /* as many as are needed whatever comes of them */
        uint32_t sure = left - missing + 1;
        status = execute(judge, script, false, missing < sure ? missing : sure, err);
    }
    return status;
}

tac_status judge_try(struct judge *judge, const struct script *script, uint32_t tries,
                     struct known *out, tac_error *err)
{
    tac_status status = TAC_OK;
    *out = knowledge_of(judge->known, script, judge->scenario, judge->failure);
    if (out->own < tries)
        status = execute(judge, script, false, tries - out->own, err);
    *out = knowledge_of(judge->known, script, judge->scenario, judge->failure);
    return status;
}

tac_status judge_replay(struct judge *judge, const struct script *script, uint32_t replays,
                        struct known *out, tac_error *err)
{
    tac_status status = TAC_OK;
    *out = knowledge_of(judge->known, script, judge->scenario, judge->failure);
    if (out->replays < replays)
        status = execute(judge, script, true, replays - out->replays, err);
    *out = knowledge_of(judge->known, script, judge->scenario, judge->failure);
    return status;
}
