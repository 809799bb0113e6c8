/* See protocol_io.h. */
#include "cli/protocol_io.h"
#include "base/data/alloc.h"
#include "base/data/vec.h"
#include "base/verdict.h"
#include "cli/protocol_cases.h"
#include <string.h>

static void split_commas(const char *text, char ***list, size_t *count)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length) {
            *list = tac_realloc(*list, *count + 1, sizeof **list);
            (*list)[(*count)++] = tac_strndup(text, length);
        }
        if (!text[length])
            return;
        text += length + 1;
    }
}

tac_status protocol_read_files(const char *names, tac_protocol_rules **out,
                               tac_diagnostics *diagnostics, tac_error *err)
{
    char **files = NULL;
    size_t count = 0;
    split_commas(names, &files, &count);
    tac_status status =
        tac_protocol_rules_read((const char *const *)files, count, out, diagnostics, err);
    for (size_t i = 0; i < count; i++)
        free(files[i]);
    free(files);
    return status;
}

int protocol_load_rules(struct invocation *in, tac_protocol_rules **out)
{
    const char *list = option_text(in, "rules-list");
    size_t given = option_count(in, "rules");
    if (!list == !given)
        return fail_usage(in, "give the rules with --rules FILE,... or with --rules-list LIST");
    if (option_text(in, "rules-root") && !list)
        return fail_usage(in, "--rules-root goes with --rules-list");
    char **files = NULL;
    size_t count = 0;
    for (size_t i = 0; i < given; i++)
        split_commas(option_value(in, "rules", i), &files, &count);
    tac_diagnostics diagnostics = {0};
    tac_error err;
    tac_status status =
        list ? tac_protocol_rules_read_list(list, option_text(in, "rules-root"), out, &diagnostics,
                                            &err)
             : tac_protocol_rules_read((const char *const *)files, count, out, &diagnostics, &err);
    int code = 0;
    if (status != TAC_OK) {
        if (diagnostics.errors > 1)
            print_diagnostics(&diagnostics);
        code = fail(in, &err);
    } else {
        print_diagnostics(&diagnostics);
    }
    tac_diagnostics_free(&diagnostics);
    for (size_t i = 0; i < count; i++)
        free(files[i]);
    free(files);
    return code;
}

bool protocol_options(struct invocation *in, tac_protocol_options *out)
{
    int model = option_choice(in, "framework-model", TAC_MODEL_LIFESTATE);
    *out = (tac_protocol_options){.watch = in->watch,
                                  .as_recorded = option_flag(in, "as-recorded"),
                                  .paper_conflicts = option_choice(in, "conflict", false)};
    if (model != EVERY_MODEL)
        out->model = (tac_protocol_model)model;
    return model != EVERY_MODEL;
}

bool protocol_is_corpus(struct invocation *in)
{
    return in->arg_count > 1 || option_text(in, "time-limit") || option_text(in, "memory") ||
           option_choice(in, "framework-model", TAC_MODEL_LIFESTATE) == EVERY_MODEL;
}

static void write_table(FILE *out, void *table)
{
    tac_protocol_table_text(table, out);
}

int protocol_run_corpus(struct invocation *in, bool validate)
{
    tac_protocol_rules *rules = NULL;
    tac_protocol_options options;
    int code = protocol_load_rules(in, &rules);
    if (code)
        return code;
    bool one_model = protocol_options(in, &options);
    if (!validate) {
        options.target = option_text(in, "target");
        options.trust_rules = option_flag(in, "trust-rules");
        options.every_witness = pipeline_wanted(in);
        options.engine = (tac_protocol_engine)option_choice(in, "engine", TAC_ENGINE_AUTO);
    }
    tac_protocol_corpus corpus = {
        .traces = in->args,
        .count = in->arg_count,
        .validate = validate,
        .all_models = !one_model,
        .options = &options,
        .triage = validate ? NULL : option_text(in, "triage"),
        .jobs = in->jobs,
        .time_limit = option_real(in, "time-limit", 0),
        .memory_limit = (uint64_t)option_number(in, "memory", 0) << 20,
    };
    tac_protocol_table *table = NULL;
    tac_error err;
    if (tac_protocol_corpus_run(rules, &corpus, &table, &err) != TAC_OK) {
        code = fail(in, &err);
    } else if (!validate && pipeline_wanted(in) &&
               protocol_cases_corpus(in, table, &err) != TAC_OK) {
        code = fail(in, &err);
    } else {
        code = tac_answer_exit_code(tac_protocol_table_answer(table));
        code = in->json ? finish_json(in, tac_protocol_table_json(table), code)
                        : finish_text(in, write_table, table, code);
    }
    tac_protocol_table_free(table);
    tac_protocol_rules_free(rules);
    return code;
}
