/* What is kept for a reader. See kept.h. */
#include "run/kept/kept.h"
#include "base/check.h"
#include "base/data/map.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "base/io/text_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAIL_LINES = 120, TAIL_LINE = 2000, TEXTS = 8, TEXT_BYTES = 80, SCREEN_BYTES = 1 << 20 };

void log_tail_add(struct log_tail *tail, const char *line)
{
    char *copy = tac_strndup(line, strnlen(line, TAIL_LINE));
    if (tail->lines.count < TAIL_LINES) {
        tac_vec_push(&tail->lines, copy);
        return;
    }
    assert(tail->next < tail->lines.count);
    free(tail->lines.at[tail->next]);
    tail->lines.at[tail->next] = copy;
    tail->next = (tail->next + 1) % TAIL_LINES;
}

void log_tail_write(const struct log_tail *tail, const char *path)
{
    tac_str text = {0};
    tac_error ignored;
    for (size_t i = 0; i < tail->lines.count; i++)
        tac_str_addf(&text, "%s\n", tail->lines.at[(tail->next + i) % tail->lines.count]);
    if (text.length)
        tac_text_file_write(path, text.text, &ignored);
    tac_str_free(&text);
}

void log_tail_free(struct log_tail *tail)
{
    for (size_t i = 0; i < tail->lines.count; i++)
        free(tail->lines.at[i]);
    tac_vec_free(&tail->lines);
    tail->next = 0;
}

json_t *start_of_text(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    while (length && text[length] && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return tac_json_string_n(text, length);
}

static bool is_title(const tac_ui_node *node)
{
    const char *slash = strrchr(node->resource_id, '/');
    return strstr(slash ? slash : node->resource_id, "title") != NULL;
}

/* What a person would read first; nothing that was typed. */
static json_t *screen_json(int64_t run, const char *name, const char *activity, const tac_ui *ui)
{
    json_t *texts = json_array();
    const char *title = "";
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *node = &ui->nodes[i];
        const char *text = *node->text ? node->text : node->description;
        if (!*text || (node->flags & TAC_UI_EDITABLE))
            continue;
        if (!*title && is_title(node))
            title = text;
        if (json_array_size(texts) < TEXTS)
            json_array_append_new(texts, start_of_text(text, TEXT_BYTES));
    }
    return json_pack("{s:I,s:o,s:o,s:o,s:o}", "run", (json_int_t)run, "name", tac_json_string(name),
                     "activity", tac_json_string(activity), "title",
                     start_of_text(title, TEXT_BYTES), "texts", texts);
}

/* Whether a run before this one, or this one, has kept the screen. A file that does not say whose
 * it is was kept by a version that took the first comer. */
static bool is_kept(const char *path, int64_t run)
{
    tac_json file;
    tac_error ignored;
    if (access(path, F_OK) != 0)
        return false;
    if (tac_json_load(path, SCREEN_BYTES, &file, &ignored) != TAC_OK)
        return false; /* damaged: kept anew */
    bool kept = json_integer_value(json_object_get(file.root, "run")) <= run;
    tac_json_free(&file);
    return kept;
}

bool keep_screen(const char *folder, int64_t run, const char *name, const char *activity,
                 const tac_ui *ui)
{
    uint64_t hash = tac_hash_bytes(name, strlen(name), 0);
    char *screens = tac_format("%s/screens", folder);
    char *path = tac_format("%s/%016llx.json", screens, (unsigned long long)hash);
    tac_error ignored;
    bool anew = false;
    assert(run >= 0);
    if (!is_kept(path, run) && (mkdir(screens, 0777) == 0 || errno == EEXIST)) {
        /* One worker at a time compares and replaces; where there are no locks, the last one wins.
         */
        int lock = open(screens, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (lock >= 0)
            flock(lock, LOCK_EX);
        if (!is_kept(path, run)) {
            json_t *document = screen_json(run, name, activity, ui);
            char *text = tac_json_text(document, JSON_COMPACT);
            anew = tac_output_write_file(path, text, strlen(text), &ignored) == TAC_OK;
            free(text);
            json_decref(document);
        }
        if (lock >= 0)
            close(lock);
    }
    free(path);
    free(screens);
    return anew;
}
