/* Verdicts for people's pipelines: --junit, --sarif, --summary and --annotations of the commands
 * that judge something. A command adds a case for each thing it judged, good or bad, and writes
 * them all at its end. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "cli/command.h"
#include "findings/findings.h"
#include "findings/known.h"

#define PIPELINE_OPTIONS                                                                           \
    PATH("junit", "FILE", "also write the verdicts as JUnit XML, for build servers"),              \
        PATH("sarif", "FILE", "also write what was found as SARIF 2.1.0, for code hosts"),         \
        PATH("summary", "FILE",                                                                    \
             "also write the verdicts as Markdown, for the summary of a pipeline"),                \
        FLAG("annotations",                                                                        \
             "also print what was found as annotations of GitHub, on standard error")
#define KNOWN_OPTIONS                                                                              \
    FLAG("intended", "also show what tactus.known says is intended, as known",                     \
         .meaning = "show what is intended")

/* A zeroed struct is empty. Texts are copied. */
struct pipeline {
    tac_arena arena;
    TAC_VEC(struct finding_rule) rules;
    TAC_VEC(struct finding_entry) entries;
    TAC_VEC(struct finding_place) places; /* of the entries, in their order */
    struct known_list known;              /* of commands with KNOWN_OPTIONS */
    size_t bad, excused; /* once finished: what is wrong, and what of it is known */
    const char *undone;  /* what could not be done, or NULL */
    const struct piped
        *piped; /* inputs are told by the names that these were given by; may be NULL */
};

/* A text that lives as long as the list. */
#define pipeline_text(p, ...) tac_arena_format(&(p)->arena, __VA_ARGS__)
/* Is any of the options given? Without, nothing needs to be added. */
bool pipeline_wanted(const struct invocation *in);
/* Reads what is known, for commands with KNOWN_OPTIONS; *needed: somebody asks for the list. */
tac_status pipeline_open(const struct invocation *in, struct pipeline *p, bool *needed,
                         tac_error *err);
/* The exit code once all that is known is excused; unclear: something else could not be told. */
int pipeline_exit_code(const struct pipeline *p, int code, bool unclear);
/* What the options ask for, of a command that ends without a list: that it could not be done. */
void pipeline_write_failure(const struct invocation *in, const char *what);
/* What the entry added last took, and a file that belongs to it. */
void pipeline_time(struct pipeline *p, double seconds);
void pipeline_attach(struct pipeline *p, const char *path);
/* A kind of finding, once; text says what findings of this kind are. */
void pipeline_rule(struct pipeline *p, const char *id, const char *text);
/* name: what was judged; fingerprint: the same for the same finding of another day. */
void pipeline_add(struct pipeline *p, enum finding_level level, const char *rule, const char *name,
                  const char *text, const char *detail, const char *fingerprint);
/* The identity of the entry added last, where it is not that of rule and fingerprint. */
void pipeline_identify(struct pipeline *p, const char *id);
/* That of a violated property, wherever it was met. */
void pipeline_identify_property(struct pipeline *p, const char *property);
/* A place of the entry added last; the first is where it is. */
void pipeline_place(struct pipeline *p, const char *file, size_t line);
/* Writes what the options ask for and frees the list. */
tac_status pipeline_finish(const struct invocation *in, struct pipeline *p, const char *title,
                           tac_error *err);
void pipeline_free(struct pipeline *p); /* for who ends without finishing */
/* Writes what the options ask for of a list that somebody else has. */
tac_status pipeline_write(const struct invocation *in, const struct finding_list *list,
                          tac_error *err);
