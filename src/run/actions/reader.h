/* The words of an action file, one after the other. After the first mistake, which is kept, nothing
 * more is read. */
#ifndef TAC_RUN_ACTIONS_READER_H
#define TAC_RUN_ACTIONS_READER_H

#include "run/actions/file.h"

struct action_reader {
    const char *file, *at, *end, *line_start;
    uint32_t line;
    struct action_file *out;
    tac_error *err;
    tac_status status;
};

/* A mistake at the place that is read. */
void reader_wrong(struct action_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void reader_expected(struct action_reader *reader, const char *what);

void reader_step_on(struct action_reader *reader);
/* Blanks, line ends and comments. */
void reader_skip(struct action_reader *reader);
bool reader_word_char(char c);
size_t reader_word_length(const struct action_reader *reader);
bool reader_is_word(const struct action_reader *reader, const char *word);
bool reader_accept(struct action_reader *reader, const char *word);
bool reader_accept_mark(struct action_reader *reader, char mark);
const char *reader_take_word(struct action_reader *reader, const char *what);
/* "...", with the escapes of property files. */
const char *reader_take_text(struct action_reader *reader);
bool reader_starts_bare(const struct action_reader *reader);
const char *reader_take_xpath(struct action_reader *reader);
const char *reader_take_quoted_xpath(struct action_reader *reader);

/* step.c: from the place that is read to the end of the step. */
void action_step_read(struct action_reader *reader, struct action_step *step);

#endif
