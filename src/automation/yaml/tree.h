/* YAML documents as trees with places, and the tags by which Home Assistant joins files.
 *
 * A library of documents is one folder: nothing outside it is ever read. Each file is read once and
 * kept; aliases share their node, so a file cannot grow by them, and whoever walks a tree that
 * shares nodes counts its steps (tree_step). A file that is broken or missing becomes a
 * diagnostic with its place, and its node is empty. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "tactus/error.h"
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum tree_kind { TREE_EMPTY, TREE_SCALAR, TREE_LIST, TREE_MAP };

struct tree_node {
    enum tree_kind kind;
    bool plain;            /* an unquoted scalar, which YAML 1.1 may read as a boolean */
    uint32_t file, line;   /* place in the library's files; lines from 1 */
    const char *tag;       /* "!secret" and the like; NULL for ordinary nodes */
    const char *text;      /* TREE_SCALAR; terminated */
    size_t count;          /* elements or pairs */
    struct tree_node **at; /* TREE_LIST: elements; TREE_MAP: values */
    const char **keys;     /* TREE_MAP */
    uint32_t *key_lines;   /* TREE_MAP */
};

struct tree_file {
    const char *path;       /* relative to the folder */
    struct tree_node *root; /* NULL: being read, or broken */
    uint32_t *includes;     /* the files it includes, as far as they were followed */
    size_t include_count, include_capacity;
};

struct tree_library {
    tac_arena arena;
    char *folder;     /* real path, no slash at its end */
    const char *base; /* where secrets.yaml lies, with its slash; NULL: at the top */
    struct tree_file *files;
    size_t file_count, file_capacity;
    size_t bytes;             /* read so far */
    uint64_t steps;           /* walked so far: see tree_step */
    const char *overlay_path; /* this file has the text below instead of its own; may be NULL */
    const char *overlay_text;
    struct tree_node *secrets; /* secrets.yaml, or NULL */
    bool secrets_read;
    tac_diagnostics *diagnostics;
};

/* folder must exist. The diagnostics are the caller's. */
tac_status tree_library_open(struct tree_library *library, const char *folder,
                             tac_diagnostics *diagnostics, tac_error *err);
void tree_library_close(struct tree_library *library);

/* The document of a file named relative to the folder; NULL after a diagnostic. */
struct tree_node *tree_load(struct tree_library *library, const char *path);
/* The same for a file that another includes; a ring of includes is refused where it closes. */
struct tree_node *tree_include(struct tree_library *library, uint32_t from, const char *path);
/* What a node with one of Home Assistant's tags stands for (others: itself). Never NULL. */
struct tree_node *tree_resolve(struct tree_library *library, struct tree_node *node);
/* False, after one diagnostic, when more nodes were walked than a real configuration has. */
bool tree_step(struct tree_library *library, const struct tree_node *at);

/* The value of a key, resolved; NULL when absent. The second looks for two spellings. */
struct tree_node *tree_get(struct tree_library *library, const struct tree_node *map,
                           const char *key);
struct tree_node *tree_get2(struct tree_library *library, const struct tree_node *map,
                            const char *key, const char *other);
/* The text of a scalar, YAML 1.1 booleans spelt "on" and "off"; NULL for other nodes and nulls. */
const char *tree_text(const struct tree_node *node);
/* 1, 0, or -1 when the node is not a boolean in any usual spelling. */
int tree_boolean(const struct tree_node *node);

void tree_warn(struct tree_library *library, const struct tree_node *at, const char *format, ...)
    TAC_PRINTF(3, 4);

/* The real path of a file or folder named relative to the library's; false when there is none or it
 * lies outside, by dots or by a link. */
bool tree_inside(const struct tree_library *library, const char *path, char real[PATH_MAX]);

/* include.c: the files of a folder in the order Home Assistant reads them; names relative to the
 * library's folder. False when it cannot be read. */
bool tree_list_folder(struct tree_library *library, const char *folder, const char ***paths,
                      size_t *count);
