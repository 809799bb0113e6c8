/* A catalogue in memory, and how its formulas become properties of one app. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "kpi/kpi.h"
#include "tactus/property.h"

typedef TAC_VEC(const char *) kpi_texts;
typedef TAC_VEC(size_t) kpi_indices;

struct kpi_feature {
    const char *name, *about;
    kpi_texts events; /* names that formulas and cases use */
};

enum kpi_kind {
    KPI_PROPERTY, /* share of runs in which it holds */
    KPI_FIGURE,   /* mean over runs of the mean over the run's intervals */
    KPI_PASSES,   /* share of runs that passed */
    KPI_SURVIVES  /* share of runs that did not crash */
};

struct kpi {
    const char *name, *about, *requirement;
    tac_kpi_domain domain;
    kpi_indices features;
    enum kpi_kind kind;
    const char *formula; /* of a property or figure, with $EVENT; NULL otherwise */
    double least_share;  /* of runs; all kinds but figures */
    double tolerance; /* of figures: a difference that does not matter, as a share of the bound */
    bool more_is_better;
};

struct kpi_case {
    const char *name, *about;
    kpi_indices features;
    kpi_texts steps; /* events of the features */
};

struct tac_kpi_catalogue {
    tac_arena texts; /* all of them */
    const char *name;
    const char *declarations; /* statements in front of every formula */
    TAC_VEC(struct kpi_feature) features;
    TAC_VEC(struct kpi) kpis;
    TAC_VEC(struct kpi_case) cases;
    tac_kpi_app *own; /* has every feature, by the catalogue's own names */
};

struct tac_kpi_app {
    tac_arena texts; /* all of them */
    const char *name;
    const tac_kpi_catalogue *catalogue;
    bool *has;     /* feature */
    kpi_texts *of; /* feature: the app's event for each of its events; empty when it lacks it */
};

/* SIZE_MAX when there is none. */
size_t kpi_find_feature(const tac_kpi_catalogue *catalogue, const char *name);
/* The app's name of an event that one of these features has; NULL when none has it. */
const char *kpi_event_of(const tac_kpi_app *app, const kpi_indices *features, const char *event);
/* The property of a KPI for this app; only for kinds with a formula, and features the app has. */
tac_status kpi_property(const tac_kpi_app *app, const struct kpi *kpi, tac_properties **out,
                        tac_error *err);
/* "" or why the app is not measured by this: the features that it lacks; the caller's. */
char *kpi_lacks(const tac_kpi_app *app, const kpi_indices *features);

extern const char *const kpi_domain_words[TAC_KPI_DOMAINS];
