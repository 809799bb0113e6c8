/* Whether a row can be believed: its numbers against the plan, its words against those that exist,
 * its trace against paths that lead elsewhere. Types were seen to by the backend. O(size of the
 * row). */
#include "base/check.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "store/backend.h"
#include "tactus/verdict.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const size_t longest_text = (size_t)1 << 20;

__attribute__((format(printf, 2, 3))) static const char *wrong(char why[STORE_WHY],
                                                               const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, STORE_WHY, format, args);
    va_end(args);
    return why;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(word, *words))
            return true;
    return false;
}

/* Below the folder: no root, no step upwards, nothing that a terminal or a shell would act on. */
static bool is_inner_path(const char *path)
{
    char flaw[TAC_NAME_FLAW];
    if (*path == '/' || strlen(path) > 255 || tac_name_flaw(path, flaw))
        return false;
    for (const char *part = path;;) {
        size_t length = strcspn(part, "/");
        if (!length || (length == 1 && *part == '.') || (length == 2 && !strncmp(part, "..", 2)))
            return false;
        if (!part[length])
            return true;
        part += length + 1;
    }
}

const char *const store_folders[] = {"aside", "failures", "inputs", "screens", "traces", NULL};
const char *const store_files[] = {"flows.jsonl",    "model.xml",     "properties.txt",
                                   "reproduce.json", "verdicts.json", NULL};

bool store_is_file_name(const char *name)
{
    const char *slash = strchr(name, '/');
    if (!is_inner_path(name) || !slash)
        return is_one_of(name, store_files);
    for (const char *const *folder = store_folders; *folder; folder++)
        if (strlen(*folder) == (size_t)(slash - name) &&
            !strncmp(name, *folder, (size_t)(slash - name)))
            return !strchr(slash + 1, '/');
    return false;
}

static bool is_digest(const char *text)
{
    return !*text || (strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64);
}

static bool is_object(const char *text)
{
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    bool object = json_is_object(document);
    json_decref(document);
    return object;
}

/* The run's place in the plan: flows vary fastest, scenarios slowest. */
static const char *place_flaw(const struct store_plan *plan, const tac_store_run *run,
                              char why[STORE_WHY])
{
    if (run->id < 0)
        return wrong(why, "its id %" PRId64 " is negative", run->id);
    if (!plan->known)
        return run->flow < -1 ? wrong(why, "its flow %" PRId64 " does not exist", run->flow) : NULL;
    if (run->id >= plan->runs)
        return wrong(why, "its id %" PRId64 " is not below %" PRId64 ", the number of planned runs",
                     run->id, plan->runs);
    bool flows = plan->flows >= 0;
    int64_t per_scenario =
        flows ? plan->flows * plan->repeat
              : plan->runs / (plan->scenarios.count ? (int64_t)plan->scenarios.count : 1);
    assert(per_scenario > 0);
    int64_t flow = flows ? run->id % plan->flows : -1;
    size_t scenario = (size_t)(run->id / per_scenario);
    const char *wanted = scenario < plan->scenarios.count ? plan->scenarios.at[scenario] : "";
    if (run->flow != flow)
        return wrong(why,
                     "its flow is %" PRId64 ", but run %" PRId64 " of the plan has flow %" PRId64,
                     run->flow, run->id, flow);
    if (flows && run->repeat != run->id / plan->flows % plan->repeat)
        return wrong(why, "its repeat %" PRId64 " is not that of run %" PRId64 " in the plan",
                     run->repeat, run->id);
    if (strcmp(run->scenario, wanted)) {
        char *shown = tac_visible(run->scenario);
        wrong(why, "its scenario is '%.60s', but run %" PRId64 " of the plan has '%.60s'", shown,
              run->id, wanted);
        free(shown);
        return why;
    }
    return NULL;
}

static const char *const end_names[] = {[TAC_STORED_PASS] = "pass",
                                        [TAC_STORED_FAIL] = "fail",
                                        [TAC_STORED_CRASH] = "crash",
                                        [TAC_STORED_ABORTED] = "aborted",
                                        [TAC_STORED_ERROR] = "error"};
TABLE_COVERS(end_names, TAC_STORED_ERROR);

