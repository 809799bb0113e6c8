/* The list of kinds, and how a file finds the one that reads it. */
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "base/keep/settled.h"
#include "facts/text.h"
#include "figures/values.h"
#include "trace/log/record.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct figures_kind *const kinds[] = {
#define FIGURES_KIND(name) &figures_kind_##name,
#include "figures/kinds.def"
#undef FIGURES_KIND
};

enum { KINDS = sizeof kinds / sizeof kinds[0], HEAD_SIZE = 1 << 16 };

const char *figures_kind_name(size_t index)
{
    return index < KINDS ? kinds[index]->name : NULL;
}

static tac_status read_head(const char *path, char **bytes, size_t *size, tac_error *err)
{
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status)
        return status;
    char *head = tac_alloc(HEAD_SIZE + 1);
    size_t got = 1, used = 0;
    while (!status && got && used < HEAD_SIZE) {
        status = tac_input_read(input, head + used, HEAD_SIZE - used, &got, err);
        used += status ? 0 : got;
    }
    tac_input_close(input);
    /* A packed file that is cut short still has a beginning. */
    if (status && used)
        status = TAC_OK;
    head[used] = '\0';
    if (status) {
        free(head);
        return status;
    }
    *bytes = head;
    *size = used;
    return TAC_OK;
}

static const struct figures_kind *find_kind(const struct figures_input *input, const char *wanted)
{
    const struct figures_kind *best = NULL;
    int best_score = 0;
    for (size_t i = 0; i < KINDS; i++) {
        if (wanted && !strcmp(kinds[i]->name, wanted))
            return kinds[i];
        int score = wanted ? 0 : kinds[i]->sniff(input);
        if (score > best_score) {
            best = kinds[i];
            best_score = score;
        }
    }
    return best;
}

static tac_status read_as(const struct figures_kind *kind, const struct figures_input *input,
                          const char *name, struct figures **out, tac_error *err)
{
    struct figures *facts = figures_new(name, kind->name);
    tac_status status = kind->read(input, facts, err);
    if (status)
        figures_free(facts);
    else
        *out = facts;
    return status;
}

/* Says what would have been known. */
static tac_status fail_unknown(const char *path, const char *wanted, tac_error *err)
{
    char known[512] = "";
    for (size_t i = 0, used = 0; i < KINDS && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 kinds[i]->name);
    if (wanted)
        return tac_fail_at(err, TAC_E_USAGE, path, 0, 0,
                           "'%.80s' is not a kind of file; the kinds are %s", wanted, known);
    struct stat about;
    if (!stat(path, &about) && S_ISDIR(about.st_mode))
        return tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "is a folder; give files");
    return tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                       "the content is not of a known kind; the kinds are %s", known);
}

static tac_status read_settled(const char *path, const tac_settled *file, const char *kind,
                               tac_watch *watch, struct figures **out, tac_error *err)
{
    struct stat about;
    struct figures_input input = {
        .path = file->path, .head = "", .raw = "", .encoding = "utf-8", .watch = watch};
    char *bytes = NULL, *head = NULL;
    size_t size = 0;
    input.is_folder = !stat(file->path, &about) && S_ISDIR(about.st_mode);
    tac_status status = input.is_folder ? TAC_OK : read_head(file->path, &bytes, &size, err);
    if (!status && bytes) {
        input.raw = bytes;
        input.raw_size = size;
        input.encoding = text_encoding(bytes, size);
        input.head = head = text_decode(bytes, size, input.encoding, &input.head_size);
    }
    if (!status && !input.is_folder && !size)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the file is empty");
    if (!status) {
        const struct figures_kind *found = find_kind(&input, kind);
        status = found ? read_as(found, &input, path, out, err) : fail_unknown(path, kind, err);
    }
    free(bytes);
    free(head);
    return status;
}

tac_status figures_read(const char *path, const char *kind, tac_watch *watch, struct figures **out,
                        tac_error *err)
{
    if (!tac_watch_tick(watch, "reading", 0, 0))
        return tac_fail_at(err, TAC_E_INTERRUPTED, path, 0, 0, "interrupted");
    tac_settled file;
    tac_status status = tac_settle(path, watch, &file, err);
    if (!status)
        status = read_settled(path, &file, kind, watch, out, err);
    return tac_settled_close(&file, status, err);
}

tac_status figures_slurp(const struct figures_input *input, char **text, size_t *size,
                         tac_error *err)
{
    char *bytes;
    size_t length;
    if (input->text) {
        *text = tac_strndup(input->text, input->text_size);
        *size = input->text_size;
        return TAC_OK;
    }
    tac_status status = tac_input_slurp(input->path, FIGURES_TEXT_MAX, &bytes, &length, err);
    if (status)
        return status;
    *text = text_decode(bytes, length, input->encoding, size);
    free(bytes);
    return TAC_OK;
}

bool figures_next_line(const char **at, const char *end, const char **line, size_t *length)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *line = *at;
    *length = (size_t)((stop ? stop : end) - *at);
    *at = stop ? stop + 1 : end;
    while (*length && (*line)[*length - 1] == '\r') /* some tools write two of them */
        --*length;
    record_uncolour(line, length);
    return true;
}
