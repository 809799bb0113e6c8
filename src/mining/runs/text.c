/* The text form, one run a line: LABEL tok tok ...; and label files, NAME LABEL. Streaming; blank
 * lines and lines that start with '#' are skipped. LABEL '0' = pass, '?' = not known, anything else
 * names the failing cluster. */
#include "base/data/text.h"
#include "base/io/input.h"
#include "mining/runs/runs.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Cuts the next word out of *at (terminated in place); NULL at the end of the line. */
static char *next_word(char **at, char *end, size_t *length)
{
    char *word = *at;
    while (word < end && is_blank(*word))
        word++;
    if (word >= end)
        return NULL;
    char *stop = word;
    while (stop < end && !is_blank(*stop))
        stop++;
    *length = (size_t)(stop - word);
    *stop = '\0';
    *at = stop < end ? stop + 1 : end;
    return word;
}

static tac_status read_line(struct tac_runs *runs, const char *file, size_t number, char *line,
                            size_t length, tac_error *err)
{
    char *at = line, *end = line + length;
    size_t size;
    char *label = next_word(&at, end, &size);
    if (!label || label[0] == '#')
        return TAC_OK;
    if (memchr(line, '\0', (size_t)(label + size - line)))
        return tac_fail_at(err, TAC_E_INPUT, file, number, 1, "a NUL byte; runs are text");
    runs_begin_at(runs, file, number);
    for (char *word; (word = next_word(&at, end, &size));) {
        size_t column = (size_t)(word - line) + 1;
        if (size > MAX_TOKEN)
            return tac_fail_at(err, TAC_E_LIMIT, file, number, column,
                               "a token of %zu bytes; tokens are names of at most %d bytes", size,
                               MAX_TOKEN);
        if (memchr(word, '\0', size))
            return tac_fail_at(err, TAC_E_INPUT, file, number, column, "a NUL byte; runs are text");
        runs_token(runs, word, size);
    }
    tac_status status = runs_check(runs, file, number, err);
    if (status)
        return status;
    struct run_outcome outcome = {.label = strcmp(label, "?") == 0 ? NULL : label};
    return runs_end_with(runs, &outcome, file, number, err);
}

tac_status read_run_lines(struct tac_runs *runs, const char *path, const char *name,
                          read_run_line *read, tac_watch *watch, tac_error *err)
{
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status)
        return status;
    char *line;
    size_t length;
    while (!(status = tac_input_line(input, MAX_LINE, &line, &length, err)) && line) {
        size_t number = tac_input_line_number(input);
        size_t mark = number == 1 ? tac_byte_order_mark(line, length) : 0;
        line += mark;
        length -= mark;
        status = read(runs, name, number, line, length, err);
        if (!status && number % 256 == 0 && !tac_watch_tick(watch, "reading runs", number, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while reading %s", name);
        if (status)
            break;
    }
    tac_input_close(input);
    return status;
}

tac_status read_text_runs(struct tac_runs *runs, const char *path, const char *name,
                          tac_watch *watch, tac_error *err)
{
    return read_run_lines(runs, path, name, read_line, watch, err);
}

static tac_status read_label_line(struct tac_runs *runs, const char *file, size_t number,
                                  char *line, size_t length, tac_error *err)
{
    char *at = line, *end = line + length;
    size_t size;
    char *name = next_word(&at, end, &size);
    if (!name || name[0] == '#')
        return TAC_OK;
    char *label = next_word(&at, end, &size);
    if (!label)
        return tac_fail_at(err, TAC_E_INPUT, file, number, length + 1,
                           "expected NAME LABEL (label 0 = pass)");
    size_t before = runs->label_names.count;
    uint32_t id = tac_names_intern(&runs->label_names, name);
    if (id < before)
        return tac_fail_at(err, TAC_E_INPUT, file, number, 1, "a second label for '%.200s'", name);
    tac_vec_push(&runs->label_texts, tac_strdup(label));
    return TAC_OK;
}

tac_status read_labels(struct tac_runs *runs, const char *path, tac_error *err)
{
    runs->has_labels = true;
    return read_run_lines(runs, path, path, read_label_line, NULL, err);
}
