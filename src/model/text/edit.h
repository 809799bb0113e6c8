/* Edits of a model's text. What an edit does not concern stays byte for byte: comments, order,
 * white space, line ends, the way attributes are written. New elements are written as their
 * neighbours are, one a line with their indent, in the place that the format wants.
 *
 * Invariant: reading the edited text gives what editing the read text would give. */
#pragma once

#include "model/text/outline.h"

enum model_edit_kind {
    EDIT_RENAME_STATE,
    EDIT_ADD_STATE,
    EDIT_DELETE_STATE,
    EDIT_ADD_TRANSITION,
    EDIT_DELETE_TRANSITION,
    EDIT_CONNECT,
    EDIT_SET,
    EDIT_SET_ACTIONS,
    EDIT_SET_EXPECTS,
    EDIT_SET_INITIAL,
    EDIT_ADD_MACHINE
};

struct edit_attribute {
    const char *name, *value; /* value NULL: the attribute is removed */
};

typedef TAC_VEC(struct edit_attribute) edit_attributes;

/* Ids as in the outline of the text that is edited; NULL = not given. Texts are borrowed. */
struct model_edit {
    enum model_edit_kind kind;
    const char *machine, *state, *transition; /* what it is about */
    const char *from, *to;                    /* nodes, of a transition */
    const char *name, *event;
    const char *application, *activity; /* an id and a name: where a machine is added */
    enum element_kind node; /* ELEMENT_STATE, ELEMENT_CONNECTION, ELEMENT_FINAL: what is added */
    edit_attributes attributes;
    edit_attributes *actions; /* each with its attributes, `kind` among them */
    size_t action_count;
    const char **expects; /* what the screen must show */
    size_t expect_count;
};

/* Replaces *text, the caller's, on success. TAC_E_INPUT says what is wrong with the edit. */
tac_status model_edit_apply(const struct model_edit *edit, char **text, tac_error *err);
