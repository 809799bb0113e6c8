/* Action files: what a tester would do, each action with the condition under which it makes sense.
 *
 *   action add (3): when visible(css:".new-todo")
 *                   do type css:".new-todo" any of ["milk", ""]; key Enter
 *
 * A loaded file is read-only but for the conditions, which remember the reading before. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "device/device.h"
#include "property/property.h"
#include "tactus/model.h"

enum deed_kind {
    DEED_CLICK,
    DEED_DOUBLE_CLICK,
    DEED_LONG_PRESS,
    DEED_HOVER,
    DEED_TYPE,
    DEED_CLEAR,
    DEED_KEY,
    DEED_DRAG,
    DEED_SWIPE,
    DEED_SCROLL,
    DEED_BACK,
    DEED_ROTATE,
    DEED_RELOAD,
    DEED_WAIT,
    DEED_KINDS
};

struct action_target {
    const char *xpath, *css; /* both NULL: what has the focus, the screen, or `it` */
    bool any, it;
};

enum text_source { TEXT_FIXED, TEXT_ANY_OF, TEXT_RANDOM, TEXT_RANDOM_NUMBER };

struct action_step {
    enum deed_kind kind;
    struct action_target target, to; /* to: of a drag */
    enum text_source source;
    const char *text; /* TEXT_FIXED; a key, a direction, seconds */
    const char *const *texts;
    size_t text_count;
    const char *written; /* the step as the file has it */
    uint32_t line, column;
};

struct guarded_action {
    const char *name;
    double weight;
    tac_condition *guard;    /* NULL: always */
    size_t first_observable; /* of the guard, in the file's list */
    const struct action_step *steps;
    size_t step_count;
    uint32_t line;
};

#define ACTIONS_MAX 500
#define ACTION_NAME_MAX 200
#define ACTION_STEPS_MAX 100

struct action_file {
    tac_arena arena;
    const char *name; /* of the file, for messages */
    TAC_VEC(struct guarded_action) actions;
    TAC_VEC(tac_observable) observables; /* of all guards; borrowed from them */
};

tac_status actions_load(const char *path, struct action_file **out, tac_error *err);
tac_status actions_parse(const char *name, const char *text, size_t size, struct action_file **out,
                         tac_error *err);
void actions_free(struct action_file *file); /* NULL is fine */
/* fit.c: TAC_E_INPUT where a step asks for what the device does not know. */
tac_status actions_fit(const struct action_file *file, const tac_device *device, tac_error *err);
