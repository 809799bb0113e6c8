/* The journal. See journal.h. A line is written by one call of write(2) in append mode. */
#include "reproduce/known/journal.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "run/campaign/campaign.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOURNAL_VERSION = 1, MOST_STEPS = 1000000, MOST_VIOLATED = 1000, MOST_LEFT = 1000000 };
static const size_t largest_journal = (size_t)1 << 30;

/* --- reading --- */

struct journal_reader {
    const char *name;
    size_t line;
    const json_t *plan;
    struct knowledge *known;
    tac_error *err;
};

__attribute__((format(printf, 2, 3))) static tac_status wrong(const struct journal_reader *in,
                                                              const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tac_status status = tac_fail_va(in->err, TAC_E_INPUT, in->name, in->line, 0, format, args);
    va_end(args);
    return status;
}

static tac_status read_header(const struct journal_reader *in, const json_t *line)
{
    const json_t *plan = json_object_get(line, "plan");
    if (json_integer_value(json_object_get(line, "tactus-reproduce-journal")) != JOURNAL_VERSION)
        return wrong(in,
                     "expected {\"tactus-reproduce-journal\":%d,...}; this is not a journal of "
                     "this version, choose another folder",
                     JOURNAL_VERSION);
    if (!json_is_object(plan))
        return wrong(in, "\"plan\" is missing");
    if (!in->plan || json_equal(plan, in->plan))
        return TAC_OK;
    char *difference = campaign_plan_difference(plan, in->plan);
    tac_status status = wrong(in,
                              "the folder holds the search of something else: %.600s; choose "
                              "another folder or remove this one",
                              difference);
    free(difference);
    return status;
}

static tac_status read_step(const struct journal_reader *in, const json_t *line)
{
    const json_t *number = json_object_get(line, "step");
    struct step_table *steps = &in->known->steps;
    if (!json_is_integer(number) || json_integer_value(number) != (json_int_t)steps->at.count)
        return wrong(in, "expected step %zu", steps->at.count);
    char *text = json_dumps(json_object_get(line, "flow"), JSON_COMPACT | JSON_ENCODE_ANY);
    tac_flow_file *file =
        tac_flow_file_of_text(in->name, text ? text : "null", text ? strlen(text) : 4);
    const tac_flow *flow = NULL;
    tac_status status = tac_flow_file_next(file, &flow, in->err);
    if (status != TAC_OK && in->err)
        in->err->line = in->line;
    if (status == TAC_OK && flow->step_count != 1)
        status = wrong(in, "expected a flow of one step, got %zu", flow->step_count);
    if (status == TAC_OK)
        steps_number(steps, &flow->steps[0]);
    if (status == TAC_OK && (json_int_t)steps->at.count - 1 != json_integer_value(number))
        status = wrong(in, "the step is there already, under another number");
    tac_flow_file_close(file);
    free(text);
    return status;
}

static bool read_end(const char *word, enum run_end *out)
{
    for (int end = RUN_PASS; end <= RUN_ABORTED; end++)
        if (!strcmp(word, run_end_name((enum run_end)end))) {
            *out = (enum run_end)end;
            return true;
        }
    return false;
}

static tac_status read_script(const struct journal_reader *in, const json_t *list,
                              struct script *script)
{
    size_t i;
    const json_t *number;
    if (!json_is_array(list) || json_array_size(list) > MOST_STEPS)
        return wrong(in, "\"try\" must be an array of at most %d steps", (int)MOST_STEPS);
    json_array_foreach(list, i, number)
    {
        json_int_t step = json_is_integer(number) ? json_integer_value(number) : -1;
        if (step < 0 || (uint64_t)step >= in->known->steps.at.count)
            return wrong(in, "\"try\" names a step that no line before gives");
        tac_vec_push(script, (uint32_t)step);
    }
    return TAC_OK;
}

