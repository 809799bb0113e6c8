/* The findings of a report, by what to do first.
 *
 * Ranks are in the order of the page: a crash is looked at before a violation, what was never
 * exercised before what is fine. Within a rank the weight decides, then the order of discovery. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "findings/findings.h"
#include "report/report.h"
#include "tactus/error.h"
#include <jansson.h>
#include <stdbool.h>

enum finding_rank {
    RANK_CRASH,     /* one per cause */
    RANK_VIOLATION, /* of a property */
    RANK_FAULT,     /* of rules, protocol */
    RANK_WORSE,     /* than the baseline */
    RANK_VACUOUS,   /* never exercised */
    RANK_UNCLEAR,
    RANK_BETTER, /* than the baseline */
    RANK_KNOWN,  /* bad, and known for long */
    RANK_FINE
};

struct report_finding {
    enum finding_rank rank;
    double weight;        /* greater first */
    const char *text;     /* this and those below are the set's */
    const char *detail;   /* "" when there is none */
    const char *link;     /* of the page: "#property-NAME"; "" */
    const char *subject;  /* what it is about: a property, a cause; "" */
    const char *file;     /* where to look in the sources; "" */
    const char *command;  /* how the reader looks further; "" */
    const char *campaign; /* of several, the one it is about; "" */
    const char *id;       /* its identity, see findings/identity.h */
    const char *known;    /* by whom, until when, why; "" */
    size_t line;
    bool is_new; /* the baseline does not have it */
    size_t order;
};

struct finding_set {
    tac_arena texts;
    TAC_VEC(struct report_finding) at;
};

/* What a finding is made of; texts are copied, NULL is "". */
struct finding_parts {
    enum finding_rank rank;
    double weight;
    const char *detail, *link, *subject, *file, *command, *campaign;
    const char *id; /* NULL or "": of its rank, and its subject or text */
    size_t line;
    bool is_new;
};

/* Text as printf. */
void finding_add(struct finding_set *set, const struct finding_parts *parts, const char *format,
                 ...) __attribute__((format(printf, 3, 4)));
/* What is bad and known becomes RANK_KNOWN, or goes. */
void finding_excuse(struct finding_set *set, const tac_report_options *options);
void finding_sort(struct finding_set *set);
void finding_set_free(struct finding_set *set);
/* The list of the document; the caller's. */
json_t *finding_set_json(const struct finding_set *set);
typedef tac_status report_list_use(const struct finding_list *list, void *context, tac_error *err);
/* As a list for other tools, which lives as long as the call of use. */
tac_status finding_set_use_list(const struct finding_set *set, const char *title,
                                report_list_use *use, void *context, tac_error *err);
