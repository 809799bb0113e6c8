/* Answers of an SCPI instrument, as they arrive piece by piece. The first byte chooses the format.
 */
#include "fuzz_target.h"
#include "instrument/scpi_answer.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct scpi_format format = {.size = data[0] & 1 ? 8 : 4, .swapped = data[0] & 2};
    size_t length = 0, whole = size - 1;
    char *text = malloc(whole + 1); /* its own block, so that a read past the end is seen */
    memcpy(text, data + 1, whole);
    text[whole] = '\0';
    for (size_t have = whole / 2; have <= whole; have++)
        if (scpi_answer_length(text, have, &length, NULL) != TAC_OK || length > have)
            break;
    if (length > whole)
        abort();
    scpi_numbers numbers = {0};
    long code;
    (void)scpi_answer_numbers(text, length ? length : whole, format, &numbers, NULL);
    (void)scpi_answer_error(text, &code);
    tac_vec_free(&numbers);
    free(text);
    return 0;
}