static tac_status read_trial(const struct journal_reader *in, const json_t *line)
{
    struct trial trial = {.scenario = tac_json_get_text(line, "scenario"),
                          .cause = tac_json_get_text(line, "cause"),
                          .failure = tac_json_get_text(line, "failure"),
                          .detail = tac_json_get_text(line, "detail"),
                          .replay = !strcmp(tac_json_get_text(line, "for"), "replay"),
                          .experiment = !strcmp(tac_json_get_text(line, "for"), "experiment"),
                          .wait = json_number_value(json_object_get(line, "wait"))};
    const json_t *done = json_object_get(line, "done");
    const json_t *violated = json_object_get(line, "violated");
    json_int_t left = json_integer_value(json_object_get(line, "left"));
    const char *names[MOST_VIOLATED];
    tac_status status = read_script(in, json_object_get(line, "try"), &trial.script);
    if (status == TAC_OK && !read_end(tac_json_get_text(line, "end"), &trial.end))
        status = wrong(in, "\"end\" must be pass, fail, crash or aborted");
    if (status == TAC_OK && (!json_is_integer(done) || json_integer_value(done) < 0 ||
                             (uint64_t)json_integer_value(done) > trial.script.count))
        status = wrong(in, "\"done\" must be a number of steps, at most those of \"try\"");
    for (size_t i = 0; i < json_array_size(violated) && i < MOST_VIOLATED; i++)
        if (json_is_string(json_array_get(violated, i)))
            names[trial.violated_count++] = json_string_value(json_array_get(violated, i));
    if (status == TAC_OK && !tac_parse_u64(tac_json_get_text(line, "seed"), &trial.seed))
        status = wrong(in, "\"seed\" must be a number in quotes");
    if (status == TAC_OK && (left < 0 || left > MOST_LEFT))
        status = wrong(in, "\"left\" must be a number of executions, at most %d", (int)MOST_LEFT);
    if (status == TAC_OK) {
        trial.done = (size_t)json_integer_value(done);
        trial.violated = names;
        trial.left = (uint32_t)left;
        knowledge_add(in->known, &trial);
    }
    tac_vec_free(&trial.script);
    return status;
}

static tac_status read_line(struct journal_reader *in, const char *text, size_t size)
{
    tac_json json;
    tac_status status = tac_json_parse(in->name, text, size, &json, in->err);
    if (status != TAC_OK) {
        if (in->err)
            in->err->line = in->line;
        return status;
    }
    if (in->line == 1)
        status = read_header(in, json.root);
    else if (json_object_get(json.root, "step"))
        status = read_step(in, json.root);
    else if (json_object_get(json.root, "try"))
        status = read_trial(in, json.root);
    else
        status = wrong(in, "expected \"step\" or \"try\"");
    tac_json_free(&json);
    return status;
}

tac_status journal_parse(const char *name, const char *text, size_t size, const json_t *plan,
                         struct knowledge *known, size_t *whole, tac_error *err)
{
    struct journal_reader in = {.name = name, .plan = plan, .known = known, .err = err};
    tac_status status = TAC_OK;
    *whole = 0;
    while (status == TAC_OK && *whole < size) {
        const char *end = memchr(text + *whole, '\n', size - *whole);
        if (!end)
            break;
        in.line++;
        status = read_line(&in, text + *whole, (size_t)(end - text) - *whole);
        *whole = (size_t)(end - text) + 1;
    }
    return status;
}

/* --- writing --- */

static tac_status append(struct journal *journal, json_t *line, tac_error *err)
{
    char *text = tac_json_text(line, JSON_COMPACT);
    size_t size = strlen(text), written = 0;
    text[size] = '\n'; /* the NUL's place */
    tac_status status = TAC_OK;
    while (written < size + 1 && status == TAC_OK) {
        ssize_t n = write(journal->fd, text + written, size + 1 - written);
        if (n < 0 && errno != EINTR)
            status = tac_fail_errno(err, errno, journal->path, "cannot write");
        written += n > 0 ? (size_t)n : 0;
    }
    free(text);
    json_decref(line);
    return status;
}

static tac_status append_steps(struct journal *journal, const struct knowledge *known,
                               const tac_flow *none, tac_error *err)
{
    tac_status status = TAC_OK;
    for (; journal->steps < known->steps.at.count && status == TAC_OK; journal->steps++) {
        tac_flow flow = *none;
        flow.steps = &known->steps.at.at[journal->steps];
        flow.step_count = 1;
        status = append(journal,
                        json_pack("{s:I,s:o}", "step", (json_int_t)journal->steps, "flow",
                                  tac_flow_json(&flow)),
                        err);
    }
    return status;
}

