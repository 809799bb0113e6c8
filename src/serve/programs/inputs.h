/* What requests name for the programs that answer them: a file of the folder, or a text. */
#pragma once

#include "serve/programs/helper.h"

/* As an option, or as an argument where option is NULL: the file that `path_field` names, or the
 * text in `text_field`. False after an answer: also when neither is given and one is needed. */
bool add_input(struct request *request, struct words *words, const char *option,
               const char *path_field, const char *text_field, bool needed);
/* A whole number within limits as an option; absent ones are left out, or `otherwise` (-1: left
 * out). False after an answer. */
bool add_number(struct request *request, struct words *words, const char *option, const char *field,
                long long most, long long otherwise);
