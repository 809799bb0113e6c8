/* One way in which runs of a campaign failed, and the search for its shortest sequence. */
#pragma once

#include "reproduce/attempts.h"
#include "reproduce/earlier.h"
#include "reproduce/reduce/reduce.h"
#include "reproduce/reproduce.h"
#include "reproduce/source.h"

struct cause {
    tac_failure_kind kind;
    const char *name;     /* borrowed from the source */
    char *key;            /* of the journal */
    TAC_VEC(size_t) runs; /* of the source, shortest first */
};

typedef struct cause_list {
    struct cause *at;
    size_t count, capacity;
} cause_list;

/* All that a search has at hand. */
struct hunt {
    const tac_reproduce_options *options;
    tac_run_options run;
    struct source source;
    struct knowledge known;
    struct journal journal;
    struct attempts *attempts;
    struct places seen;     /* what the runs saw */
    struct places model;    /* empty without a model */
    tac_mine_result *mined; /* NULL when nothing can be told apart */
    cause_list all;         /* the campaign's, also those that are not searched for */
    struct earlier earlier; /* what is in the search's folder */
    tac_names folders;      /* that this search writes to */
};

/* Where the executions of one cause come from: the context of judge.execute. */
struct executor {
    struct hunt *hunt;
    const struct cause *cause;
    const char *scenario;
    tac_flow start;  /* of the run: where its devices stand */
    bool experiment; /* what follows is no longer for the search */
    /* the call under way */
    const struct script *script;
    bool replay;
    const uint64_t *seeds;
    uint32_t left; /* executions of it that have not ended */
};

/* causes.c: what is to be searched for, by the options. */
tac_status causes_of(const struct source *source, const tac_reproduce_options *options,
                     cause_list *out, tac_error *err);
void causes_all(const struct source *source, cause_list *out); /* of the campaign */
void causes_free(cause_list *list);

/* execute.c: executions on the devices, journalled. */
tac_status execute_on_devices(void *executor, const struct script *script, bool replay,
                              size_t count, tac_error *err);

/* hunt_cause.c: the whole search for one cause; its files go to this folder of the search's. The
 * result is filled in as far as it came. */
tac_status hunt_cause(struct hunt *hunt, const struct cause *cause, const char *folder,
                      tac_reproduction *out, tac_error *err);
/* guess.c: tries what the mined patterns of the cluster say, as sequences. */
tac_status reduce_by_patterns(struct hunt *hunt, struct judge *judge, const struct cause *cause,
                              struct trail *trail, tac_error *err);
/* counterfactual.c: puts before the failure what patterns and runs say prevents it. */
tac_status try_counterfactuals(struct hunt *hunt, struct judge *judge, const struct cause *cause,
                               const struct trail *trail, tac_reproduction *out, tac_error *err);
const tac_cluster_result *hunt_cluster(const struct hunt *hunt, const struct cause *cause);

/* write.c: the files of a cause, in a folder of this name. */
tac_status write_cause(struct hunt *hunt, const char *name, const struct script *script,
                       const tac_flow *start, tac_reproduction *out, tac_error *err);
/* result.c: what it holds. */
void reproduction_free(tac_reproduction *cause);
/* say.c: a step for a person, with its device where there are several; the caller's. */
char *say_step(const tac_flow_step *step, bool several);
bool say_devices(const struct step_table *steps); /* the campaign has several */
/* All of them, numbered, equal ones together: separated by `between`. The caller's. */
char *say_script(const struct step_table *steps, const struct script *script, const char *between);
