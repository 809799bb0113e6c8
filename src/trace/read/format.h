/* One descriptor per trace format; registry.c lists them. To add a format, write one file
 * with one descriptor and name it in the list and in meson.build. */
#pragma once

#include "trace/read/source.h"

/* What is known about an input before it is opened by a format. */
struct trace_probe {
    const char *path;
    bool is_folder;
    const char *head; /* the first bytes, terminated; "" for a folder */
    size_t size;
};

struct trace_format {
    const char *name;    /* "csv" */
    const char *endings; /* file name endings, "|.csv|.tsv|"; decides between equal scores */
    const char *summary; /* for messages and the manual */
    bool is_folder;      /* opened without a window */
    /* 0 = no; 1 = possibly; 2 = surely. */
    int (*sniff)(const struct trace_probe *probe);
    /* Reads the header: variables and meta data are known afterwards. */
    tac_status (*open)(tac_trace_source *source, tac_error *err);
    /* Commits states until the block is full, the input has ended (sets source->ended) or waiting
     * for more would hold back what is there. */
    tac_status (*fill)(tac_trace_source *source, tac_error *err);
    void (*close)(tac_trace_source *source); /* frees source->reader */
};

extern const struct trace_format trace_format_binary;
extern const struct trace_format trace_format_csv;
extern const struct trace_format trace_format_droidbot;
extern const struct trace_format trace_format_jsonl;
extern const struct trace_format trace_format_logcat;
extern const struct trace_format trace_format_batterystats;
extern const struct trace_format trace_format_bugreport;
extern const struct trace_format trace_format_chrome;
extern const struct trace_format trace_format_har;
extern const struct trace_format trace_format_pcap;
extern const struct trace_format trace_format_perfetto;
extern const struct trace_format trace_format_systrace;
extern const struct trace_format trace_format_scpi;

const struct trace_format *trace_format_find(const char *name); /* NULL when unknown */
const struct trace_format *trace_format_guess(const struct trace_probe *probe);
/* "csv, jsonl, ..." for messages. */
const char *trace_format_list(void);
