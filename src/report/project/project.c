/* Opening a project folder: its own campaign, the campaigns in its subfolders, its documents. */
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "mining/runs/finding.h"
#include "report/project/parts.h"
#include "store/list.h"
#include "tactus/trace.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a trace to its end. Traces of stores that kept no digest can only be told so. */
static tac_status read_through(const char *path, tac_error *err)
{
    tac_trace_source *source = NULL;
    const tac_trace_block *block;
    tac_status status = tac_trace_open(path, NULL, &source, err);
    while (status == TAC_OK && (status = tac_trace_next(source, &block, err)) == TAC_OK && block)
        ;
    tac_trace_close(source);
    return status;
}

/* Whether the trace of a run can be believed; keeps why not. */
static bool has_trace(struct report_campaign *campaign, const tac_store_run *run)
{
    tac_error err;
    tac_status status = tac_store_check_trace(campaign->store, run, &err);
    if (status == TAC_OK && *run->trace && !*run->trace_digest) {
        char *path = report_path(campaign, run->trace);
        status = read_through(path, &err);
        free(path);
    }
    if (status != TAC_OK)
        tac_vec_push(&campaign->damaged, (struct report_damage){run->id, tac_strdup(err.file),
                                                                tac_strdup(err.message)});
    return status == TAC_OK;
}

static const char *text_of(struct report_campaign *campaign, const json_t *details, const char *key)
{
    const char *text = json_string_value(json_object_get(details, key));
    return text && *text ? tac_arena_strdup(&campaign->texts, text) : "";
}

/* The lines of a stack, one below the other; a text stays as it is. */
static const char *stack_of(struct report_campaign *campaign, const json_t *details)
{
    const json_t *stack = json_object_get(details, "stack"), *line;
    tac_str text = {0};
    size_t i;
    if (!stack || json_is_string(stack))
        return text_of(campaign, details, "stack");
    json_array_foreach(stack, i, line) if (json_is_string(line))
        tac_str_addf(&text, "%s%s", text.length ? "\n" : "", json_string_value(line));
    const char *kept = tac_arena_strdup(&campaign->texts, tac_str_text(&text));
    tac_str_free(&text);
    return kept;
}

static bool keep_run(void *context, const tac_store_run *row)
{
    struct report_campaign *campaign = context;
    json_t *details = row->details ? json_loads(row->details, 0, NULL) : NULL;
    struct report_run run = {.row = store_run_keep(&campaign->texts, row),
                             .stack = stack_of(campaign, details)};
    if (!has_trace(campaign, row))
        run.row.trace = "";
    run.answers = tac_arena_strdup(&campaign->texts, "");
#define READ_TEXT(name, key) run.name = text_of(campaign, details, key);
    REPORT_RUN_DETAILS(READ_TEXT)
#undef READ_TEXT
    tac_vec_push(&campaign->runs, run);
    if (tac_stored_end_of(row->verdict) == TAC_STORED_CRASH) {
        char id[FINDING_ID];
        crash_finding(row->exception, details, id);
        tac_vec_last(&campaign->runs).finding = tac_arena_strdup(&campaign->texts, id);
    }
    json_decref(details);
    return true;
}

static bool has_index(const char *folder)
{
    char *path = tac_format("%s/index.sqlite", folder);
    bool has = access(path, R_OK) == 0;
    free(path);
    return has;
}

static tac_status open_campaign(struct report_project *project, const char *folder,
                                const char *label, tac_error *err)
{
    struct report_campaign campaign = {.folder = tac_strdup(folder), .label = tac_strdup(label)};
    tac_status status = tac_store_open(folder, false, &campaign.store, err);
    if (status == TAC_OK)
        status = tac_store_each_run(campaign.store, keep_run, &campaign, err);
    if (project->campaigns.count) {
        const struct report_campaign *last = &tac_vec_last(&project->campaigns);
        int64_t highest = last->runs.count ? tac_vec_last(&last->runs).row.id + 1 : 0;
        campaign.first_run = last->first_run + (size_t)highest;
    }
    tac_vec_push(&project->campaigns, campaign);
    return status;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static tac_status open_subfolders(struct report_project *project, const char *folder,
                                  tac_error *err)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, by_name);
    if (count < 0 && errno == ENOMEM)
        tac_out_of_memory(0);
    tac_status status = TAC_OK;
    for (int i = 0; i < count; i++) {
        char *path = tac_format("%s/%s", folder, entries[i]->d_name);
        if (status == TAC_OK && entries[i]->d_name[0] != '.' && has_index(path))
            status = open_campaign(project, path, entries[i]->d_name, err);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return status;
}

tac_status report_project_open(struct report_project *project, const char *folder, tac_error *err)
{
    struct stat about;
    if (stat(folder, &about))
        return tac_fail_at(err, TAC_E_IO, folder, 0, 0,
                           "is not there; give the folder of a campaign");
    tac_status status = TAC_OK;
    if (has_index(folder))
        status = open_campaign(project, folder, "", err);
    if (status == TAC_OK)
        status = open_subfolders(project, folder, err);
    if (status == TAC_OK && !project->campaigns.count)
        status = tac_fail_at(err, TAC_E_INPUT, folder, 0, 0,
                             "holds no runs; give the folder of a campaign");
    return status;
}

