/* What the files of edits share: what may be written, and finding what an edit is about. */
#pragma once

#include "model/text/splice.h"

/* A name is there, has no blanks, and can be written. */
tac_status edit_check_name(const char *what, const char *name, tac_error *err);
/* The text is not too long, and XML can hold it. */
tac_status edit_check_value(const char *what, const char *value, tac_error *err);
tac_status edit_check_attributes(const edit_attributes *attributes, tac_error *err);
/* The element with the id, of these kinds. */
tac_status edit_find(const struct edited *edited, const char *what, const char *id,
                     enum element_kind first, enum element_kind last, uint32_t *out,
                     tac_error *err);
/* A state, connection or final; what: as the message calls it. */
tac_status edit_find_node(const struct edited *edited, const char *what, const char *id,
                          uint32_t *out, tac_error *err);
tac_status edit_find_transition(const struct edited *edited, const struct model_edit *edit,
                                uint32_t *out, tac_error *err);
const char *edit_name_of(const struct edited *edited, uint32_t element);
uint32_t edit_parent_of(const struct edited *edited, uint32_t element);
bool edit_value_is(struct edited *edited, uint32_t element, const char *attribute,
                   const char *wanted);
/* The child of the machine that one of this kind comes behind, or TAC_NONE: before all. from: a
 * transition comes behind the others from there. */
uint32_t edit_place_for(struct edited *edited, uint32_t machine, enum element_kind kind,
                        const char *from);

/* --- one function per kind of edit --- */

/* states.c */
tac_status edit_rename_state(struct edited *edited, const struct model_edit *edit, tac_error *err);
tac_status edit_add_state(struct edited *edited, const struct model_edit *edit, tac_error *err);
tac_status edit_delete_state(struct edited *edited, const struct model_edit *edit, tac_error *err);
tac_status edit_set_initial(struct edited *edited, const struct model_edit *edit, tac_error *err);
/* transitions.c */
tac_status edit_add_transition(struct edited *edited, const struct model_edit *edit,
                               tac_error *err);
tac_status edit_delete_transition(struct edited *edited, const struct model_edit *edit,
                                  tac_error *err);
tac_status edit_connect_ends(struct edited *edited, const struct model_edit *edit, tac_error *err);
tac_status edit_set_actions(struct edited *edited, const struct model_edit *edit, tac_error *err);
tac_status edit_set_expects(struct edited *edited, const struct model_edit *edit, tac_error *err);
/* add_machine.c */
tac_status edit_add_machine(struct edited *edited, const struct model_edit *edit, tac_error *err);
