/* Findings of any analysis in the forms that other tools read: SARIF 2.1.0 for code hosts, JUnit
 * XML for build servers, Markdown for people.
 *
 * A list is typed and borrowed; every text may come from an app and is written as text. Places are
 * files as the reader knows them: relative paths stay relative. */
#pragma once

#include "tactus/error.h"
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* Wrong; wrong but mild; nobody knows; worth knowing; wrong, and known for long; not tested here,
 * elsewhere it was; fine. */
enum finding_level {
    FINDING_ERROR,
    FINDING_MILD,
    FINDING_UNCLEAR,
    FINDING_NOTE,
    FINDING_KNOWN,
    FINDING_ELSEWHERE,
    FINDING_PASS
};

struct finding_place {
    const char *file;
    size_t line; /* 0 = the whole file */
};

struct finding_entry {
    enum finding_level level;
    const char *rule;        /* the kind of finding, a word: "crash" */
    const char *name;        /* what it is about: a property, a cause */
    const char *text;        /* one sentence */
    const char *detail;      /* more, several lines are fine; "" or NULL when there is none */
    const char *fingerprint; /* the same for the same finding of another day */
    const char *id;          /* its identity, 12 digits; "" or NULL: of rule and fingerprint */
    const char *known;       /* FINDING_KNOWN: by whom, until when, why */
    const char *attachments; /* paths, a line each; "" or NULL when there are none */
    double seconds;          /* what was judged took; NaN or 0: nobody says */
    const struct finding_place *places; /* the first is where, the others are related */
    size_t place_count;
};

struct finding_rule {
    const char *id;
    const char *text; /* what findings of this kind are; NULL = only the id */
};

struct finding_list {
    const char *title;
    const struct finding_rule *rules;
    size_t rule_count;
    const struct finding_entry *at;
    size_t count;
    const char *undone; /* what could not be done, so that findings may be missing; or NULL */
};

/* The identity of an entry, of FINDING_ID characters. */
void finding_entry_id(const struct finding_entry *entry, char *id);
/* For every entry: how many have its kind, level and fingerprint, 0 for all but the first of those;
 * the caller's. */
size_t *findings_occurrences(const struct finding_list *list);
/* The document; the caller's. What is fine, or tested elsewhere, is not in it: code hosts show
 * every result as an alert. A finding that was seen several times is one result, with its count.
 * Its "runs" has one entry, so that lists can be joined. */
json_t *findings_sarif(const struct finding_list *list);
/* One suite; what is wrong is a failure, what is unclear a skipped case. */
tac_status findings_junit(const struct finding_list *list, FILE *out, tac_error *err);
/* Annotations of GitHub's pull requests, a line each; what was seen several times is one. */
void findings_annotations(const struct finding_list *list, FILE *out);
tac_status findings_markdown(const struct finding_list *list, FILE *out, tac_error *err);