void report_project_close(struct report_project *project)
{
    for (size_t i = 0; i < project->campaigns.count; i++) {
        struct report_campaign *campaign = &project->campaigns.at[i];
        tac_store_close(campaign->store, NULL);
        tac_vec_free(&campaign->runs);
        tac_arena_free(&campaign->texts);
        for (size_t d = 0; d < campaign->damaged.count; d++) {
            free(campaign->damaged.at[d].file);
            free(campaign->damaged.at[d].what);
        }
        tac_vec_free(&campaign->damaged);
        tac_names_free(&campaign->events);
        free(campaign->folder);
        free(campaign->label);
    }
    tac_vec_free(&project->campaigns);
    finding_set_free(&project->findings);
}

struct report_run *report_find_run(const struct report_project *project, size_t number,
                                   struct report_campaign **campaign)
{
    for (size_t c = project->campaigns.count; c-- > 0;) {
        struct report_campaign *one = &project->campaigns.at[c];
        size_t low = 0, high = one->runs.count;
        if (number < one->first_run)
            continue;
        int64_t wanted = (int64_t)(number - one->first_run);
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (one->runs.at[middle].row.id < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == one->runs.count || one->runs.at[low].row.id != wanted)
            return NULL;
        *campaign = one;
        return &one->runs.at[low];
    }
    return NULL;
}

struct report_campaign *report_counterpart(const struct report_project *project, size_t index,
                                           const struct report_project *other)
{
    if (project->campaigns.count == 1 && other->campaigns.count == 1)
        return &other->campaigns.at[0];
    for (size_t i = 0; i < other->campaigns.count; i++)
        if (!strcmp(other->campaigns.at[i].label, project->campaigns.at[index].label))
            return &other->campaigns.at[i];
    return NULL;
}

void report_add_damage(struct report_project *project, json_t *document)
{
    json_t *list = json_array();
    for (size_t i = 0; i < project->campaigns.count; i++) {
        const struct report_campaign *campaign = &project->campaigns.at[i];
        for (size_t k = 0; k < campaign->damaged.count; k++) {
            const struct report_damage *damage = &campaign->damaged.at[k];
            json_int_t run = (json_int_t)campaign->first_run + damage->run;
            struct finding_parts parts = {
                .rank = RANK_UNCLEAR,
                .link = "#runs",
                .file = damage->file,
                .detail = "What it measured is left out. 'tactus store repair' sets it aside, so "
                          "that the same 'tactus run' does it again."};
            finding_add(&project->findings, &parts, "The trace of run %lld is damaged: %s: %s.",
                        (long long)run, damage->file, damage->what);
            json_array_append_new(list, json_pack("{s:I,s:o,s:o}", "run", run, "file",
                                                  tac_json_string(damage->file), "what",
                                                  tac_json_string(damage->what)));
        }
    }
    if (json_array_size(list))
        json_object_set(document, "damaged_traces", list);
    json_decref(list);
}

char *report_path(const struct report_campaign *campaign, const char *name)
{
    return tac_format("%s/%s", campaign->folder, name);
}

static bool find_origin(void *context, const char *kind, const char *name, const json_t *document)
{
    char **origin = context;
    const char *from = json_string_value(json_object_get(document, "from"));
    if (!*origin && from && !strcmp(kind, "properties") && !strcmp(name, "properties.txt"))
        *origin = tac_strdup(from);
    return !*origin;
}

char *report_property_file(const struct report_campaign *campaign)
{
    char *copy = report_path(campaign, "properties.txt"), *origin = NULL;
    char digests[2][TAC_DIGEST_TEXT];
    uint64_t size;
    tac_error ignored; /* the copy is as good */
    if (tac_store_each_document(campaign->store, find_origin, &origin, &ignored) == TAC_OK &&
        origin && access(origin, R_OK) == 0 &&
        tac_digest_file(origin, digests[0], &size, &ignored) == TAC_OK &&
        tac_digest_file(copy, digests[1], &size, &ignored) == TAC_OK &&
        !strcmp(digests[0], digests[1])) {
        free(copy);
        return origin;
    }
    free(origin);
    return copy;
}

char *report_base64(const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = tac_alloc((size + 2) / 3 * 4 + 1), *out = text;
    for (size_t i = 0; i < size; i += 3) {
        unsigned word = (unsigned)data[i] << 16;
        if (i + 1 < size)
            word |= (unsigned)data[i + 1] << 8;
        if (i + 2 < size)
            word |= data[i + 2];
        *out++ = digits[word >> 18 & 63];
        *out++ = digits[word >> 12 & 63];
        *out++ = i + 1 < size ? digits[word >> 6 & 63] : '=';
        *out++ = i + 2 < size ? digits[word & 63] : '=';
    }
    *out = '\0';
    return text;
}
