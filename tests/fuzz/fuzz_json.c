/* JSON documents, and the search for the place of a value. */
#include "base/io/json.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_json json;
    tac_error err;
    if (tac_json_parse("fuzz", (const char *)data, size, &json, &err) != TAC_OK)
        return 0;
    tac_json_fail(&json, "/a/0/b~1c", &err, "a place");
    tac_json_fail(&json, "/x/1/2", &err, "another place");
    tac_json_free(&json);
    return 0;
}
