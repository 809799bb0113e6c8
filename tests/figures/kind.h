/* One descriptor per kind of file; kinds.def lists them, in the order in which they are asked. To
 * add a kind, write one file with one descriptor, and one line each in kinds.def and meson.build.
 */
#ifndef TAC_FACTS_KIND_H
#define TAC_FACTS_KIND_H

#include "base/data/str.h"
#include "figures/figures.h"
#include <stdbool.h>

/* What is known about a file before a kind reads it. */
struct figures_input {
    const char *path;
    bool is_folder;
    const char *head; /* the first bytes (unpacked; UTF-16 as UTF-8), terminated */
    size_t head_size; /* of head */
    const char *raw;  /* the first bytes as they are in the (unpacked) file */
    size_t raw_size;
    const char *encoding; /* of the text: "utf-8", "utf-8+bom", "utf-16le+bom", "utf-16le", ... */
    const char *text;     /* a part of a file, decoded: read this instead of the path; or NULL */
    size_t text_size;
    tac_watch *watch; /* may be NULL */
};

struct figures_kind {
    const char *name;    /* "meminfo" */
    const char *summary; /* for the manual */
    /* 0 = no; 1 = possibly; 2 = probably; 3 = surely. Of equal scores the first in the list wins.
     */
    int (*sniff)(const struct figures_input *input);
    /* Adds the values. What could be read before a defect stays; say the defect with figures_warn.
     */
    tac_status (*read)(const struct figures_input *input, struct figures *facts, tac_error *err);
};

#define FIGURES_KIND(name) extern const struct figures_kind figures_kind_##name;
#include "figures/kinds.def"
#undef FIGURES_KIND

/* --- Adding values ---------------------------------------------------------------------------- */

void figures_number(struct figures *facts, const char *name, int64_t value);
void figures_text(struct figures *facts, const char *name, const char *text);
void figures_textf(struct figures *facts, const char *name, const char *format, ...)
    TAC_PRINTF(3, 4);
void figures_warn(struct figures *facts, const char *format, ...) TAC_PRINTF(2, 3);
/* The same, as a callback (json_items_tell). */
void figures_warn_sentence(void *facts, const char *sentence);

/* --- Reading text ----------------------------------------------------------------------------- */

#define FIGURES_TEXT_MAX ((size_t)256 << 20)

/* The whole file, unpacked, as UTF-8 without a byte-order mark, with a NUL behind it; the caller's.
 */
tac_status figures_slurp(const struct figures_input *input, char **text, size_t *size,
                         tac_error *err);

/* The lines of a text, without their ends; `*at` walks from the text to its end. False at the end.
 */
bool figures_next_line(const char **at, const char *end, const char **line, size_t *length);

#endif
