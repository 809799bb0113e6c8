/* The search that begins with one run of a cause. */
#pragma once

#include "reproduce/cause.h"

/* What one original was reduced to. */
struct catch
{
    struct script script;
    tac_flow start;
    bool disturbed; /* some executions of it failed in another way */
    tac_reproduction told;
};

void catch_free(struct catch *catch);

/* Where the run's row says after how many events its property was decided; NULL for other causes.
 */
size_t *chase_decided_after(const struct source_run *run, const struct cause *cause);
/* The share of the tries in which the run fails again; negative when it cannot be tried. run: its
 * number in the source. */
tac_status chase_try(struct hunt *hunt, const struct cause *cause, size_t run, double *share,
                     tac_error *err);
/* The whole search. *out is the caller's, and filled in as far as it came. */
tac_status chase_from(struct hunt *hunt, const struct cause *cause, size_t run, struct catch *out,
                      tac_error *err);
