/* Configurations of one device: the current state and the back stack (interaction-model paper,
 * section 2.3.2).
 *
 *   configuration = (node, stack)      node: a state, or the final state where the flow ended
 *   stack         = empty | (parent stack, frame)
 *   frame         = (return node, auto-return of the call); its machine is the return node's
 *
 * Stacks are hash-consed cons lists, so equal stacks have equal ids and sharing makes a push O(1).
 * Nothing is built before it is asked for: a model whose calls recurse for ever has infinitely many
 * configurations, of which only those within the bound ever exist here. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "tactus/model.h"

#define EMPTY_STACK 0u

struct stack_frame {
    uint32_t parent;  /* the stack below */
    uint32_t returns; /* node to land on */
    bool auto_return;
};

struct config {
    uint32_t node, stack;
};

typedef TAC_VEC(uint32_t) u32_vec;

struct configs {
    const tac_model *model;
    TAC_VEC(struct stack_frame) stacks; /* stacks.at[EMPTY_STACK] is unused */
    TAC_VEC(struct config) at;
    tac_u64map stack_ids, config_ids;
};

enum config_end { CONFIG_GOES_ON, CONFIG_EXITED, CONFIG_STUCK };

void configs_init(struct configs *configs, const tac_model *model);
void configs_free(struct configs *configs);
size_t configs_memory(const struct configs *configs); /* bytes, roughly */

/* Enters a machine with an empty stack. trail, when not NULL, receives every node passed. */
uint32_t configs_start(struct configs *configs, uint32_t machine, u32_vec *trail);
/* Appends the configurations that a transition leads to: one, or one per machine that a call to an
 * activity may enter (possibly none). */
void configs_follow(struct configs *configs, uint32_t config, uint32_t transition,
                    u32_vec *targets);
/* The nodes passed from the transition's target to the settled node, for branch number `branch` in
 * the order of configs_follow. */
void configs_trail(struct configs *configs, uint32_t config, uint32_t transition, uint32_t branch,
                   u32_vec *trail);
/* True when configs_follow would give at least one configuration. */
bool configs_can_follow(const tac_model *model, uint32_t transition);
/* Where a device stands that sits on a final state; states are CONFIG_GOES_ON. */
enum config_end configs_end(const struct configs *configs, uint32_t config);
