/* The text border of the program: whatever is printed passes it, so that nothing can be forgotten.
 *
 * Standard output and standard error are replaced by streams that show control characters, escape
 * sequences, bidirectional controls and line separators instead of passing them on
 * (base/data/visible.h), redirected or not. What is written on purpose goes around it: the progress
 * line to terminal_stream, binary files to tac_output_open_binary. */
#include "base/data/visible.h"
#include "cli/frame.h"
#include <unistd.h>

static FILE *raw_output, *raw_error;

void text_border_start(void)
{
    raw_output = stdout;
    raw_error = stderr;
    stdout = tac_visible_stream(raw_output, false, true);
    stderr = tac_visible_stream(raw_error, false, true);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    if (isatty(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

bool text_border_end(void)
{
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    FILE *output = stdout, *error = stderr;
    stdout = raw_output;
    stderr = raw_error;
    written = fclose(output) == 0 && written;
    fclose(error);
    return written;
}

FILE *terminal_stream(void)
{
    fflush(stderr);
    return raw_error;
}
