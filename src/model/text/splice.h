/* Changes of single elements in a model's text. */
#ifndef TAC_MODEL_SPLICE_H
#define TAC_MODEL_SPLICE_H

#include "model/text/edit.h"

/* A text that is being edited, and its outline. */
struct edited {
    char *text; /* owned */
    struct outline outline;
};

tac_status edited_open(struct edited *edited, const char *text, tac_error *err);
void edited_free(struct edited *edited);

/* Every one of these makes the outline anew: indices are those of before, ids are read again. */

/* value NULL: removes the attribute. An equal value changes nothing. */
tac_status set_attribute(struct edited *edited, uint32_t element, const char *name,
                         const char *value, tac_error *err);
/* With the line, if nothing else stands on it. */
tac_status remove_element(struct edited *edited, uint32_t element, tac_error *err);
/* An element of this name as a child: behind the child `after`; TAC_NONE: as the first one. */
tac_status insert_element(struct edited *edited, uint32_t parent, uint32_t after, const char *name,
                          const edit_attributes *attributes, tac_error *err);

#endif
