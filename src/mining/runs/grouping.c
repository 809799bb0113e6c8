/* Failures by their crashes: the clusters of a set.
 *
 * A crash is named when its run is read. What only the whole set can tell is found afterwards: a
 * frame that is in every crash of five or more clusters is infrastructure, so the next frame of the
 * app decides instead. */
#include "base/check.h"
#include "base/data/text.h"
#include "mining/runs/runs.h"

enum { LEARNT_FROM = 5 }; /* clusters; fewer may share a frame by chance */

void crash_list_make(struct crash_list *list, const char *packages, const char *framework)
{
    record_reader_open(&list->reader.records);
    list->packages = packages ? tac_strdup(packages) : NULL;
    list->framework = framework ? tac_strdup(framework) : NULL;
    list->reader.packages = list->packages;
    list->reader.framework = list->framework;
}

void crash_list_free(struct crash_list *list)
{
    record_reader_close(&list->reader.records);
    name_mapping_free(list->mapping);
    free(list->packages);
    free(list->framework);
    tac_arena_free(&list->arena);
    tac_names_free(&list->keys);
    tac_names_free(&list->common);
    tac_names_free(&list->places);
    tac_names_free(&list->things);
    tac_names_free(&list->taken);
    tac_vec_free(&list->names);
    tac_vec_free(&list->named);
    tac_vec_free(&list->at);
    tac_vec_free(&list->cluster);
    tac_vec_free(&list->frame);
}

static bool is_common(void *context, const char *name)
{
    const struct crash_list *list = context;
    return tac_names_find(&list->common, name) != TAC_NONE;
}

/* What is one has one name, the one that its first crash has; of two that would be called alike the
 * second has its statement, too. */
static const char *name_of_thing(struct crash_list *list, const struct crash *crash,
                                 const char *place, char *name)
{
    tac_str key = {0};
    tac_str_addf(&key, "%s\n%s", crash->exception, place);
    uint32_t id = tac_names_intern_bytes(&list->things, key.text, key.length);
    if (id == list->names.count) {
        const char *statement = strstr(crash->place, "): ");
        bool taken = statement && tac_names_find(&list->taken, name) != TAC_NONE;
        const char *own = tac_arena_format(&list->arena, "%s%s", name, taken ? statement + 1 : "");
        tac_names_intern(&list->taken, own);
        tac_vec_push(&list->names, own);
    }
    tac_str_free(&key);
    return list->names.at[id];
}

/* Frames that are common decide nothing, unless there is no other. */
static char *name_in_list(struct crash_list *list, const struct crash *crash)
{
    uint32_t other = crash_deciding_frame(&list->reader, crash, is_common, list);
    common_frame *common = other == TAC_NONE ? NULL : is_common;
    char *name = crash_name(&list->reader, crash, common, list);
    char *place = crash_place(&list->reader, crash, common, list);
    char *kept = tac_strdup(name_of_thing(list, crash, place, name));
    free(place);
    free(name);
    return kept;
}

static bool is_nameless(const char *name)
{
    return tac_ends_with(name, "<anonymous>");
}

/* A function without a name is called after what refers to it, which V8 guesses anew each time it
 * loads the script: what is nameless in one of two stacks is one function by its place. */
static void call_alike(const struct crash_list *list, struct crash *crash)
{
    for (uint32_t i = 0; i < crash->frame_count; i++) {
        struct stack_frame *frame = &crash->frames[i];
        uint32_t place = frame->place ? tac_names_find(&list->places, frame->place) : TAC_NONE;
        const char *known = place == TAC_NONE ? NULL : list->named.at[place];
        if (known && (is_nameless(known) || is_nameless(frame->name)))
            frame->name = known;
    }
}

static void learn_places(struct crash_list *list, const struct crash *crash)
{
    for (uint32_t i = 0; i < crash->frame_count; i++) {
        const char *place = crash->frames[i].place;
        if (place && tac_names_intern(&list->places, place) == list->named.count)
            tac_vec_push(&list->named, tac_arena_strdup(&list->arena, crash->frames[i].name));
    }
    assert(list->places.count == list->named.count);
}

/* A copy that lives as long as the list. */
static struct crash keep_crash(struct crash_list *list, const struct crash *crash)
{
    struct crash kept = *crash;
    kept.exception = tac_arena_strdup(&list->arena, crash->exception);
    kept.process = tac_arena_strdup(&list->arena, crash->process);
    kept.subject = tac_arena_strdup(&list->arena, crash->subject);
    kept.message = tac_arena_strdup(&list->arena, crash->message);
    kept.place = tac_arena_strdup(&list->arena, crash->place);
    kept.frames = tac_arena_alloc(&list->arena, (crash->frame_count + 1) * sizeof *kept.frames);
    for (uint32_t i = 0; i < crash->frame_count; i++) {
        kept.frames[i] = crash->frames[i];
        kept.frames[i].name = tac_arena_strdup(&list->arena, crash->frames[i].name);
        char *steady = crash->frames[i].place ? crash_frame_place(&crash->frames[i]) : NULL;
        kept.frames[i].steady = steady ? tac_arena_strdup(&list->arena, steady) : NULL;
        free(steady);
        kept.frames[i].place = NULL; /* learnt */
    }
    return kept;
}

