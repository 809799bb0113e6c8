/* The lines that the page, the app or we ourselves have written, until somebody reads them. */
#include "base/data/alloc.h"
#include "device/web/webdriver.h"

enum { KEPT = 100000 };

static void free_line(struct web_line *line)
{
    free(line->tag);
    free(line->message);
    free(line->raw);
}

void wd_keep_line(struct webdriver *w, const tac_log_line *line)
{
    if (w->lines.count - w->next_line >= KEPT)
        free_line(&w->lines.at[w->next_line++]);
    tac_vec_push(&w->lines, (struct web_line){.time = line->time,
                                              .pid = line->pid,
                                              .tid = line->tid,
                                              .level = line->level,
                                              .tag = tac_strdup(line->tag),
                                              .message = tac_strdup(line->message),
                                              .raw = tac_strdup(line->raw)});
}

void wd_note(struct webdriver *w, char level, bool event, int64_t time, const char *message)
{
    char *raw = tac_format("%c %s: %s", level, event ? "mark" : "console", message);
    wd_keep_line(w, &(tac_log_line){.time = time,
                                    .level = level,
                                    .tag = event ? TAC_LOG_EVENT_TAG : "console",
                                    .message = message,
                                    .raw = raw});
    free(raw);
}

bool wd_next_line(struct webdriver *w, tac_log_line *out)
{
    if (w->next_line == w->lines.count) {
        w->next_line = w->lines.count = 0;
        return false;
    }
    free_line(&w->shown);
    w->shown = w->lines.at[w->next_line++];
    *out = (tac_log_line){.time = w->shown.time,
                          .pid = w->shown.pid,
                          .tid = w->shown.tid,
                          .level = w->shown.level,
                          .tag = w->shown.tag,
                          .message = w->shown.message,
                          .raw = w->shown.raw};
    return true;
}

void wd_free_lines(struct webdriver *w)
{
    for (size_t i = w->next_line; i < w->lines.count; i++)
        free_line(&w->lines.at[i]);
    free_line(&w->shown);
    tac_vec_free(&w->lines);
}
