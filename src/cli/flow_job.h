/* What the flow commands share: options, models, requirements and the engine made of them. */
#ifndef TAC_CLI_FLOW_JOB_H
#define TAC_CLI_FLOW_JOB_H

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
    {                                                                                              \
        .name = "length", .meaning = "at most N events per flow", .letter = 'n',                   \
        .kind = OPTION_NUMBER, .argument = "N", .help = "at most N events per flow", .least = 0,   \
        .most = 1000000, .required = is_required                                                   \
    }
#define FLOW_LENGTH FLOW_LENGTH_ROW(true)
#define FLOW_LENGTH_OR_GOAL FLOW_LENGTH_ROW(false)
#define FLOW_REQUIRE                                                                               \
    {                                                                                              \
        .name = "require", .meaning = "a requirement on flows", .letter = 'r',                     \
        .kind = OPTION_FILE, .argument = "R.xml",                                                  \
        .help = "keep only the flows that meet this requirement; may be repeated"                  \
    }
#define FLOW_WITNESS                                                                               \
    {                                                                                              \
        .name = "witness", .kind = OPTION_FLAG,                                                    \
        .help = "the shortest prefixes that meet the requirement, instead of whole flows"          \
    }
#define FLOW_KIND                                                                                  \
    {                                                                                              \
        .name = "kind", .kind = OPTION_CHOICE, .argument = "KIND",                                 \
        .help = "only the flows that end this way; default all",                                   \
        .choices = "exit|stuck|truncated|all"                                                      \
    }
#define FLOW_DISTINCT                                                                              \
    {                                                                                              \
        .name = "distinct", .kind = OPTION_FLAG, .help = "fold flows with equal events into one"   \
    }
#define FLOW_INTERLEAVINGS                                                                         \
    {                                                                                              \
        .name = "interleavings", .kind = OPTION_CHOICE, .argument = "WHICH",                       \
        .help = "of several devices: one per class of equivalent orders (default), or all",        \
        .choices = "one|all"                                                                       \
    }
#define FLOW_FORMAT                                                                                \
    {                                                                                              \
        .name = "format", .meaning = "how the result is shown", .kind = OPTION_CHOICE,             \
        .argument = "FORMAT",                                                                      \
        .help = "text: events separated by blanks (default); jsonl: what `tactus run` executes",   \
        .choices = "text|jsonl"                                                                    \
    }

/* Reads the options that the command has, the model files in the arguments and the requirements.
 * Prints every finding. Returns 0, or the exit code of the failure. The job must be freed. */
int flow_job_load(struct invocation *in, struct flow_job *job);
/* Makes the engine of a loaded job; requirements restrict the flows. */
int flow_job_start(struct invocation *in, struct flow_job *job);
void flow_job_free(struct flow_job *job);

#endif
