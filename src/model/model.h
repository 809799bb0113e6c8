/* What other modules use of this one beside tactus/model.h. */
#pragma once

#include "tactus/model.h"

const char *tac_action_kind_name(tac_action_kind kind);
bool tac_action_kind_parse(const char *name, tac_action_kind *out);
/* Left, top, right and bottom of an area, 0 to 100; false when the text is not one. */
bool tac_action_area_parse(const char *text, double out[4]);
/* The rest of an xpath that starts with "it:", which is the element that the rest found in an
 * earlier gesture; any other xpath as it is. Borrowed. */
const char *tac_action_first_name(const char *xpath);

typedef struct tac_model_builder tac_model_builder;

tac_model_builder *tac_model_builder_new(const char *name, const char *file);
/* Each returns the new element's index within its own kind; texts are copied, NULL = absent. The
 * elements of one parent may be added in any order. */
uint32_t tac_build_device(tac_model_builder *builder, const char *name, const char *serial,
                          uint32_t line);
uint32_t tac_build_application(tac_model_builder *builder, uint32_t device, const char *name,
                               const char *code_name, const char *package, bool external,
                               uint32_t line);
uint32_t tac_build_activity(tac_model_builder *builder, uint32_t application, const char *name,
                            bool external, uint32_t line);
uint32_t tac_build_machine(tac_model_builder *builder, uint32_t activity, const char *name,
                           bool external, uint32_t line);
uint32_t tac_build_node(tac_model_builder *builder, uint32_t machine, tac_node_kind kind,
                        const char *name, uint32_t line);
/* Names are resolved by tac_model_builder_finish, so they may be declared later. */
void tac_build_initial(tac_model_builder *builder, uint32_t machine, const char *to, uint32_t line);
void tac_build_call(tac_model_builder *builder, uint32_t connection_node, const char *calls,
                    const char *returns, bool reuse, bool auto_return);
/* A connection that jumps to a state of another machine instead of calling it. */
void tac_build_jump(tac_model_builder *builder, uint32_t connection_node, const char *machine,
                    const char *enters);
/* Makes a machine externally accessible. */
void tac_build_external(tac_model_builder *builder, uint32_t machine);
/* kind < 0: by the name (a trailing '-' is a system event). time < 0: not given. */
uint32_t tac_build_transition(tac_model_builder *builder, uint32_t machine, const char *from,
                              const char *event, const char *to, int kind, double time,
                              double weight, const char *sends, const char *receives,
                              uint32_t line);
void tac_build_action(tac_model_builder *builder, uint32_t transition, tac_action_kind kind,
                      const char *xpath, const char *resource_id, const char *text,
                      const char *value);
/* The area of the action that was added last. */
void tac_build_area(tac_model_builder *builder, const char *area);
/* The action that was added last finds its element in a way that changes easily. An XPath with a
 * position in it is so by itself (tac_xpath_is_positional). */
void tac_build_fragile(tac_model_builder *builder);
/* Does it count somewhere: "[3]", position() or last(), outside of quotation marks? */
bool tac_xpath_is_positional(const char *xpath);
/* Free text kept with a transition through reading and writing; it has no meaning for flows. */
void tac_build_note(tac_model_builder *builder, uint32_t transition, const char *note);
/* The language of guards and updates is in docs/models.md. What is not understood is an error of
 * tac_model_builder_finish. Several setups are run one after the other. */
void tac_build_guard(tac_model_builder *builder, uint32_t transition, const char *guard);
void tac_build_update(tac_model_builder *builder, uint32_t transition, const char *update);
void tac_build_setup(tac_model_builder *builder, const char *setup);
void tac_build_transition_labels(tac_model_builder *builder, uint32_t transition,
                                 const char *labels);
void tac_build_dependency(tac_model_builder *builder, uint32_t transition, double dependency);
void tac_build_node_labels(tac_model_builder *builder, uint32_t node, const char *labels);
void tac_build_image(tac_model_builder *builder, uint32_t node, const char *image);
/* One more condition that the screen must meet in the state, or after the transition; line breaks
 * separate several. NULL and "" add none. */
void tac_build_node_expect(tac_model_builder *builder, uint32_t node, const char *condition);
void tac_build_transition_expect(tac_model_builder *builder, uint32_t transition,
                                 const char *condition);
/* A final that leaves the app, whatever called its machine. */
void tac_build_leaves(tac_model_builder *builder, uint32_t node);
/* More XPaths of elements that were not acted on, one per line; NULL and "" add none. */
void tac_build_untried(tac_model_builder *builder, uint32_t node, const char *xpath);
/* Resolves, validates the meaning, sorts into the arrays above, frees the builder in any case. */
tac_status tac_model_builder_finish(tac_model_builder *builder, tac_diagnostics *diagnostics,
                                    tac_model **out, tac_error *err);
void tac_model_builder_free(tac_model_builder *builder);
