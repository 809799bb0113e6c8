/* The causes of crashes over earlier campaigns. */
#ifndef TAC_REPORT_CRASH_HISTORY_H
#define TAC_REPORT_CRASH_HISTORY_H

#include "report/cause/grouping.h"

struct crash_history {
    TAC_VEC(struct cause_list) at; /* by baseline; without a campaign where it has none */
};

/* index: of the campaign that is compared with the baselines. */
tac_status crash_history_read(struct tac_report *report, size_t index,
                              struct crash_history *history, tac_error *err);
void crash_history_free(struct crash_history *history); /* what it holds */
/* Over all baselines to now. */
void crash_trend_add(const struct cause_list *now, const struct crash_history *history,
                     const char *name, size_t crashed, json_t *trends);
/* Causes that the last baseline has and this campaign has not. */
void crash_history_name_gone(const struct cause_list *now, const struct crash_history *history,
                             json_t *trends);

#endif
