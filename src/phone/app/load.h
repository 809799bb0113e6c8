/* Inside the loader of app files: where it stands, and members of objects by tables. */
#pragma once

#include "phone/app/app.h"

/* Where the loader stands: the place in the file, and the names that are visible there. */
struct sim_place {
    struct sim_app *app;
    char pointer[1024];      /* JSON pointer of the value being read */
    uint32_t activity;       /* whose locals and screens are visible; SIM_NONE at app level */
    const json_t *templates; /* widgets to be used by name; may be NULL */
    const char *expression;  /* being read */
    unsigned depth;
    tac_error *err;
};

/* Goes down to a member or an item and back: size_t was = sim_enter(...); ...; sim_leave(p, was).
 */
size_t sim_enter(struct sim_place *place, const char *key);
void sim_leave(struct sim_place *place, size_t length);
tac_status sim_wrong(struct sim_place *place, const char *format, ...) TAC_PRINTF(2, 3);
/* The same about a member. */
tac_status sim_wrong_member(struct sim_place *place, const char *key, const char *format, ...)
    TAC_PRINTF(3, 4);
tac_status sim_want(struct sim_place *place, const json_t *value, json_type type, const char *what);
/* Loads every member of the object `key`, or every item of the array, each at its own place;
 * nothing when there is none. `what` is "an object of ...". The context is the caller's. */
typedef tac_status sim_load_part(struct sim_place *place, const char *name, const json_t *value,
                                 void *context);
tac_status sim_each(struct sim_place *place, const json_t *object, const char *key, json_type type,
                    const char *what, sim_load_part *load, void *context);
tac_status sim_all(struct sim_place *place, const json_t *all, json_type type, const char *what,
                   sim_load_part *load, void *context);
/* What a stream or a channel is called by must be text that can be shown. */
tac_status sim_check_name(struct sim_place *place, const char *name);

/* --- Members by tables: what is absent is left alone, but where something else is said --- */

enum sim_field_kind {
    SIM_FIELD_TEXT,
    SIM_FIELD_NUMBER,
    SIM_FIELD_BOOL,
    SIM_FIELD_EXPR,    /* a text, number or boolean; SIM_NONE when absent */
    SIM_FIELD_PRINTED, /* a text with values in it; SIM_NONE when absent */
    SIM_FIELD_ACTIONS, /* empty when absent */
    SIM_FIELD_VARIABLE,
    SIM_FIELD_LABEL, /* the name of an event */
    SIM_FIELD_OTHER  /* read elsewhere */
};
/* What a member of each kind becomes. A table whose struct has another type does not compile. */
typedef const char *sim_type_TEXT;
typedef double sim_type_NUMBER;
typedef bool sim_type_BOOL;
typedef uint32_t sim_type_EXPR, sim_type_PRINTED, sim_type_LABEL;
typedef struct sim_list sim_type_ACTIONS;
typedef struct sim_ref sim_type_VARIABLE;
#define SIM_OFFSET(kind, type, member)                                                             \
    (offsetof(type, member) +                                                                      \
     0 * sizeof(                                                                                   \
             char[__builtin_types_compatible_p(__typeof__(((type *)0)->member), sim_type_##kind)   \
                      ? 1                                                                          \
                      : -1]))

struct sim_field {
    const char *key; /* NULL ends a table */
    enum sim_field_kind kind;
    size_t at;  /* in the struct; SIM_NOWHERE: it is checked only */
    size_t has; /* of a bool: whether it is there; 0: nobody asks */
    double least, most;
};
#define SIM_NOWHERE SIZE_MAX
#define SIM_AT(key, kind, type, member)                                                            \
    {                                                                                              \
        key, SIM_FIELD_##kind, SIM_OFFSET(kind, type, member), 0, 0, 0                             \
    }
#define SIM_AT_HAS(key, kind, type, member, has)                                                   \
    {                                                                                              \
        key, SIM_FIELD_##kind, SIM_OFFSET(kind, type, member), SIM_OFFSET(BOOL, type, has), 0, 0   \
    }
#define SIM_NUMBER(key, type, member, least, most)                                                 \
    {                                                                                              \
        key, SIM_FIELD_NUMBER, SIM_OFFSET(NUMBER, type, member), 0, least, most                    \
    }
#define SIM_ONLY(key, kind)                                                                        \
    {                                                                                              \
        key, SIM_FIELD_##kind, SIM_NOWHERE, 0, 0, 0                                                \
    }
#define SIM_END                                                                                    \
    {                                                                                              \
        NULL, SIM_FIELD_OTHER, 0, 0, 0, 0                                                          \
    }

/* Loads an object's members into the struct in the order of the table, and fails at a member that
 * the table has not. what: "a stream (an object)", or NULL where it is known to be an object. */
tac_status sim_load_fields(struct sim_place *place, const json_t *object, const char *what,
                           const struct sim_field *fields, void *to);
const char *sim_text_of(const json_t *object, const char *key); /* NULL when absent */

/* --- Names --- */

/* Things whose first member is their name. */
struct sim_named {
    const void *at;
    size_t count, size;
};
#define SIM_NAMED(vec) ((struct sim_named){(vec).at, (vec).count, sizeof *(vec).at})
struct sim_named sim_screens(const struct sim_app *app, uint32_t activity);
uint32_t sim_find(struct sim_named list, const char *name);
/* sim_find, or an error at `key` that names what was meant, or else what to do. */
tac_status sim_need(struct sim_place *place, const char *key, const char *what, const char *name,
                    struct sim_named list, const char *advice, uint32_t *out);
bool sim_is_reserved(const char *name); /* a word of the expression language */
bool sim_find_variable(const struct sim_place *place, const char *name, struct sim_ref *out);
/* "there is no variable 'x'", and which one was meant or what to do; in the buffer. */
const char *sim_unknown_variable(const struct sim_place *place, const char *name, char *buffer,
                                 size_t size);
tac_status sim_need_variable(struct sim_place *place, const char *name, struct sim_ref *out);

/* --- Parts of the file --- */

tac_status sim_parse_value(struct sim_place *place, const json_t *value, uint32_t *out);
tac_status sim_parse_text(struct sim_place *place, const char *text, uint32_t *out);
tac_status sim_load_actions(struct sim_place *place, const json_t *array, struct sim_list *out);
tac_status sim_load_handlers(struct sim_place *place, const json_t *object,
                             struct sim_handlers *out);
tac_status sim_load_widgets(struct sim_place *place, const json_t *object, const char *key,
                            uint32_t *first, uint32_t *count);
tac_status sim_load_streams(struct sim_place *place, const json_t *root);
tac_status sim_load_channels(struct sim_place *place, const json_t *root);
tac_status sim_load_crashes(struct sim_place *place, const json_t *root);
tac_status sim_load_resources(struct sim_place *place, const json_t *root);
