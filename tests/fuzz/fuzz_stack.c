/* Stacks of any kind: the first line is the exception, the rest the stack. */
#include "fuzz_target.h"
#include "mining/mining.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    char *newline = strchr(text, '\n');
    if (newline)
        *newline = '\0';
    free(tac_stack_cluster(text, newline ? newline + 1 : NULL, "org.example,a.", "com.other."));
    free(tac_stack_cluster(NULL, newline ? newline + 1 : text, NULL, NULL));
    free(text);
    return 0;
}
