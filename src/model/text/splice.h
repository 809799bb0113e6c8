/* Changes of single elements in a model's text. */
#pragma once

#include "model/text/edit.h"

/* A text that is being edited, and its outline. */
struct edited {
    char *text; /* owned */
    struct outline outline;
};

tac_status edited_open(struct edited *edited, const char *text, tac_error *err);
void edited_free(struct edited *edited);

/* Changes that are made together, so that many of them cost one reading of the text. */
struct splice {
    size_t from, to; /* the bytes that go */
    char *by;        /* what comes; owned */
};
typedef TAC_VEC(struct splice) splices;

/* value NULL: removes the attribute. An equal value, or none where there is none, adds nothing. */
void plan_attribute(struct edited *edited, uint32_t element, const char *name, const char *value,
                    splices *plan);
/* With the line, if nothing else stands on it. */
void plan_removal(struct edited *edited, uint32_t element, splices *plan);
/* In the order of the text and apart from each other; frees the plan. */
tac_status carry_out(struct edited *edited, splices *plan, tac_error *err);

/* Every one of these makes the outline anew: indices are those of before, ids are read again. */

/* value NULL: removes the attribute. An equal value changes nothing. */
tac_status set_attribute(struct edited *edited, uint32_t element, const char *name,
                         const char *value, tac_error *err);
/* With the line, if nothing else stands on it. */
tac_status remove_element(struct edited *edited, uint32_t element, tac_error *err);
/* An element of this name as a child: behind the child `after`; TAC_NONE: as the first one. */
tac_status insert_element(struct edited *edited, uint32_t parent, uint32_t after, const char *name,
                          const edit_attributes *attributes, tac_error *err);
/* The same with a text inside instead of attributes. */
tac_status insert_text_element(struct edited *edited, uint32_t parent, uint32_t after,
                               const char *name, const char *content, tac_error *err);
/* Another text inside; an equal one changes nothing. */
tac_status set_content(struct edited *edited, uint32_t element, const char *content,
                       tac_error *err);
/* <x></x> without anything inside becomes <x/>. */
tac_status close_empty(struct edited *edited, uint32_t element, tac_error *err);
