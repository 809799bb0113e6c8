/* What other modules use of this one beside tactus/flow_file.h. */
#pragma once

#include "tactus/flow_file.h"

/* "exit", "stuck", "truncated", "witness" */
const char *tac_flow_kind_name(tac_flow_kind kind);
bool tac_flow_kind_parse(const char *name, tac_flow_kind *out);

/* One flow in memory, as it stands in a line of a file; name is for messages. The caller closes it.
 */
tac_flow_file *tac_flow_file_of_text(const char *name, const char *text, size_t size);
size_t tac_flow_file_line(const tac_flow_file *file); /* of the flow last returned */

/* One line of the file, the caller's. */
json_t *tac_flow_json(const tac_flow *flow);
