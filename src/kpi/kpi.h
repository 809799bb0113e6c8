/* Key performance indicators: what apps of one kind are compared by.
 *
 * A catalogue (docs/kpi.md) lists features that apps of the kind may have, KPIs of four domains,
 * and test cases. An app declares which features it has and what their events are called in it; it
 * is measured by the KPIs, and tested by the cases, whose features it has. */
#pragma once

#include "tactus/model.h"
#include "tactus/verdict.h"
#include "tactus/watch.h"

typedef enum tac_kpi_domain {
    TAC_KPI_ENERGY,
    TAC_KPI_DATA,
    TAC_KPI_PERFORMANCE,
    TAC_KPI_RELIABILITY
} tac_kpi_domain;
#define TAC_KPI_DOMAINS 4

const char *tac_kpi_domain_name(tac_kpi_domain domain); /* "energy", ... */

typedef struct tac_kpi_catalogue tac_kpi_catalogue;
typedef struct tac_kpi_app tac_kpi_app;

/* Every formula is checked. Errors name the place in the file. */
tac_status tac_kpi_catalogue_load(const char *path, tac_kpi_catalogue **out, tac_error *err);
void tac_kpi_catalogue_free(tac_kpi_catalogue *catalogue); /* NULL is fine */
const char *tac_kpi_catalogue_name(const tac_kpi_catalogue *catalogue);

/* A declaration is read against a catalogue, which must outlive it. */
tac_status tac_kpi_app_load(const char *path, const tac_kpi_catalogue *catalogue, tac_kpi_app **out,
                            tac_error *err);
/* An app with every feature of the catalogue whose events have the catalogue's names. */
tac_kpi_app *tac_kpi_app_with_all(const char *name, const tac_kpi_catalogue *catalogue);
void tac_kpi_app_free(tac_kpi_app *app); /* NULL is fine */
const char *tac_kpi_app_name(const tac_kpi_app *app);

/* --- Choosing --- */

/* A KPI or a test case, and whether the app has its features. */
typedef struct tac_kpi_choice {
    const char *name;   /* borrowed from the catalogue */
    const char *domain; /* NULL for a test case */
    const char *about;  /* "" when the catalogue says nothing */
    bool chosen;
    char *reason; /* why not; "" when it is chosen */
} tac_kpi_choice;

typedef struct tac_kpi_choices {
    tac_kpi_choice *kpis, *cases;
    size_t kpi_count, case_count;
} tac_kpi_choices;

void tac_kpi_choose(const tac_kpi_catalogue *catalogue, const tac_kpi_app *app,
                    tac_kpi_choices *out);
void tac_kpi_choices_free(tac_kpi_choices *choices);
/* {"catalogue","app","kpis":[{"name","domain","chosen","reason"}],"cases":[...]}; the caller's. */
json_t *tac_kpi_choices_json(const tac_kpi_catalogue *catalogue, const tac_kpi_app *app,
                             const tac_kpi_choices *choices);

/* Writes one flow per chosen test case, the shortest of the model that does its steps in order, as
 * JSON Lines for a campaign. A case that no flow within `length` events does is left out: it is no
 * longer chosen, and its reason says so. */
tac_status tac_kpi_write_flows(const tac_kpi_catalogue *catalogue, const tac_kpi_app *app,
                               const tac_model *model, uint32_t length, tac_kpi_choices *choices,
                               FILE *out, tac_watch *watch, tac_error *err);

/* --- Scoring --- */

typedef struct tac_kpi_subject {
    const char *campaign;   /* a folder, or an address of a database */
    const tac_kpi_app *app; /* what was run there */
} tac_kpi_subject;

typedef struct tac_kpi_options {
    const tac_kpi_catalogue *catalogue;
    const tac_kpi_subject *subjects, *references;
    size_t subject_count, reference_count; /* no reference: each against the other subjects */
    tac_watch *watch;                      /* may be NULL */
} tac_kpi_options;

typedef enum tac_kpi_state {
    TAC_KPI_MEASURED,
    TAC_KPI_SKIPPED,    /* the app lacks a feature */
    TAC_KPI_UNMEASURED, /* no run says anything; the reason tells why */
} tac_kpi_state;

/* One KPI of one subject. Figures are NaN where they are not known. */
typedef struct tac_kpi_figure {
    const char *name;
    tac_kpi_domain domain;
    tac_kpi_state state;
    char *reason;            /* of a state other than measured; "" */
    size_t runs;             /* that gave a value */
    size_t silent;           /* that did not */
    bool share;              /* value is the share of runs; otherwise the mean over runs */
    double value, low, high; /* with a 95 % interval: Wilson's of a share, Student's of a mean */
    char *unit;
    const char *requirement; /* as written */
    tac_answer answer;       /* inconclusive: the interval holds the bound, or nothing is known */
    double score, score_low, score_high; /* against the references, 0 to 100 */
    size_t reference_runs;
} tac_kpi_figure;

typedef struct tac_kpi_score_of {
    double score, low, high; /* means over the KPIs that have a score */
    size_t counted;          /* of them */
    size_t left_out;         /* KPIs of the domain without one */
} tac_kpi_score_of;

typedef struct tac_kpi_result {
    const char *name, *campaign; /* borrowed from the subject */
    size_t runs;
    tac_kpi_figure *figures;                            /* one per KPI, in the catalogue's order */
    tac_kpi_score_of domains[TAC_KPI_DOMAINS], overall; /* overall: mean of the domains */
    size_t rank;                                        /* by overall, from 1; 0 without a score */
    bool told_apart; /* from the next better: the intervals do not overlap */
} tac_kpi_result;

typedef struct tac_kpi_report {
    tac_kpi_result *results; /* in the order of the subjects */
    size_t count, figure_count;
    bool against_each_other;
} tac_kpi_report;

/* The options' catalogue, apps and texts must outlive the report. */
tac_status tac_kpi_score(const tac_kpi_options *options, tac_kpi_report **out, tac_error *err);
void tac_kpi_report_free(tac_kpi_report *report); /* NULL is fine */
/* Violated: a requirement is missed; inconclusive: one is not decided. */
tac_answer tac_kpi_report_answer(const tac_kpi_report *report);
/* What is known of one KPI, in a line: "2.2 W, mean of 10 runs ..., < 2 W: MISSED", or why nothing
 * is; the caller's. */
char *tac_kpi_figure_text(const tac_kpi_figure *figure);
json_t *tac_kpi_report_json(const tac_kpi_catalogue *catalogue, const tac_kpi_report *report);
void tac_kpi_report_text(const tac_kpi_catalogue *catalogue, const tac_kpi_report *report,
                         FILE *out);
