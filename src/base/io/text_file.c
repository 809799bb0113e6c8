/* Files that a person reads. See text_file.h. */
#include "base/io/text_file.h"
#include "base/data/visible.h"
#include "base/io/output.h"

tac_status tac_text_file_write(const char *path, const char *text, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    FILE *shown = tac_visible_stream(output.file, false, false);
    fputs(text, shown);
    fclose(shown); /* a failure stays with the file below */
    return tac_output_commit(&output, err);
}
