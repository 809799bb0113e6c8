/* Flows and models for other tools: test scripts that perform flows, and Promela for SPIN. */
#pragma once

#include "tactus/flow_file.h"
#include "tactus/requirement.h"

typedef enum tac_export_format {
    TAC_EXPORT_MAESTRO,     /* YAML, two documents a flow and device */
    TAC_EXPORT_WEBDRIVER,   /* W3C WebDriver commands, one JSON document */
    TAC_EXPORT_WDIO,        /* a WebdriverIO (mocha) script */
    TAC_EXPORT_UIAUTOMATOR, /* a Java class of JUnit tests */
    TAC_EXPORT_PROMELA,     /* a process that performs one of the flows */
    TAC_EXPORT_PLAYWRIGHT   /* a spec file for @playwright/test */
} tac_export_format;

/* What the exported flows drive, which decides how elements are found: Android's hierarchy, iOS's,
 * or a web page. TAC_EXPORT_ANY: a web page where the flow's package is a host or an address, else
 * Android. */
typedef enum tac_export_platform {
    TAC_EXPORT_ANY,
    TAC_EXPORT_ANDROID,
    TAC_EXPORT_IOS,
    TAC_EXPORT_WEB
} tac_export_platform;

typedef struct tac_export_options {
    tac_export_format format;
    tac_export_platform platform;
    const char *url;    /* the page that web flows start at; NULL = the host's first page */
    const char *device; /* of flows of several devices only this one's steps, the others' as notes
                           where they happen; NULL = all */
    /* Is told, a line each, of the actions and expectations that the format cannot express; NULL =
     * nobody. */
    void (*tell)(void *context, const char *line);
    void *context;
} tac_export_options;

typedef struct tac_exporter tac_exporter;

/* A flow file as a whole: reads it and writes the export. name is that of the file being written,
 * for titles and class names. TAC_E_INPUT when the file has no flows. */
tac_status tac_flow_export_to(const char *path, const tac_export_options *options, const char *name,
                              FILE *out, uint64_t *unsaid, tac_error *err);
/* tac_flow_export_to with one file per flow in a folder (created when missing), and per device
 * where a file of the format is of one; *files is how many. Promela and WebDriver too, though they
 * have room for all in one. */
tac_status tac_flow_export_folder_to(const char *path, const tac_export_options *options,
                                     const char *folder, uint64_t *files, uint64_t *unsaid,
                                     tac_error *err);

/* The model as Promela: one process per device. Run by SPIN (the first lines of the output say how)
 * it prints every flow of up to `length` events, "FLOW kind: event event ...", all interleavings of
 * several devices. With a requirement the file ends with a pruning never claim, and every witness
 * is printed, "WITNESS: event event ...", and is an assertion violation. Unknown names of the
 * requirement are in diagnostics (not NULL). */
tac_status tac_promela_write(const tac_model *model, uint32_t length,
                             const tac_requirement *requirement, tac_diagnostics *diagnostics,
                             FILE *out, tac_error *err);
