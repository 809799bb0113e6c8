/* An app of the built-in phone as it was loaded: flat arrays, referred to by index, read-only while
 * the phone runs. The file format is described in docs/app-files.md. */
#pragma once

#include "base/data/arena.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "base/io/json.h"
#include "device/device.h"

#define SIM_NONE UINT32_MAX

/* Caps on what a file may describe. */
enum {
    SIM_MAX_FILE = 8 << 20,
    SIM_MAX_VARIABLES = 256, /* of the app; and as many kept ones */
    SIM_MAX_LOCALS = 16,     /* of one activity */
    SIM_MAX_ACTIVITIES = 1000,
    SIM_MAX_WIDGETS = 200000,
    SIM_MAX_DEPTH = 40,    /* of widgets, and of actions inside actions */
    SIM_MAX_SEQUENCE = 64, /* events in the condition of a crash */
    SIM_MAX_CHANNELS = 100,
    SIM_MAX_TEXT = 4096 /* bytes of one text value */
};

/* A number, or a text when text is not NULL. Texts are borrowed. */
struct sim_value {
    double number;
    const char *text;
};

/* Where a variable lives: for the process's life, kept until the data are cleared, or in one
 * instance of an activity. */
enum sim_scope { SIM_PROCESS, SIM_KEPT, SIM_LOCAL };
struct sim_ref {
    enum sim_scope scope;
    uint32_t slot;
};
struct sim_variable {
    const char *name;
    struct sim_value initial;
};

/* --- Expressions: a tree in an array --- */
enum sim_op {
    SIM_OP_NUMBER,
    SIM_OP_TEXT,
    SIM_OP_VARIABLE,
    SIM_OP_ITEM,
    SIM_OP_MEDIA,
    SIM_OP_COUNT,
    SIM_OP_RANDOM,
    SIM_OP_NOT,
    SIM_OP_MINUS,
    SIM_OP_AND,
    SIM_OP_OR,
    SIM_OP_EQ,
    SIM_OP_NE,
    SIM_OP_LT,
    SIM_OP_LE,
    SIM_OP_GT,
    SIM_OP_GE,
    SIM_OP_ADD,
    SIM_OP_SUB,
    SIM_OP_MUL,
    SIM_OP_DIV,
    SIM_OP_MOD,
    SIM_OPS
};
struct sim_expr {
    enum sim_op op;
    uint32_t a, b; /* operands; COUNT: a = the event's label */
    struct sim_ref ref;
    struct sim_value value;
};

/* A text with values in it: parts printed one after another. */
struct sim_part {
    const char *literal; /* NULL: the expression */
    uint32_t expr;
};
struct sim_text {
    uint32_t first, count; /* into parts */
};

/* --- What events do --- */
enum sim_verb {
    SIM_GO,
    SIM_SET,
    SIM_OPEN,
    SIM_FINISH,
    SIM_EXIT,
    SIM_IF,
    SIM_CHOOSE,
    SIM_LOG,
    SIM_EMIT,
    SIM_AFTER,
    SIM_CANCEL,
    SIM_MEDIA,
    SIM_FETCH,
    SIM_CPU,
    SIM_HEAP,
    SIM_EXTERNAL,
    SIM_PERMISSION,
    SIM_SEND
};
enum sim_media_verb {
    SIM_MEDIA_START,
    SIM_MEDIA_PAUSE,
    SIM_MEDIA_RESUME,
    SIM_MEDIA_TOGGLE,
    SIM_MEDIA_STOP,
    SIM_MEDIA_SEEK
};

struct sim_list { /* actions in order: links[first .. first + count - 1] */
    uint32_t first, count;
};

struct sim_action {
    enum sim_verb verb;
    uint32_t a, b;      /* by verb: screen, activity, stream, channel, label, expression */
    uint32_t expr;      /* condition, value, delay, bytes */
    struct sim_ref ref; /* SET */
    uint32_t text;      /* LOG, SEND: into texts; SIM_NONE: empty */
    struct sim_list then, otherwise;
    const char *name, *tag; /* EMIT, LOG (tag), EXTERNAL (package, activity), PERMISSION */
    char level;
    bool clear_top;
    double weight; /* an arm of CHOOSE */
};

/* --- What is shown --- */
enum sim_way { SIM_UP, SIM_DOWN, SIM_LEFT, SIM_RIGHT, SIM_WAYS };

/* What a widget can be told; the history of events has names for all but the ways of scrolling. */
enum sim_touch {
    SIM_TOUCH_CLICK,
    SIM_TOUCH_LONG,
    SIM_TOUCH_SCROLL,
    SIM_TOUCH_PINCH,
    SIM_TOUCH_TEXT,
    SIM_TOUCH_DOUBLE,
    SIM_TOUCH_DRAG,
    SIM_TOUCH_DROP,
    SIM_TOUCH_SCROLL_TO, /* by what is looked at; those without fall to `scroll` */
    SIM_TOUCHES = SIM_TOUCH_SCROLL_TO + SIM_WAYS
};
struct sim_reaction {
    bool has;
    uint32_t label; /* its name in the history of events */
    struct sim_list actions;
};