/* Reads it, with what the outcome knows beside the stack. */
static void read_outcome(const struct crash_list *list, const struct run_outcome *outcome,
                         tac_arena *scratch, struct crash *out)
{
    read_crash(&list->reader, outcome->exception, outcome->stack, scratch, out);
    out->place = outcome->place ? outcome->place : "";
    const char *message = outcome->message ? outcome->message : out->message;
    tac_str steady = {0};
    for (const char *c = list->reader.by == TAC_CLUSTER_BY_MESSAGE ? message : ""; *c; c++)
        if (*c < '0' || *c > '9' || c == message || c[-1] < '0' || c[-1] > '9')
            tac_str_add_char(&steady, *c >= '0' && *c <= '9' ? '0' : *c);
    out->message = tac_arena_strdup(scratch, tac_str_text(&steady));
    tac_str_free(&steady);
    call_alike(list, out);
}

uint32_t crash_list_add(struct crash_list *list, const struct run_outcome *outcome, char **name)
{
    tac_arena scratch = {0};
    struct crash crash;
    read_outcome(list, outcome, &scratch, &crash);
    learn_places(list, &crash);
    tac_str key = {0};
    tac_str_addf(&key, "%s\n%s\n%s\n%s\n%s", crash.exception, crash.process, crash.subject,
                 crash.place, crash.message);
    for (uint32_t i = 0; i < crash.frame_count; i++)
        tac_str_addf(&key, "\n%s", crash.frames[i].name);
    size_t before = list->keys.count;
    uint32_t id = tac_names_intern_bytes(&list->keys, key.text, key.length);
    if (id >= before) {
        tac_vec_push(&list->at, keep_crash(list, &crash));
        tac_vec_push(&list->cluster, TAC_NONE);
    }
    assert(list->at.count == list->keys.count && id < list->at.count);
    *name = name_in_list(list, &list->at.at[id]);
    tac_str_free(&key);
    tac_arena_free(&scratch);
    return id;
}

char *tac_runs_crash_cluster(const tac_runs *runs, const char *exception, const char *stack,
                             const char *place)
{
    struct crash_list *list = (struct crash_list *)&runs->crashes; /* names are only looked up */
    tac_arena scratch = {0};
    struct crash crash;
    read_outcome(list,
                 &(struct run_outcome){.exception = exception, .stack = stack, .place = place},
                 &scratch, &crash);
    char *name = name_in_list(list, &crash);
    tac_arena_free(&scratch);
    return name;
}

/* Frame names that are in every crash. */
static void learn_common(struct crash_list *list)
{
    tac_names names = {0};
    TAC_VEC(uint32_t) count = {0}, last = {0};
    for (uint32_t c = 0; c < list->at.count; c++)
        for (uint32_t i = 0; i < list->at.at[c].frame_count; i++) {
            uint32_t id = tac_names_intern(&names, list->at.at[c].frames[i].name);
            if (id == count.count) {
                tac_vec_push(&count, 0);
                tac_vec_push(&last, TAC_NONE);
            }
            assert(id < count.count && count.count == last.count);
            count.at[id] += last.at[id] != c;
            last.at[id] = c;
        }
    tac_names_free(&list->common);
    list->common = (tac_names){0};
    for (uint32_t n = 0; n < names.count; n++)
        if (count.at[n] == list->at.count)
            tac_names_intern(&list->common, names.text[n]);
    tac_names_free(&names);
    tac_vec_free(&count);
    tac_vec_free(&last);
}

char *crash_list_name(struct crash_list *list, uint32_t crash)
{
    assert(crash < list->at.count);
    return name_in_list(list, &list->at.at[crash]);
}

void crash_list_learn(struct crash_list *list)
{
    tac_names names = {0};
    assert(list->common.count == 0);
    for (uint32_t c = 0; c < list->at.count; c++) {
        char *name = crash_list_name(list, c);
        tac_names_intern(&names, name);
        free(name);
    }
    if (names.count >= LEARNT_FROM)
        learn_common(list);
    tac_names_free(&names);
}

static size_t clusters_of_crashes(const struct tac_runs *runs)
{
    uint8_t *seen = tac_calloc(runs->clusters.count + 1, 1);
    size_t count = 0;
    for (size_t i = 0; i < runs->list.count; i++) {
        uint32_t cluster = runs->list.at[i].cluster;
        assert(runs->list.at[i].crash == TAC_NONE || cluster < runs->clusters.count);
        if (runs->list.at[i].crash == TAC_NONE || seen[cluster])
            continue;
        seen[cluster] = 1;
        count++;
    }
    free(seen);
    return count;
}

