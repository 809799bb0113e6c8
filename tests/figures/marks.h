/* Marks that apps write into the kernel's trace, counted; slices are paired in order of time. */
#ifndef TAC_FACTS_MARKS_H
#define TAC_FACTS_MARKS_H

#include "figures/kind.h"
#include "figures/tally.h"
#include "trace/timeline/slices.h"
#include "trace/timeline/sorter.h"

/* B and E nest on the writing thread. */
struct marks_facts {
    struct tally kinds, counters, tops;
    tac_names names;
    struct sorter sorter;
    uint64_t counter_samples;
};

tac_status marks_add(struct marks_facts *marks, int64_t time, uint32_t tid, const char *text,
                     size_t length, tac_error *err);
/* What the pairing found. */
struct marks_result {
    int64_t total; /* of closed slices, in the unit of the times */
    struct slices slices, async;
};
tac_status marks_pair(struct marks_facts *marks, struct marks_result *out, tac_error *err);
void marks_result_free(struct marks_result *result);
void marks_free(struct marks_facts *marks);

#endif