/* False when the text is none of them. */
static bool tac_stored_end_parse(const char *text, tac_stored_end *out)
{
    for (size_t i = 0; i < sizeof end_names / sizeof *end_names; i++)
        if (!strcmp(text, end_names[i])) {
            *out = (tac_stored_end)i;
            return true;
        }
    return false;
}

tac_stored_end tac_stored_end_of(const char *verdict)
{
    tac_stored_end end = TAC_STORED_ERROR;
    bool known = tac_stored_end_parse(verdict, &end);
    assert(known); /* store_run_flaw has looked */
    (void)known;
    return end;
}

const char *store_run_flaw(const struct store_plan *plan, const tac_store_run *run,
                           char why[STORE_WHY])
{
    static const char *const kinds[] = {"flow", "monkey", NULL};
    tac_stored_end end;
    assert(run->kind && run->name && run->scenario && run->verdict && run->message);
    assert(run->exception && run->trace && run->trace_digest);
    const char *flaw = place_flaw(plan, run, why);
    if (flaw)
        return flaw;
    if (!is_one_of(run->kind, kinds))
        return wrong(why, "its kind is neither 'flow' nor 'monkey'");
    if (!tac_stored_end_parse(run->verdict, &end))
        return wrong(why, "its verdict is none of pass, fail, crash, aborted, error");
    if (run->repeat < 0 || run->steps < 0)
        return wrong(why, "its repeat or its number of steps is negative");
    if (!isfinite(run->seconds) || run->seconds < 0)
        return wrong(why, "its seconds are not a number from 0 on");
    if (*run->trace && !is_inner_path(run->trace))
        return wrong(why, "its trace is not a path below the folder");
    if (run->trace_size < -1 || !is_digest(run->trace_digest))
        return wrong(why, "its trace's length or digest is not one");
    if (run->details && !is_object(run->details))
        return wrong(why, "its details are not a JSON object");
    const char *const texts[] = {run->name, run->scenario, run->message, run->exception};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strlen(texts[i]) > longest_text || !tac_utf8_valid(texts[i], strlen(texts[i])))
            return wrong(why, "one of its texts is not UTF-8, or longer than 1 MiB");
    return NULL;
}

static bool is_answer(const char *word)
{
    for (int answer = TAC_HOLDS; answer <= TAC_PRESUMABLY_VIOLATED; answer++)
        if (!strcmp(word, tac_answer_name((tac_answer)answer)))
            return true;
    return !strcmp(word, "vacuous");
}

const char *store_verdict_flaw(const struct store_plan *plan, const struct store_verdict *verdict,
                               char why[STORE_WHY])
{
    assert(verdict->property && verdict->answer && verdict->document);
    if (verdict->run < 0 || (plan->known && verdict->run >= plan->runs))
        return wrong(why, "its run %" PRId64 " is not in the plan", verdict->run);
    if (!verdict->has_run)
        return wrong(why, "its run %" PRId64 " has no row", verdict->run);
    if (!*verdict->property || !tac_utf8_valid(verdict->property, strlen(verdict->property)))
        return wrong(why, "its property has no name that is UTF-8");
    if (!is_answer(verdict->answer))
        return wrong(why, "its answer is not one that a property can have");
    if (!is_object(verdict->document))
        return wrong(why, "its document is not a JSON object");
    return NULL;
}

static const char *store_document_flaw(const struct store_document *document, char why[STORE_WHY])
{
    assert(document->kind && document->name && document->document);
    json_t *parsed = json_loads(document->document, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    bool good = parsed != NULL;
    json_decref(parsed);
    if (!*document->kind || !tac_utf8_valid(document->kind, strlen(document->kind)) ||
        !tac_utf8_valid(document->name, strlen(document->name)))
        return wrong(why, "its kind or its name is not UTF-8");
    return good ? NULL : wrong(why, "its document is not JSON");
}

const char *store_row_flaw(const struct store_plan *plan, const struct store_row *row,
                           char why[STORE_WHY])
{
    switch (row->table) {
    case STORE_RUN:
        return store_run_flaw(plan, &row->run, why);
    case STORE_VERDICT:
        return store_verdict_flaw(plan, &row->verdict, why);
    case STORE_DOCUMENT:
        return store_document_flaw(&row->document, why);
    case STORE_SETTING:
    case STORE_ASIDE:
        break;
    }
    return NULL;
}
