/* What the flow commands share: options, models, requirements and the engine made of them. */
#pragma once

#include "cli/command.h"
#include "tactus/flow.h"

struct flow_job {
    tac_model *model;
    tac_requirement **requirements;
    size_t requirement_count;
    tac_flow_options options;
    tac_flow_engine *engine;
};

/* Rows for option tables. Where a goal may give the length too, the option is not required. */
#define FLOW_LENGTH_ROW(is_required)                                                               \
    NUMBER("length", "N", 0, 1000000, "at most N events per flow", .letter = 'n',                  \
           .meaning = "at most N events per flow", .required = is_required)
#define FLOW_LENGTH FLOW_LENGTH_ROW(true)
#define FLOW_LENGTH_OR_GOAL FLOW_LENGTH_ROW(false)
#define FLOW_REQUIRE                                                                               \
    PATH("require", "R.xml", "keep only the flows that meet this requirement; may be repeated",    \
         .letter = 'r', .meaning = "a requirement on flows")
#define FLOW_WITNESS                                                                               \
    FLAG("witness", "the shortest prefixes that meet the requirement, instead of whole flows")
#define FLOW_KIND                                                                                  \
    CHOICE("kind", "KIND",                                                                         \
           CHOICES({"exit", TAC_FLOW_EXIT}, {"stuck", TAC_FLOW_STUCK},                             \
                   {"truncated", TAC_FLOW_TRUNCATED}, {"all", TAC_FLOW_ANY}),                      \
           "only the flows that end this way; default all")
#define FLOW_DISTINCT FLAG("distinct", "fold flows with equal events into one")
#define FLOW_INTERLEAVINGS                                                                         \
    CHOICE(                                                                                        \
        "interleavings", "WHICH", CHOICES({"one", false}, {"all", true}),                          \
        "of several devices: one per class of orders that nothing tells apart (default), or all")
#define FLOW_FORMAT                                                                                \
    CHOICE("format", "FORMAT", CHOICES({"text", false}, {"jsonl", true}),                          \
           "text: events separated by blanks (default); jsonl: what `tactus run` executes",        \
           .meaning = "how the result is shown")

/* Reads the options that the command has, the model files in the arguments and the requirements.
 * Prints every finding. Returns 0, or the exit code of the failure. The job must be freed. */
int flow_job_load(struct invocation *in, struct flow_job *job);
/* Makes the engine of a loaded job; requirements restrict the flows. */
int flow_job_start(struct invocation *in, struct flow_job *job);
void flow_job_free(struct flow_job *job);
