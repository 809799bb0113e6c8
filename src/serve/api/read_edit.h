/* An edit of a model from its JSON. */
#pragma once

#include "model/text/edit.h"
#include <jansson.h>

struct read_edit {
    struct model_edit edit; /* its texts are the JSON's */
};

/* out is to be freed in any case. */
tac_status read_edit(const json_t *json, struct read_edit *out, tac_error *err);
void read_edit_free(struct read_edit *read);
