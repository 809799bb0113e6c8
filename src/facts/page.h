/* The page that is said of a file: rows of a name and a value. A kind of file is a row of the table
 * in registry.c: how it is told, and what fills its page. */
#pragma once

#include "base/data/str.h"
#include "base/describe/describe.h"
#include "facts/facts.h"
#include <stdbool.h>

/* kind and title must live as long as the page. */
tac_facts *page_new(const char *path, const char *kind, const char *title);
void page_number(tac_facts *page, const char *name, int64_t value);
void page_text(tac_facts *page, const char *name, const char *text);
void page_textf(tac_facts *page, const char *name, const char *format, ...) TAC_PRINTF(3, 4);
void page_warn(tac_facts *page, const char *format, ...) TAC_PRINTF(2, 3);

#define FACTS_TEXT_MAX ((size_t)256 << 20)

/* What is read: a trace from its path, anything else from its text. */
struct facts_input {
    const char *path;
    const char *text; /* UTF-8, terminated; NULL for a trace */
    size_t size;
    tac_watch *watch; /* may be NULL */
};

/* Fills the page. What could be read before a defect stays; the defect is a warning. */
typedef tac_status facts_reader(const struct facts_input *input, tac_facts *page, tac_error *err);

/* trace.c: any format of traces; its name is that of the reader that takes it. */
tac_status page_of_trace(const struct facts_input *input, const char *format, tac_facts *page,
                         tac_error *err);
facts_reader page_of_lines;                     /* lines.c: by the rules of its kind */
facts_reader page_of_memory, page_of_frames;    /* dumps.c: dumpsys meminfo, gfxinfo */
facts_reader page_of_netstats, page_of_qtaguid; /* traffic.c */
facts_reader page_of_report; /* bugreport.c: from the path; what is beside its trace */
facts_reader page_of_stack;  /* stack.c */
facts_reader page_of_firefox, page_of_safari; /* browser.c */

/* stack.c: how much of a text's beginning is a stack: 2 = most, 1 = some of it. */
int stack_sniff(const char *head, size_t size);

/* `tactus facts --json`. A page without a kind is about a file that could not be read. */
struct facts_document {
    tac_facts *const *pages;
    size_t count;
};
DESCRIBED(facts_document, struct facts_document);
