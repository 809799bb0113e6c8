/* Witnesses read from documents of verify, and shown again. */
#include "fuzz_target.h"
#include "protocol/result.h"
#include "tactus/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_protocol_result result;
    json_t *document = size > 65536 ? NULL : json_loadb((const char *)data, size, 0, NULL);
    if (document && tac_protocol_witness_read(document, &result, NULL) == TAC_OK) {
        json_decref(tac_protocol_verify_json(&result));
        tac_protocol_result_free(&result);
    }
    json_decref(document);
    return 0;
}
