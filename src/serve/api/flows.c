/* Flows of a model: counted, listed, chosen, drawn; shown, or saved as what a campaign executes. */
#include "base/data/text.h"
#include "serve/api/routes.h"
#include "serve/folder/beneath.h"
#include "serve/folder/save.h"
#include "serve/programs/inputs.h"
#include <string.h>

enum { MOST_SHOWN = 5000, SHOWN = 100, MOST_LENGTH = 1000000 };

static bool is_goal(const char *goal)
{
    return TAC_IS_ONE_OF(goal, "states", "transitions", "pairs", "edges", "requirements");
}

/* What every mode takes. */
static bool add_common(struct request *request, struct words *words)
{
    const char *mode = request_text(request, "mode");
    if (strcmp(mode, "cover") && !json_is_integer(json_object_get(request->json.root, "length"))) {
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "'length' is missing");
        return false;
    }
    if (json_is_true(json_object_get(request->json.root, "witness")))
        add_flag(words, "witness");
    return add_number(request, words, "length", "length", MOST_LENGTH, -1) &&
           add_input(request, words, "require", "requirement", "requirement_text", false) &&
           add_input(request, words, NULL, "model", "text", true);
}

static bool add_cover(struct request *request, struct words *words)
{
    const char *goal = request_text(request, "goal");
    if (goal && !is_goal(goal)) {
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                     "'goal' is not one of states, transitions, pairs, edges, requirements");
        return false;
    }
    add_word(words, "cover");
    add_option(words, "goal", goal ? goal : "transitions");
    return add_number(request, words, "seed", "seed", INT64_MAX, -1);
}

static bool add_sample(struct request *request, struct words *words)
{
    add_word(words, "sample");
    return add_number(request, words, "count", "count", MOST_SHOWN, 10) &&
           add_number(request, words, "seed", "seed", INT64_MAX, -1);
}

/* limit < 0: all. False after an answer. */
static bool make_words(struct request *request, struct words *words, const char *mode,
                       long long limit)
{
    char text[32];
    add_word(words, "flow");
    if (!strcmp(mode, "count")) {
        add_word(words, "count");
        add_flag(words, "json");
    } else if (!strcmp(mode, "list")) {
        add_word(words, "list");
        snprintf(text, sizeof text, "%lld", limit);
        if (limit >= 0)
            add_option(words, "limit", text);
    } else if (strcmp(mode, "cover") ? !add_sample(request, words) : !add_cover(request, words)) {
        return false;
    }
    if (strcmp(mode, "count"))
        add_option(words, "format", "jsonl");
    return add_common(request, words);
}

static const char *mode_of(struct request *request)
{
    static const char *const modes[] = {"count", "list", "cover", "sample"};
    const char *mode = request_text(request, "mode");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (mode && !strcmp(mode, modes[i]))
            return modes[i];
    answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                 "'mode' is not one of count, list, cover, sample");
    return NULL;
}

/* The flows of JSON Lines, at most so many; *more: there are others. */
static json_t *read_flows(const char *text, size_t most, bool *more)
{
    json_t *flows = json_array();
    *more = false;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        tac_json flow = {0};
        if (json_array_size(flows) == most) {
            *more = true;
            break;
        }
        if (length && tac_json_parse("flow", line, length, &flow, NULL) == TAC_OK)
            json_array_append(flows, flow.root);
        tac_json_free(&flow);
        line += length + (line[length] == '\n');
    }
    return flows;
}

/* "covered" and "total" are told by the program in a document of its own. */
static void add_coverage(struct request *request, const char *page, json_t *document)
{
    struct words words = words_of("flow", NULL);
    struct helped helped = {0};
    tac_json told = {0};
    if (add_cover(request, &words)) {
        add_flag(&words, "json");
        if (add_common(request, &words) &&
            help_request(request, &words, page, &helped, NULL) == TAC_OK && helped.exit_code == 0 &&
            tac_json_parse("output", helped.output, helped.output_size, &told, NULL) == TAC_OK) {
            json_object_set(document, "covered", json_object_get(told.root, "covered"));
            json_object_set(document, "total", json_object_get(told.root, "total"));
        }
    }
    tac_json_free(&told);
    free_helped(&helped);
    free_words(&words);
}