struct sim_widget {
    const char *class_name, *resource_id, *id;         /* id without its package, "" when none */
    uint32_t text, description;                        /* texts, or SIM_NONE */
    uint32_t show, enabled, checked, selected, repeat; /* expressions, or SIM_NONE */
    uint32_t flags;                                    /* TAC_UI_* that never change */
    struct sim_reaction on[SIM_TOUCHES];
    bool bound; /* text goes to `bind` */
    struct sim_ref bind;
    uint32_t first_child, child_count; /* into children */
};

struct sim_handler {
    uint32_t label; /* the system event */
    struct sim_list actions;
};
struct sim_handlers {
    uint32_t first, count;
};

struct sim_screen {
    const char *name;
    uint32_t first_child, child_count; /* widgets */
    struct sim_list enter, back;
    bool has_back;
    struct sim_handlers system;
};

struct sim_activity {
    const char *name;
    bool single_top;
    uint32_t first_screen, screen_count, initial; /* initial: the screen of a new instance */
    uint32_t first_local, local_count;
    struct sim_handlers system;
};

/* Media fetched over the network in chunks and played at a constant rate. */
struct sim_stream {
    const char *name;
    double seconds, kbps; /* length and bit rate */
    double chunk;         /* bytes of one request */
    double timeout;       /* seconds after which a request is given up and sent again */
    double ahead;         /* seconds fetched ahead of the playing position; 0 = everything */
    const char *on_start, *on_pause; /* announced events; NULL = none */
};

/* A name under which phones exchange messages, and what an arrival does here. */
struct sim_channel {
    const char *name;
    uint32_t label; /* the system event of an arrival */
    double bytes, delay;
    bool bound; /* the message's text goes to `into` */
    struct sim_ref into;
};

/* --- Planted crashes: a condition over the history of events --- */
enum sim_pattern {
    SIM_CONTIGUOUS, /* the last events are exactly this sequence */
    SIM_GAPS,       /* the sequence occurred in order, other events between; crash at its last */
    SIM_NEVER,      /* `event` happens although `without` never did before */
    SIM_STARVED     /* `event` happened and then `count` events went by without `without` */
};
struct sim_crash {
    const char *name, *exception, *message;
    const char *const *stack;
    size_t stack_count;
    enum sim_pattern pattern;
    uint32_t events[SIM_MAX_SEQUENCE];
    uint32_t event_count;
    uint32_t without, count;
    uint32_t condition; /* expression over the app's variables, or SIM_NONE */
};

struct sim_resources {
    double base_watts, screen_watts, cpu_watts, radio_watts, tail_watts, audio_watts, tail_seconds;
    double heap_base, heap_activity, heap_event; /* bytes */
    double cpu_event, cpu_launch, cpu_media;     /* seconds per event, launch, second of playback */
    double event_seconds, launch_seconds;        /* time until the screen has been drawn */
};

struct sim_app {
    tac_json json; /* the file, kept for places while loading */
    tac_arena arena;
    tac_names labels; /* names of events */
    const char *name, *code, *package, *device_name, *serial;
    uint32_t main_activity;
    TAC_VEC(struct sim_variable) process, kept, locals;
    TAC_VEC(struct sim_activity) activities;
    TAC_VEC(struct sim_screen) screens;
    TAC_VEC(struct sim_widget) widgets;
    TAC_VEC(uint32_t) children; /* widget numbers */
    TAC_VEC(struct sim_action) actions;
    TAC_VEC(uint32_t) links; /* action numbers */
    TAC_VEC(struct sim_expr) exprs;
    TAC_VEC(struct sim_text) texts;
    TAC_VEC(struct sim_part) parts;
    TAC_VEC(struct sim_handler) handlers;
    TAC_VEC(struct sim_stream) streams;
    TAC_VEC(struct sim_channel) channels;
    TAC_VEC(struct sim_crash) crashes;
    struct sim_handlers system;
    struct sim_resources resources;
};

tac_status sim_app_load(const char *path, struct sim_app **out, tac_error *err);
tac_status sim_app_parse(const char *name, const char *text, size_t size, struct sim_app **out,
                         tac_error *err);
void sim_app_free(struct sim_app *app);

uint32_t sim_label(struct sim_app *app, const char *name);
uint32_t sim_find_activity(const struct sim_app *app, const char *name);
uint32_t sim_find_channel(const struct sim_app *app, const char *name);
