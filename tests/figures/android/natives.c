/* See natives.h. */
#include "figures/android/natives.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 4096 }; /* processes that are told apart: each is compared with each */

static bool is(struct text_span span, const char *text)
{
    return span.length == strlen(text) && !memcmp(span.at, text, span.length);
}

static bool starts(struct text_span span, const char *word)
{
    size_t n = strlen(word);
    return span.length >= n && !memcmp(span.at, word, n);
}

/* "11 (SIGSEGV), ..." as "11 SIGSEGV pid 9" */
static const char *signal_text(struct text_span told, uint32_t pid, tac_arena *arena)
{
    const char *end = told.at + told.length, *open = memchr(told.at, '(', told.length);
    const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
    return tac_arena_format(arena, "%d %.*s pid %" PRIu32, (int)strtol(told.at, NULL, 10),
                            close ? (int)(close - open - 1) : 0, close ? open + 1 : "", pid);
}

static void take_dump(struct natives *natives, uint32_t pid, struct text_span told,
                      tac_arena *arena)
{
    for (size_t i = 0; i < natives->dumps.count; i++)
        if (natives->dumps.at[i].pid == pid)
            return;
    if (natives->dumps.count == MOST_KEPT) {
        natives->more++;
        return;
    }
    tac_vec_push(&natives->dumps, (struct native_dump){pid, signal_text(told, pid, arena)});
}

void natives_take(struct natives *natives, const struct log_record *record, tac_arena *arena)
{
    struct text_span text = record->message;
    const char *at = memmem(text.at, text.length, "Fatal signal ", 13);
    bool dump = is(record->tag, "DEBUG"), unity = is(record->tag, "CRASH");
    if (at) {
        struct text_span told = {at + 13, (size_t)(text.at + text.length - at - 13)};
        if (!natives->count++)
            natives->first = signal_text(told, record->pid, arena);
        if (natives->signalled.count < MOST_KEPT)
            tac_vec_push(&natives->signalled, record->pid);
    } else if (dump && starts(text, "pid: ")) {
        natives->dumped_pid = (uint32_t)strtoul(text.at + 5, NULL, 10);
    } else if ((dump || unity) && starts(text, "signal ") &&
               memmem(text.at, text.length, "(SIG", 4)) {
        take_dump(natives, unity ? record->pid : natives->dumped_pid,
                  (struct text_span){text.at + 7, text.length - 7}, arena);
    }
}

void natives_tell(const struct natives *natives, struct figures *facts)
{
    int64_t alone = natives->more;
    const char *first = NULL;
    for (size_t i = 0; i < natives->dumps.count; i++) {
        bool told = false;
        for (size_t k = 0; k < natives->signalled.count && !told; k++)
            told = natives->signalled.at[k] == natives->dumps.at[i].pid;
        alone += !told;
        first = first || told ? first : natives->dumps.at[i].signal;
    }
    figures_number(facts, "native_crashes", natives->count);
    if (natives->first)
        figures_text(facts, "native1", natives->first);
    if (alone)
        figures_number(facts, "native_dumps", alone);
    if (first)
        figures_text(facts, "native_dump1", first);
}

void natives_free(struct natives *natives)
{
    tac_vec_free(&natives->signalled);
    tac_vec_free(&natives->dumps);
}
