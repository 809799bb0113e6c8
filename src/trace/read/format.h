/* One descriptor per trace format; formats.def lists them. To add a format, write one file with one
 * descriptor and name it in the list and in meson.build. */
#pragma once

#include "trace/read/source.h"

/* What is known about an input before it is opened by a format. */
struct trace_probe {
    const char *path;
    bool is_folder;
    const char *head; /* the first bytes, terminated; "" for a folder */
    size_t size;
};

enum trace_format_id {
#define TRACE_FORMAT(id, name, what) TRACE_##id,
#include "trace/read/formats.def"
#undef TRACE_FORMAT
    TRACE_FORMATS /* how many there are; a trace that is in no file */
};

struct trace_format {
    enum trace_format_id id; /* its row in formats.def */
    const char *endings;     /* file name endings, "|.csv|.tsv|"; decides between equal scores */
    bool is_folder;          /* opened without a window */
    /* 0 = no; 1 = possibly; 2 = surely. */
    int (*sniff)(const struct trace_probe *probe);
    /* Reads the header: variables and meta data are known afterwards. */
    tac_status (*open)(tac_trace_source *source, tac_error *err);
    /* Commits states until the block is full, the input has ended (sets source->ended) or waiting
     * for more would hold back what is there. */
    tac_status (*fill)(tac_trace_source *source, tac_error *err);
    void (*close)(tac_trace_source *source); /* frees source->reader */
};

#define TRACE_FORMAT(id, name, what) extern const struct trace_format trace_format_##name;
#include "trace/read/formats.def"
#undef TRACE_FORMAT

/* A row of formats.def. */
struct trace_format_row {
    const char *name, *what;
    const struct trace_format *format;
};
extern const struct trace_format_row trace_formats[];

const struct trace_format *trace_format_find(const char *name); /* NULL when unknown */
const struct trace_format *trace_format_guess(const struct trace_probe *probe);
const char *trace_format_name(const struct trace_format *format); /* "csv" */
/* "jsonl, binary, ..." for messages. */
const char *trace_format_list(void);
