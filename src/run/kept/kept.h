/* What a run keeps beside its trace for a reader: what screens showed, and the log before its end.
 */
#pragma once

#include "base/data/vec.h"
#include "device/device.h"
#include "tactus/model.h"
#include <jansson.h>

/* The last lines of the logs, the oldest overwritten. */
struct log_tail {
    TAC_VEC(char *) lines;
    size_t next; /* where the next line goes once it is full */
};

void log_tail_add(struct log_tail *tail, const char *line);
/* Writes FOLDER/failures/ID.log; nothing when there are no lines. Best effort. */
void log_tail_write(const struct log_tail *tail, const char *path);
void log_tail_free(struct log_tail *tail);

/* At most so many bytes of a text, whole characters. */
json_t *start_of_text(const char *text, size_t most);

/* FOLDER/screens/HASH.json, once for each screen: {"run","name","activity","title","texts"}, as the
 * earliest run of the campaign first saw it, in whatever order workers do the runs. Best effort: it
 * is for reading, no result depends on it. True when this call has kept it. */
bool keep_screen(const char *folder, int64_t run, const char *name, const char *activity,
                 const tac_ui *ui);

/* --- pictures.c: what screens look like, beside what they say --- */
/* FOLDER/screens/HASH.png, once for each screen, as far as the device gives one; anew: also when
 * there is one already. Best effort. */
void keep_picture(const char *folder, const char *name, tac_device *device, bool anew);
bool has_picture(const char *folder, const char *name);
/* "screens/HASH.png" or so, NULL when there is none; the caller's. */
char *picture_file(const char *folder, const char *name);
/* Copies the pictures that the states of a model name (image), from where the model stands to
 * FOLDER/screens, under the names that flows give the states: "MACHINE/STATE". Pictures outside the
 * model's folder, and what is not a PNG or JPEG, are left out. Best effort. */
void keep_model_pictures(const char *folder, const char *model_path, const tac_model *model);
