/* Which causes a campaign has: clusters of crashes, violated properties, steps that failed. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "reproduce/cause.h"

static struct cause *cause_named(cause_list *list, tac_failure_kind kind, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].kind == kind && !strcmp(list->at[i].name, name))
            return &list->at[i];
    struct cause cause = {
        .kind = kind, .name = name, .key = tac_format("%s %s", tac_failure_kind_name(kind), name)};
    tac_vec_push(list, cause);
    return &tac_vec_last(list);
}

static bool wanted(const tac_reproduce_options *options, const struct source_run *run,
                   tac_failure_kind kind, const char *name)
{
    if (options->run >= 0 && run->id != options->run)
        return false;
    if (options->property)
        return kind == TAC_FAILURE_PROPERTY && !strcmp(options->property, name);
    if (options->cluster)
        return kind != TAC_FAILURE_PROPERTY && !strcmp(options->cluster, name);
    return true;
}

static void add_run(cause_list *list, const struct source *source,
                    const tac_reproduce_options *options, size_t index)
{
    const struct source_run *run = &source->runs.at[index];
    const char *message = source_step_message(run->message);
    if (run->end == TAC_STORED_CRASH && wanted(options, run, TAC_FAILURE_CRASH, run->cluster))
        tac_vec_push(&cause_named(list, TAC_FAILURE_CRASH, run->cluster)->runs, index);
    if (run->end == TAC_STORED_FAIL && wanted(options, run, TAC_FAILURE_STEP, message))
        tac_vec_push(&cause_named(list, TAC_FAILURE_STEP, message)->runs, index);
    for (size_t i = 0; i < run->violated.count; i++)
        if (wanted(options, run, TAC_FAILURE_PROPERTY, run->violated.at[i]))
            tac_vec_push(&cause_named(list, TAC_FAILURE_PROPERTY, run->violated.at[i])->runs,
                         index);
}

/* Few runs, a stable insertion sort each. */
static void sort_runs(struct cause *cause, const struct source *source)
{
    for (size_t i = 1; i < cause->runs.count; i++) {
        size_t moved = cause->runs.at[i], to = i;
        for (;
             to > 0 && source->runs.at[cause->runs.at[to - 1]].steps > source->runs.at[moved].steps;
             to--)
            cause->runs.at[to] = cause->runs.at[to - 1];
        cause->runs.at[to] = moved;
    }
}

static void sort_causes(cause_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        struct cause moved = list->at[i];
        size_t to = i;
        for (; to > 0 && list->at[to - 1].runs.count < moved.runs.count; to--)
            list->at[to] = list->at[to - 1];
        list->at[to] = moved;
    }
}

static void sort_all(const struct source *source, cause_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        sort_runs(&list->at[i], source);
    sort_causes(list);
}

void causes_all(const struct source *source, cause_list *out)
{
    tac_reproduce_options all = {.run = -1};
    for (size_t i = 0; i < source->runs.count; i++)
        add_run(out, source, &all, i);
    sort_all(source, out);
}

/* Which name was meant; the campaign may have none. */
static tac_status refuse_name(const struct source *source, const tac_reproduce_options *options,
                              tac_error *err)
{
    cause_list list = {0};
    TAC_VEC(const char *) names = {0};
    bool property = options->property != NULL;
    const char *name = property ? options->property : options->cluster;
    causes_all(source, &list);
    for (size_t i = 0; i < list.count; i++)
        if ((list.at[i].kind == TAC_FAILURE_PROPERTY) == property)
            tac_vec_push(&names, list.at[i].name);
    const char *closest = tac_closest(name, names.at, names.count);
    if (!closest && names.count)
        closest = names.at[0];
    tac_status status =
        tac_fail(err, TAC_E_USAGE, "no run of the campaign %s '%.200s'%s%.200s%s",
                 property ? "violates a property" : "failed in a cluster", name,
                 closest ? "; one is '" : "", closest ? closest : "", closest ? "'" : "");
    tac_vec_free(&names);
    causes_free(&list);
    return status;
}

static tac_status check_run(const struct source *source, int64_t run, tac_error *err)
{
    for (size_t i = 0; i < source->runs.count; i++)
        if (source->runs.at[i].id == run)
            return TAC_OK;
    return tac_fail(err, TAC_E_USAGE, "the campaign has no run %lld; it has %zu", (long long)run,
                    source->runs.count);
}

tac_status causes_of(const struct source *source, const tac_reproduce_options *options,
                     cause_list *out, tac_error *err)
{
    tac_status status = options->run >= 0 ? check_run(source, options->run, err) : TAC_OK;
    for (size_t i = 0; i < source->runs.count && status == TAC_OK; i++)
        add_run(out, source, options, i);
    if (status == TAC_OK && !out->count && (options->property || options->cluster))
        status = refuse_name(source, options, err);
    if (status == TAC_OK && !out->count && options->run >= 0)
        status = tac_fail(err, TAC_E_USAGE, "run %lld of the campaign did not fail",
                          (long long)options->run);
    sort_all(source, out);
    return status;
}

void causes_free(cause_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        tac_vec_free(&list->at[i].runs);
        free(list->at[i].key);
    }
    tac_vec_free(list);
}
