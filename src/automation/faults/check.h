/* The analyses, one file per kind of fault, and what they share. */
#pragma once

#include "automation/model/model.h"
#include "automation/simulate/play.h"
#include "automation/solve/paths.h"
#include "automation/solve/solve.h"

typedef TAC_VEC(tac_automation_finding) finding_list;

struct checker {
    const tac_automation_model *model;
    struct solver solver;
    struct path_list *paths; /* by automation */
    bool *silent;            /* by automation: disabled, or never fires */
    bool possible;
    finding_list found;
    tac_watch *watch;
    bool stopped;
};

/* A new finding without places; the pointer is valid until the next one. */
tac_automation_finding *report(struct checker *checker, tac_automation_class which, bool exact,
                               const char *format, ...) TAC_PRINTF(4, 5);
void report_place(struct checker *checker, tac_automation_finding *finding, uint32_t automation,
                  struct place place);
void report_entity(struct checker *checker, tac_automation_finding *finding, uint32_t entity);

bool checker_tick(struct checker *checker, const char *what, size_t done);
/* The demands of a path up to its write, as conditions that the solver takes. Count returned. */
size_t path_demands(const struct path *path, size_t write, const struct trigger *trigger,
                    const struct event *event, struct demand *out, size_t most);
enum { MOST_DEMANDS = 64 };

/* story.c: plays the situation that the solver found and then the event, in a new simulation,
 * which the caller closes. False: no date fits. */
bool story_begin(struct checker *checker, const struct event *event, struct play *sim,
                 double *origin);
/* The event happens (again): its entity first goes back. */
void story_event(struct play *sim, const struct event *event);
void story_keep(struct checker *checker, tac_automation_finding *finding, const struct play *sim,
                double origin);
const char *event_text(struct checker *checker, const struct event *event, char *buffer,
                       size_t size);

void find_unreachable(struct checker *checker);       /* reach.c */
void find_dead_branches(struct checker *checker);     /* branches.c */
void find_dead_alternatives(struct checker *checker); /* alternatives.c */
void find_impossible(struct checker *checker);        /* impossible.c */
void find_duplicates(struct checker *checker);        /* names.c */
void find_unknown(struct checker *checker);           /* names.c */
void find_opposite(struct checker *checker);          /* opposite.c */
void find_ignored(struct checker *checker);           /* ignored.c */
void find_no_hysteresis(struct checker *checker);     /* hysteresis.c */
void find_loops(struct checker *checker);             /* loops.c */
void find_redundant(struct checker *checker);         /* redundant.c */

/* impossible.c: the first impossible text of a set; NULL: none. */
const char *first_impossible(const struct entity *entity, const struct text_set *set);
bool all_impossible(const struct entity *entity, const struct text_set *set);
const char *states_text(const struct entity *entity, char *buffer, size_t size);
