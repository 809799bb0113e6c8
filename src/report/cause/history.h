/* The causes of crashes over earlier campaigns. */
#pragma once

#include "report/cause/grouping.h"

typedef TAC_VEC(uint32_t) name_numbers;

/* Frames decide by what the crashes of a set have in common, so a crash may have other names in
 * other campaigns. Crashes are compared by names that all campaigns together give them. */
struct crash_history {
    TAC_VEC(struct cause_list) at; /* by baseline; without a campaign where it has none */
    size_t names;                  /* of crashes, over all campaigns */
    name_numbers now;              /* by run of the campaign: its name, TAC_NONE for no crash */
    TAC_VEC(name_numbers) before;  /* by baseline: the same */
};

/* index: of the campaign that is compared with the baselines. */
tac_status crash_history_read(struct tac_report *report, size_t index,
                              struct crash_history *history, tac_error *err);
void crash_history_free(struct crash_history *history); /* what it holds */
/* Whether a run of the cause crashed as none of the last baseline did. */
bool crash_history_is_new(const struct crash_history *history, const struct crash_cause *cause);
/* Over all baselines to now, of a cause of this campaign. */
void crash_trend_add(const struct cause_list *now, const struct crash_history *history,
                     const struct crash_cause *cause, json_t *trends);
/* Causes that the last baseline has and this campaign has not. */
void crash_history_name_gone(const struct cause_list *now, const struct crash_history *history,
                             json_t *trends);
