/* Rules and recordings of texts. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include "base/data/alloc.h"
#include "protocol/problem/problem.h"
#include "tactus_test.h"

__attribute__((unused)) static tac_status rules_of_text(const char *text, tac_protocol_rules **out,
                                                        tac_diagnostics *findings, tac_error *err)
{
    const char *path = test_write("rules.spec", text);
    return tac_protocol_rules_read(&path, 1, out, findings, err);
}

__attribute__((unused)) static tac_status recording_of_bytes(const char *data, size_t size,
                                                             tac_recording **out, tac_error *err)
{
    struct recording *events = NULL, *all = NULL;
    tac_status status = recording_parse("trace", data, size, &events, &all, err);
    if (status != TAC_OK)
        return status;
    *out = tac_calloc(1, sizeof **out);
    **out = (struct tac_recording){.events = events, .all = all};
    return TAC_OK;
}

#endif
