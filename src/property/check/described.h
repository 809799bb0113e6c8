/* What is known of checked traces, described: the keys of `tactus check --json`, and what a process
 * of the pool sends to its parent. */
#pragma once

#include "base/describe/describe.h"
#include "property/property.h"

DESCRIBED(property_witness, tac_witness);
DESCRIBED(property_result, tac_property_result);
DESCRIBED(check_report, tac_check_report);
DESCRIBED(check_news, tac_check_news);
DESCRIBED(calibration, tac_calibration);

/* What came of one trace as bytes: the trace, or where that is NULL the error. */
void checked_pack(tac_str *out, const tac_checked_trace *trace, const tac_error *error);
/* What was sent: the trace, or the error as this call's own. */
tac_status checked_unpack(const char *data, size_t size, tac_checked_trace *out, tac_error *err);
