/* The tactus program as a helper of one request: its arguments are a list, never a line for a
 * shell; its working folder is the one served; texts of the request are files of memory. It dies
 * with the server, and when a newer request of the same page takes its place. */
#pragma once

#include "base/data/str.h"
#include "base/data/vec.h"
#include "serve/http/request.h"

enum { MOST_TEXTS = 4 };

#define HELPER_FILE "/proc/self/fd/9" /* what is written there becomes helped.file */

/* The words of a command. A zeroed struct is empty. */
struct words {
    TAC_VEC(char *) at;
    int texts[MOST_TEXTS]; /* descriptors of files of memory */
    size_t text_count;
};

/* Words with blanks between, and a flag or NULL. */
struct words words_of(const char *line, const char *flag);
void add_word(struct words *words, const char *word);
void add_flag(struct words *words, const char *name);
/* "--name=value": whatever the value begins with. */
void add_option(struct words *words, const char *name, const char *value);
/* A file of memory with this text; its name in the helper is static. */
const char *add_text(struct words *words, const char *text, size_t size);
void free_words(struct words *words);

struct helped {
    char *output, *complaints, *file; /* standard output and error, HELPER_FILE; terminated */
    size_t output_size, file_size;
    int exit_code;   /* -1: ended by a signal */
    bool superseded; /* a newer request of the page took its place, or the server ends */
};

/* page: whose request it is, or NULL. TAC_E_LIMIT: the output is too long. */
tac_status help_request(struct request *request, struct words *words, const char *page,
                        struct helped *out, tac_error *err);
void free_helped(struct helped *helped);
/* The same; true where the exit code is 0, or with `verdicts` 1 or 3. If not, what the program
 * complained about is the answer to the request. */
bool help_answers(struct request *request, struct words *words, const char *page, bool verdicts,
                  struct helped *out);
/* The JSON document that the program printed, with "exit" in it, the caller's; or NULL, after what
 * it complained about. */
json_t *help_document(struct request *request, struct words *words, const char *page,
                      struct helped *out);
/* Answers with the JSON document that the program printed. */
void answer_helped(struct request *request, struct words *words, const char *page);
/* An error from what it complained about; answers the request. */
void answer_complaint(struct request *request, const struct helped *helped);
void helpers_cancel_all(tac_portal *portal);
