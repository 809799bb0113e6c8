#include "protocol/certificate.h"
void certificate_add(void *writer, const struct cone *cone, const struct target_result *targets,
                     const struct state_set *states)
{
    (void)writer;
    (void)cone;
    (void)targets;
    (void)states;
}
tac_status certificate_write(struct certificate_writer *writer, const tac_protocol_options *options,
                             const struct search_result *result, tac_error *err)
{
    (void)writer;
    (void)options;
    (void)result;
    return tac_fail(err, TAC_E_INTERNAL, "todo");
}
void certificate_free(struct certificate_writer *writer)
{
    (void)writer;
}