static uint32_t cluster_of_crash(struct tac_runs *runs, uint32_t crash)
{
    char *name = crash_list_name(&runs->crashes, crash);
    uint32_t cluster = tac_names_intern(&runs->clusters, name);
    if (cluster == runs->cluster_size.count)
        tac_vec_push(&runs->cluster_size, 0);
    free(name);
    return cluster;
}

static const char *frame_of(struct crash_list *list, uint32_t crash)
{
    assert(crash < list->at.count);
    const struct crash *c = &list->at.at[crash];
    uint32_t frame = crash_deciding_frame(&list->reader, c, is_common, list);
    if (frame == TAC_NONE)
        frame = crash_deciding_frame(&list->reader, c, NULL, NULL);
    assert(frame == TAC_NONE || frame < c->frame_count);
    return frame == TAC_NONE ? "" : c->frames[frame].name;
}

void regroup_crashes(struct tac_runs *runs)
{
    struct crash_list *list = &runs->crashes;
    if (list->at.count >= LEARNT_FROM && clusters_of_crashes(runs) >= LEARNT_FROM)
        learn_common(list);
    list->frame.count = 0;
    for (uint32_t c = 0; c < list->at.count; c++) {
        list->cluster.at[c] = cluster_of_crash(runs, c);
        tac_vec_push(&list->frame, frame_of(list, c));
    }
    for (size_t i = 0; i < runs->list.count; i++) {
        struct mined_run *run = &runs->list.at[i];
        if (run->crash == TAC_NONE)
            continue;
        assert(run_fails(run) && runs->cluster_size.at[run->cluster] > 0);
        runs->cluster_size.at[run->cluster]--;
        run->cluster = list->cluster.at[run->crash];
        runs->cluster_size.at[run->cluster]++;
    }
}

/* --- Why -------------------------------------------------------------------------------------- */

static uint32_t crash_of_cluster(const struct tac_runs *runs, uint32_t cluster)
{
    for (uint32_t c = 0; c < runs->crashes.cluster.count; c++)
        if (runs->crashes.cluster.at[c] == cluster)
            return c;
    return TAC_NONE;
}

/* Whether two methods are of one class. */
static bool same_class(const char *a, const char *b)
{
    const char *dot = strrchr(a, '.'), *other = strrchr(b, '.');
    return dot && other && dot - a == other - b && strncmp(a, b, (size_t)(dot - a)) == 0;
}

/* The cluster that is nearest, and what it differs in. */
static void add_difference(const struct tac_runs *runs, uint32_t cluster, uint32_t crash,
                           tac_str *out)
{
    const struct crash_list *list = &runs->crashes;
    const char *own = runs->crashes.frame.at[crash];
    uint32_t same_frame = TAC_NONE, same_exception = TAC_NONE;
    for (uint32_t c = 0; c < list->at.count; c++) {
        if (list->cluster.at[c] == cluster || list->cluster.at[c] == TAC_NONE)
            continue;
        if (*own && same_frame == TAC_NONE && strcmp(list->frame.at[c], own) == 0)
            same_frame = c;
        if (same_exception == TAC_NONE && same_class(list->frame.at[c], own) &&
            strcmp(list->at.at[c].exception, list->at.at[crash].exception) == 0)
            same_exception = c;
    }
    uint32_t nearest = same_frame != TAC_NONE ? same_frame : same_exception;
    if (nearest != TAC_NONE)
        tac_str_addf(out, "; differs from '%s' in the %s",
                     runs->clusters.text[list->cluster.at[nearest]],
                     same_frame != TAC_NONE ? "exception" : "frame");
}

char *why_one_cluster(const struct tac_runs *runs, uint32_t cluster)
{
    uint32_t crash = crash_of_cluster(runs, cluster);
    tac_str out = {0};
    if (crash == TAC_NONE) {
        tac_str_add(&out, strcmp(runs->clusters.text[cluster], "fail") == 0
                              ? "failing runs without a stack"
                              : "same label");
        return tac_str_take(&out);
    }
    const struct crash *c = &runs->crashes.at.at[crash];
    if (*runs->crashes.frame.at[crash])
        tac_str_add(&out, *c->exception ? "same exception and first frame of the app"
                                        : "same first frame of the app");
    else if (c->frame_count)
        tac_str_add(&out, "no frame of the app; same exception and topmost frame");
    else if (*c->exception)
        tac_str_add(&out, "no frames; same exception");
    else
        tac_str_add(&out, "no exception and no frame is known in their stacks: they may differ");
    add_difference(runs, cluster, crash, &out);
    return tac_str_take(&out);
}

char *tac_stack_cluster(const char *exception, const char *stack, const char *packages,
                        const char *framework)
{
    struct crash_list list = {0};
    char *name;
    crash_list_make(&list, packages, framework);
    crash_list_add(&list, &(struct run_outcome){.exception = exception, .stack = stack}, &name);
    crash_list_free(&list);
    return name;
}