static void answer_count(struct request *request, struct helped *helped)
{
    tac_json told = {0};
    if (tac_json_parse("output", helped->output, helped->output_size, &told, NULL) != TAC_OK) {
        answer_complaint(request, helped);
        return;
    }
    json_object_set_new(told.root, "mode", json_string("count"));
    json_object_set(told.root, "count", json_object_get(told.root, "flows"));
    json_object_del(told.root, "flows");
    json_object_set_new(told.root, "complete", json_true());
    answer_json(request, MHD_HTTP_OK, json_incref(told.root));
    tac_json_free(&told);
}

static void answer_flows(struct request *request, const char *mode, size_t limit, const char *page,
                         struct helped *helped)
{
    bool more;
    json_t *flows = read_flows(helped->output, limit, &more);
    json_t *document = json_pack("{s:s,s:o,s:b}", "mode", mode, "flows", flows, "complete", !more);
    if (!strcmp(mode, "cover"))
        add_coverage(request, page, document);
    if (request->status)
        json_decref(document);
    else
        answer_json(request, MHD_HTTP_OK, document);
}

/* How many are shown; false after an answer. */
static bool read_limit(struct request *request, size_t *limit)
{
    const json_t *value = json_object_get(request->json.root, "limit");
    long long number = json_is_integer(value) ? json_integer_value(value) : SHOWN;
    *limit = number < 0 || number > MOST_SHOWN ? MOST_SHOWN : (size_t)number;
    return true;
}

void post_flows(struct request *request)
{
    struct words words = {0};
    struct helped helped = {0};
    size_t limit;
    const char *mode = mode_of(request), *page = request_text(request, "page");
    if (!mode || !read_limit(request, &limit))
        return;
    if (make_words(request, &words, mode, (long long)limit + 1)) {
        bool done = help_answers(request, &words, page, false, &helped);
        if (done && !strcmp(mode, "count"))
            answer_count(request, &helped);
        else if (done)
            answer_flows(request, mode, limit, page, &helped);
    }
    free_helped(&helped);
    free_words(&words);
}

/* --- saving --- */

static void save_flows(struct request *request, const char *path, const struct helped *helped)
{
    char digest[TAC_DIGEST_TEXT], *old;
    size_t size, lines = 0;
    tac_error err;
    bool replace = json_is_true(json_object_get(request->json.root, "replace"));
    pthread_mutex_lock(&request->portal->saving);
    bool there = replace && read_beneath(request->portal->root, path, &old, &size, NULL) == TAC_OK;
    if (there) {
        tac_digest_bytes(old, size, digest);
        free(old);
    }
    enum save_result result = save_beneath(request->portal->root, path, helped->output,
                                           helped->output_size, there ? digest : NULL, &err);
    pthread_mutex_unlock(&request->portal->saving);
    for (const char *at = helped->output; (at = strchr(at, '\n')); at++)
        lines++;
    if (result == SAVE_FAILED)
        answer_failure(request, &err);
    else if (result == SAVE_CONFLICT)
        answer_error(request, MHD_HTTP_CONFLICT, "'%s' is there already", path);
    else
        answer_json(
            request, MHD_HTTP_CREATED,
            json_pack("{s:o,s:I}", "path", tac_json_string(path), "flows", (json_int_t)lines));
}

void post_flows_save(struct request *request)
{
    struct words words = {0};
    struct helped helped = {0};
    const char *mode = mode_of(request), *path = request_text(request, "path");
    const json_t *limit = json_object_get(request->json.root, "limit");
    if (!mode)
        return;
    if (!strcmp(mode, "count") || !path || !path_is_fine(path)) {
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                     "flows are saved by list, cover or sample, to a 'path' in the folder");
        return;
    }
    if (make_words(request, &words, mode,
                   json_is_integer(limit) ? json_integer_value(limit) : -1)) {
        if (help_answers(request, &words, NULL, false, &helped))
            save_flows(request, path, &helped);
    }
    free_helped(&helped);
    free_words(&words);
}
