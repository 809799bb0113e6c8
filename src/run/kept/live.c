/* Telling where a run is. See live.h. */
#include "run/kept/live.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/kept/kept.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NODES = 120, MOST_TEXT = 60, MOST_WORKERS = 1000 };
static const double interval = 0.4;

void live_open(struct live_view *live, const char *campaign, size_t worker)
{
    if (live->path)
        return;
    live->folder = tac_format("%s/live", campaign);
    live->path = tac_format("%s/%zu.json", live->folder, worker);
    mkdir(live->folder, 0777);
}

void live_close(struct live_view *live)
{
    if (live->path) {
        unlink(live->path);
        rmdir(live->folder); /* the last worker's succeeds */
    }
    live_forget(live);
    free(live->path);
    free(live->folder);
    *live = (struct live_view){0};
}

bool live_is_due(const struct live_view *live)
{
    return live && live->path && tac_now() - live->told >= interval;
}

void live_forget(struct live_view *live)
{
    json_decref(live->sketch);
    live->sketch = NULL;
}

void live_see(struct live_view *live, const tac_ui *ui)
{
    int32_t wide = 0, tall = 0;
    if (!live_is_due(live))
        return;
    json_t *boxes = json_array();
    for (uint32_t i = 0; i < ui->count; i++) {
        const tac_ui_node *node = &ui->nodes[i];
        const char *text = *node->text ? node->text : node->description;
        bool editable = node->flags & TAC_UI_EDITABLE, clickable = node->flags & TAC_UI_CLICKABLE;
        wide = node->right > wide ? node->right : wide;
        tall = node->bottom > tall ? node->bottom : tall;
        if ((!*text && !editable && !clickable) || node->right <= node->left ||
            node->bottom <= node->top || json_array_size(boxes) >= MOST_NODES)
            continue;
        json_array_append_new(boxes, json_pack("[i,i,i,i,s,o]", node->left, node->top, node->right,
                                               node->bottom,
                                               editable    ? "field"
                                               : clickable ? "button"
                                                           : "text",
                                               start_of_text(editable ? "" : text, MOST_TEXT)));
    }
    json_decref(live->sketch);
    live->sketch =
        json_pack("{s:i,s:i,s:o}", "width", (int)wide, "height", (int)tall, "boxes", boxes);
}

void live_tell(struct live_view *live, json_t *document)
{
    tac_error ignored;
    if (live->sketch)
        json_object_set(document, "sketch", live->sketch);
    char *text = tac_json_text(document, JSON_COMPACT);
    tac_output_write_file(live->path, text, strlen(text), &ignored);
    live->told = tac_now();
    free(text);
    json_decref(document);
}

void live_clean(const char *campaign)
{
    char *folder = tac_format("%s/live", campaign);
    for (unsigned worker = 0; worker < MOST_WORKERS && rmdir(folder) != 0 && errno == ENOTEMPTY;
         worker++) {
        char *path = tac_format("%s/%u.json", folder, worker);
        unlink(path);
        free(path);
    }
    free(folder);
}