static json_t *trial_json(const struct trial *trial, const char *device)
{
    json_t *steps = json_array(), *violated = json_array();
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)trial->seed);
    for (size_t i = 0; i < trial->script.count; i++)
        json_array_append_new(steps, json_integer(trial->script.at[i]));
    for (size_t i = 0; i < trial->violated_count; i++)
        json_array_append_new(violated, tac_json_string(trial->violated[i]));
    return json_pack("{s:o,s:o,s:o,s:s,s:I,s:o,s:o,s:o,s:o,s:s,s:o,s:s,s:I}", "try", steps,
                     "scenario", tac_json_string(trial->scenario), "cause",
                     tac_json_string(trial->cause), "end", run_end_name(trial->end), "done",
                     (json_int_t)trial->done, "failure", tac_json_string(trial->failure), "detail",
                     tac_json_string(trial->detail), "violated", violated, "wait",
                     tac_json_number(trial->wait), "seed", number, "device",
                     tac_json_string(device), "for",
                     trial->replay       ? "replay"
                     : trial->experiment ? "experiment"
                                         : "search",
                     "left", (json_int_t)trial->left);
}

tac_status journal_add(struct journal *journal, struct knowledge *known, const struct trial *trial,
                       const char *device, tac_error *err)
{
    static const tac_flow none = {.kind = TAC_FLOW_WITNESS, .model = ""};
    tac_status status = TAC_OK;
    if (journal->fd >= 0) {
        status = append_steps(journal, known, &none, err);
        if (status == TAC_OK)
            status = append(journal, trial_json(trial, device), err);
    }
    if (status == TAC_OK)
        knowledge_add(known, trial);
    return status;
}

/* --- opening --- */

/* Through the descriptor that has the lock: closing another one of the same file would lose it. */
static tac_status slurp(const struct journal *journal, char **text, size_t *size, tac_error *err)
{
    struct stat about;
    if (fstat(journal->fd, &about))
        return tac_fail_errno(err, errno, journal->path, "cannot read");
    if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size > largest_journal)
        return tac_fail_at(err, TAC_E_INPUT, journal->path, 0, 0,
                           "a journal is a file of at most %zu MiB", largest_journal >> 20);
    *text = tac_alloc((size_t)about.st_size + 1);
    *size = 0;
    for (ssize_t n = 1; n > 0 && *size<(size_t)about.st_size; *size += n> 0 ? (size_t)n : 0)
        n = pread(journal->fd, *text + *size, (size_t)about.st_size - *size, (off_t)*size);
    return TAC_OK;
}

static tac_status read_journal(struct journal *journal, const json_t *plan, struct knowledge *known,
                               tac_error *err)
{
    char *text = NULL;
    size_t size = 0, whole = 0;
    tac_status status = slurp(journal, &text, &size, err);
    if (status != TAC_OK)
        return status;
    status = journal_parse(journal->path, text, size, plan, known, &whole, err);
    if (status == TAC_OK && whole < size && ftruncate(journal->fd, (off_t)whole))
        status = tac_fail_errno(err, errno, journal->path, "cannot cut off the last line");
    journal->steps = known->steps.at.count;
    if (status == TAC_OK && whole == 0)
        status = append(
            journal,
            json_pack("{s:i,s:O}", "tactus-reproduce-journal", JOURNAL_VERSION, "plan", plan), err);
    free(text);
    return status;
}

tac_status journal_open(struct journal *journal, const char *folder, const json_t *plan,
                        struct knowledge *known, tac_error *err)
{
    *journal = (struct journal){.path = tac_format("%s/journal.jsonl", folder)};
    journal->fd = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    tac_status status = TAC_OK;
    if (journal->fd < 0)
        status = tac_fail_errno(err, errno, journal->path, "cannot open");
    /* not inherited by the workers: they may outlive a kill by a moment */
    else if (fcntl(journal->fd, F_SETLK, &(struct flock){.l_type = F_WRLCK}))
        status = tac_fail_at(err, TAC_E_INPUT, journal->path, 0, 0,
                             "another search is writing to this folder");
    if (status == TAC_OK)
        status = read_journal(journal, plan, known, err);
    if (status != TAC_OK)
        journal_close(journal);
    return status;
}

void journal_close(struct journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal->path);
    *journal = (struct journal){.fd = -1};
}
