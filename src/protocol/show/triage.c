/* Reading and asking a triage file. See triage.h. */
#include "protocol/show/triage.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include <string.h>

/* The next field of a line, trimmed; the caller's. */
static char *take_field(char **at, char separator, bool last)
{
    char *start = *at, *end = last ? NULL : strchr(start, separator);
    size_t length = end ? (size_t)(end - start) : strlen(start);
    *at = end ? end + 1 : start + length;
    while (length && (*start == ' ' || *start == '\t')) {
        start++;
        length--;
    }
    while (length && strchr(" \t\r", start[length - 1]))
        length--;
    return tac_strndup(start, length);
}

static tac_status take_line(const char *path, size_t number, char *text, struct triage *out,
                            tac_error *err)
{
    char separator = strchr(text, '\t') ? '\t' : ',';
    struct triage_line line = {.line = number};
    line.recording = take_field(&text, separator, false);
    line.call = take_field(&text, separator, false);
    char *finding = take_field(&text, separator, false);
    line.reason = take_field(&text, separator, true);
    line.real = !strcmp(finding, "real");
    bool header = !out->lines.count && !strcmp(line.recording, "recording");
    bool fine = (line.real || !strcmp(finding, "false")) && *line.recording && *line.call;
    free(finding);
    if (fine) {
        tac_vec_push(&out->lines, line);
        return TAC_OK;
    }
    free(line.recording);
    free(line.call);
    free(line.reason);
    if (header)
        return TAC_OK;
    return tac_fail_at(
        err, TAC_E_INPUT, path, number, 0,
        "expected a recording, a call, 'real' or 'false', and a reason, separated by "
        "tabs or commas");
}

tac_status triage_read(const char *path, struct triage *out, tac_error *err)
{
    tac_input *input = NULL;
    tac_status status = tac_input_open(path, &input, err);
    *out = (struct triage){0};
    while (status == TAC_OK) {
        char *text;
        size_t length;
        status = tac_input_line(input, 1 << 16, &text, &length, err);
        if (status != TAC_OK || !text)
            break;
        if (length && *text != '#' && strspn(text, " \t\r") < length)
            status = take_line(path, tac_input_line_number(input), text, out, err);
    }
    tac_input_close(input);
    if (status != TAC_OK)
        triage_free(out);
    return status;
}

/* "a/b/x.trace.pb.xz" is the recording "x.trace.pb.xz", "x.trace.pb" and "x.trace". */
static bool is_recording(const char *trace, const char *name)
{
    const char *base = tac_base_name(trace);
    size_t length = strlen(name);
    if (strncmp(base, name, length))
        return false;
    return TAC_IS_ONE_OF(base + length, "", ".xz", ".gz", ".pb", ".jsonl", ".pb.xz", ".pb.gz",
                         ".jsonl.xz", ".jsonl.gz");
}

static bool is_call(const char *method, const char *name)
{
    size_t n = strlen(name), m = strlen(method);
    return !strcmp(method, name) ||
           (m > n && method[m - n - 1] == '.' && !strcmp(method + m - n, name));
}

enum triage_finding triage_find(const struct triage *t, const char *trace, const char *method)
{
    enum triage_finding found = TRIAGE_OPEN;
    for (size_t i = 0; i < t->lines.count; i++) {
        struct triage_line *line = &t->lines.at[i];
        if (!is_recording(trace, line->recording) || !is_call(method, line->call))
            continue;
        line->used = true;
        found = line->real || found == TRIAGE_REAL ? TRIAGE_REAL : TRIAGE_FALSE;
    }
    assert(found <= TRIAGE_FALSE);
    return found;
}

void triage_free(struct triage *t)
{
    for (size_t i = 0; i < t->lines.count; i++) {
        free(t->lines.at[i].recording);
        free(t->lines.at[i].call);
        free(t->lines.at[i].reason);
    }
    tac_vec_free(&t->lines);
}
