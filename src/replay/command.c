/* Programs as subjects: a recorder that is loaded into the program's virtual machine. */
#include "replay/subject.h"

tac_status tac_subject_open_command(const char *const *words, size_t count, tac_subject **out,
                                    tac_error *err)
{
    (void)out;
    return tac_fail(err, TAC_E_MISSING, "there is no recorder for the program '%s' in this build",
                    count ? words[0] : "");
}
