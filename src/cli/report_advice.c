/* What the command line says to readers of reports. */
#include "cli/report_advice.h"
#include "base/data/quote.h"
#include "base/data/str.h"

char *reproduce_command_line(const tac_report_failure *failure)
{
    tac_str command = {0};
    tac_str_add(&command, "tactus reproduce ");
    tac_quote_shell(&command, failure->folder);
    tac_str_add(&command, failure->cluster ? " --cluster " : " --property ");
    tac_quote_shell(&command, failure->cluster ? failure->cluster : failure->property);
    tac_str_add(&command, " --device ");
    tac_quote_shell(&command, *failure->device ? failure->device : "URI");
    tac_str_add(&command, " -o shortest");
    return tac_str_take(&command);
}
