/* The crashes of one campaign by their causes. */
#pragma once

#include "base/data/map.h"
#include "mining/mining.h"
#include "report/cause/reproduction.h"

/* A cluster of one campaign. */
struct crash_cause {
    char *name;
    TAC_VEC(size_t) runs; /* indices of the campaign's runs */
    const tac_cluster_result *mined;
};

struct cause_list {
    struct tac_report *report;
    struct report_campaign *campaign;
    struct script_file *reproduction;
    tac_runs *runs;
    TAC_VEC(size_t) added; /* by run of the set: index of the campaign's run */
    tac_mine_result *mined;
    tac_names names;
    TAC_VEC(struct crash_cause) at;
    size_t crashes;
};

bool is_crash_run(const struct report_run *run);
/* The crashes, and with `all` the runs that passed. */
tac_status cause_list_read(struct cause_list *list, bool all, tac_error *err);
/* Looks for patterns in what was read; a limit leaves the causes without them. */
tac_status cause_list_mine(struct cause_list *list, tac_error *err);
/* Every crash gets its cause, the largest cause first. */
void cause_list_group(struct cause_list *list);
void cause_list_free(struct cause_list *list); /* the list itself is the caller's */
/* The place of a cause in the page, "#cause-..."; the caller's. */
char *cause_link(const struct cause_list *list, const char *name);
