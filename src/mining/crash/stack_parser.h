/* A text with a stack while it is read: its lines, and the sections and frames found so far. */
#pragma once

#include "base/data/alloc.h"
#include "mining/crash/lines.h"

enum { MAX_SECTIONS = 64, MAX_FRAMES = 2000, MAX_LINES = 400000, MAX_MESSAGE_LINES = 200 };

struct section {
    const char *exception, *message;
    size_t first, count; /* of the frames */
};

struct stack_parser {
    const struct crash_reader *reader;
    tac_arena *arena;
    TAC_VEC(struct log_line) lines;
    TAC_VEC(struct stack_frame) frames;
    struct section sections[MAX_SECTIONS];
    size_t section_count;
    const char *process, *signal;
};

/* A copy that lives as long as the crash. */
const char *parser_keep(struct stack_parser *parser, const char *text, size_t length);
bool parser_frame(struct stack_parser *parser, const struct log_line *line,
                  struct stack_frame *frame);
/* Appends the lines of a text (text_lines.c). */
void parser_read_lines(struct stack_parser *parser, const char *text);
/* Breaks lines that hold several frames, as "x: text at a.b.C.d(C.java:1) at ..."; whether there
 * was one (text_lines.c). */
bool parser_break_lines(struct stack_parser *parser);
/* The line at which the block that counts begins; SIZE_MAX: there is none (find_block.c). *anr: it
 * is a thread of an app that did not respond. */
size_t parser_find_block(struct stack_parser *parser, bool *anr);
bool crash_is_fatal(const struct log_line *line);
bool crash_is_signal(const struct log_line *line); /* "signal 11 (SIGSEGV), ..." and the like */
/* Who crashed, where a line near the stack says so and nobody has said it before. */
void parser_note_process(struct stack_parser *parser, const struct log_line *line);
/* The first line that is wanted, trimmed when it is asked; SIZE_MAX: none. */
size_t parser_find(struct stack_parser *parser, bool (*wanted)(const struct log_line *));
/* NULL when there are too many. */
struct section *parser_open(struct stack_parser *parser);
void parser_add(struct stack_parser *parser, const struct stack_frame *frame);
/* "SIGSEGV" of a line, unless a signal is known already. */
void parser_note_signal(struct stack_parser *parser, const struct log_line *line);
/* "SIGSEGV" of "11"; NULL when the number is none of a crash's. */
const char *signal_of_number(const char *digits, const char *end);
/* Whether a line with a header is another tag's or process's. */
bool crash_is_of_others(const struct log_line *first, const struct log_line *line);
size_t crash_indent(const struct log_line *line);

/* Reports of other systems (other_systems.c): where Apple's and the sanitizers' stacks begin, with
 * what they call the crash noted; Python's tracebacks. */
size_t find_apple(struct stack_parser *parser);
size_t find_sanitizer(struct stack_parser *parser);
size_t find_vm_dump(struct stack_parser *parser);
bool is_traceback(const struct log_line *line);
void parse_traceback(struct stack_parser *parser, size_t from);
/* Apple's reports as JSON (.ips files); false: the text is not one (apple_json.c). */
bool read_apple_json(struct stack_parser *parser, const char *text);
