/* What is wrong with an action that tested nothing, in a sentence. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "run/run.h"
#include <string.h>

/* The reason, without the step if it starts with it. */
static const char *reason_behind(const tac_run_action *row)
{
    size_t length = strlen(row->written);
    bool repeats = !strncmp(row->reason, row->written, length) && row->reason[length] == ':';
    const char *reason = row->reason + (repeats ? length + 1 : 0);
    return reason + strspn(reason, " ");
}

/* Where it stopped: most often, or every time. */
static char *abandoned(const tac_run_action *row)
{
    tac_str out = {0};
    const char *reason = reason_behind(row);
    tac_str_addf(&out, "action '%s' was abandoned in %lld of %lld %s, ", row->action,
                 (long long)row->abandoned, (long long)row->chosen,
                 row->chosen == 1 ? "try" : "tries");
    if (row->abandoned_there != row->abandoned)
        tac_str_addf(&out, "%lld times ", (long long)row->abandoned_there);
    else if (row->abandoned > 1)
        tac_str_add(&out, "always ");
    tac_str_addf(&out, "at step %lld (%s)%s%s", (long long)row->step, row->written,
                 *reason ? ": " : "", reason);
    return tac_str_take(&out);
}

char *tac_run_action_complaint(const tac_run_action *row)
{
    if (row->abandoned * 2 > row->chosen && row->step)
        return abandoned(row);
    if (row->looks && !row->enabled)
        return tac_format("action '%s' was never possible: its condition held at none of %lld %s",
                          row->action, (long long)row->looks, row->looks == 1 ? "look" : "looks");
    return NULL;
}
