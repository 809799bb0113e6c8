/* The parts of the report's document and what they share.
 *
 * Runs of several campaigns are numbered through: run r of campaign c is first_run(c) + r. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "report/project/finding.h"
#include "report/report.h"
#include "store/store.h"

/* What the details of a run's row tell: a line for each text, with its key there. */
#define REPORT_RUN_DETAILS(text)                                                                   \
    text(on, "on")                   /* the device that failed, of several */                      \
        text(device, "ran_on")       /* where it ran */                                            \
        text(version, "app_version") /* of the app; its trace may say it, too */                   \
        text(place, "place")         /* of a crash whose source was read */                        \
        text(finding, "finding")     /* the identity of a crash */

/* Texts are the campaign's, and "" where there is nothing to tell. */
struct report_run {
    tac_store_run row; /* its trace is "" when it cannot be believed; it has no details */
#define DECLARE_TEXT(name, key) const char *name;
    REPORT_RUN_DETAILS(DECLARE_TEXT)
#undef DECLARE_TEXT
    const char *stack; /* of a crash, lines */
    char *answers;     /* a letter for each property of the campaign, see evidence.h */
    double *figures;   /* the deciding value of each; NaN = none; NULL = no trace was read */
    bool cited;        /* something that the report says leads here */
};

/* A trace that is not what was written. */
struct report_damage {
    int64_t run; /* within its campaign */
    char *file, *what;
};

struct report_campaign {
    char *folder;
    char *label; /* "" for the project folder itself */
    tac_store *store;
    size_t first_run;                /* number of its run 0 in the report */
    size_t first_property;           /* of its properties in the document */
    tac_arena texts;                 /* of the runs */
    TAC_VEC(struct report_run) runs; /* in order of id */
    TAC_VEC(struct report_damage) damaged;
    struct coverage *coverage; /* of its model, once walked; or NULL */
    tac_names events;          /* that occur in its traces */
};

struct report_project {
    const tac_report_options *options;
    TAC_VEC(struct report_campaign) campaigns;
    struct finding_set findings;
};

/* How much of a model was executed. */
struct model_figures {
    const char *name; /* the model's */
    size_t states, visited, transitions, taken;
};

struct tac_report {
    struct report_project project;
    TAC_VEC(struct report_project) baselines;
    json_t *document;
    json_t *trends;    /* of the document; properties and causes add to it */
    json_t *gates;     /* of the document */
    bool incomparable; /* some campaign and its baseline have nothing in common */
    /* What later parts know of earlier ones. */
    size_t runs;
    size_t cut_curves, cut_intervals; /* properties that the document has not all of */
    tac_names variables;              /* that properties bound, in their order */
    TAC_VEC(struct model_figures) models;
};

/* project.c */
tac_status report_project_open(struct report_project *project, const char *folder, tac_error *err);
void report_project_close(struct report_project *project);
/* A finding and an entry of "damaged_traces" for every trace that was left out. */
void report_add_damage(struct report_project *project, json_t *document);
/* NULL when the report has no such run. */
struct report_run *report_find_run(const struct report_project *project, size_t number,
                                   struct report_campaign **campaign);
/* The campaign of the same name, or the only one where both sides have one; or NULL. */
struct report_campaign *report_counterpart(const struct report_project *project, size_t index,
                                           const struct report_project *other);

/* DIR/NAME of a campaign; the caller's. */
char *report_path(const struct report_campaign *campaign, const char *name);
/* The file with the properties as the reader knows it: the one that the runs were started with
 * where it is still what it was, else the campaign's copy; the caller's. */
char *report_property_file(const struct report_campaign *campaign);
/* Bytes as base64 text; the caller's. */
char *report_base64(const unsigned char *data, size_t size);
