/* What the exporters of flows share: a string builder, the state of one export, how an action names
 * its element, keys. One file per format; the fixed parts of what they write are templates (.in),
 * in which @NAME@ is the name of the suite and a line "@@" is where the flows go. */
#pragma once

#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/locator/locator.h"
#include "flow/export.h"
#include <jansson.h>

struct tac_exporter {
    const struct export_format *format;
    tac_export_options options;
    FILE *out;
    char *name;                /* of the suite */
    const char *device;        /* only the steps of this one, the others' as notes; NULL = all */
    uint64_t flows;            /* so far */
    uint64_t unsaid;           /* actions and expectations that the format cannot express */
    const tac_flow_step *step; /* that is being written; NULL: the start of the flow */
    size_t number;             /* of the step, from 1 */
    bool on_pages;             /* the export needs what page.js.in has */
    tac_str text;              /* what is not yet written */
};

struct export_format {
    const char *suffix;
    const char *tool;     /* its name */
    bool one_device;      /* a file is of one device */
    bool suite_is_a_name; /* the file's name must be the suite's, an identifier that starts big */
    void (*begin)(tac_exporter *exporter);
    void (*flow)(tac_exporter *exporter, const tac_flow *flow);
    void (*end)(tac_exporter *exporter);
    void (*note)(tac_exporter *exporter, const char *text); /* for whoever reads the script */
};

extern const struct export_format export_maestro, export_webdriver, export_wdio, export_uiautomator,
    export_promela, export_playwright;

/* --- What a tool cannot say ---
 * An action becomes a step that fails: the reason is told and returned, the caller's. An
 * expectation is left out, told and noted in the script. */
char *exporter_refuse(tac_exporter *exporter, const tac_model_action *action);
void exporter_skip(tac_exporter *exporter, const char *expectation);

/* --- Elements --- */

/* An element of a locator. */
struct element {
    const tac_condition *own[TAC_PART_NAME + 1]; /* on its own parts; or NULL */
    const tac_condition *held;                   /* on what something inside says, or NULL */
    unsigned abilities;                          /* bits 1 << part */
    bool top, child;                             /* the hierarchy itself; not just below another */
    uint32_t place;                              /* among the children, from 1; 0 = any */
};

/* How an element is found, taken from an action's attributes and its XPath. */
struct target {
    const char *xpath; /* as written, borrowed; NULL when absent */
    tac_locator locator;
    struct element *elements; /* owned */
    size_t count;
    const struct element *last; /* the one that is meant */
    uint32_t place;             /* among all that fit, from 1; 0 = not given */
    bool whole;                 /* the elements and the place say it all */
    bool one;                   /* the last element and the place do, with what phones have */
    bool tree;                  /* the elements do, with what phones have */
};

void target_of(const tac_model_action *action, struct target *out);
void target_free(struct target *target);
/* By some part of its own. */
bool element_is_named(const struct element *element);
/* An XPath for a phone; the caller's. NULL when there is nothing to find, or no way to say it. */
char *target_xpath(const struct target *target, tac_export_platform platform);
/* What `shown` of page.js.in looks for, and Playwright's locator, "page.getByText('x')"; the
 * caller's, NULL as above. */
json_t *target_query(const struct target *target);
char *target_playwright(const struct target *target);

bool action_has_element(const tac_model_action *action);
/* The app is closed and opened; its data stays. */
bool action_restarts(const tac_model_action *action);

/* --- Keys --- */

struct export_key {
    const char *name, *android; /* KEYCODE_ and this */
    int code;                   /* Android's number */
    uint32_t webdriver;         /* code point of W3C WebDriver; 0 = none */
    const char *maestro;        /* or NULL */
};

/* NULL when the name is not known. */
const struct export_key *export_key_of(const char *name);
/* The first name of a key by its code point; NULL when it has none. */
const char *export_key_name(uint32_t webdriver);

/* --- Pages (page.c) --- */

/* An element of a page that is not named by an XPath. */
bool page_name_of(const tac_model_action *action, tac_locator *out);

enum { PAGE_CHORD_MAX = 6 };
/* W3C WebDriver's code points of "Control+Shift+a", modifiers first; how many, 0 when there is no
 * such key. */
size_t page_chord(const char *name, uint32_t codes[PAGE_CHORD_MAX]);
/* Playwright's name of such a chord, "Control+Shift+a"; false when there is no such key. */
bool page_chord_name(const char *name, tac_str *out);
/* What a key action types into what has the focus, borrowed; NULL when it presses a key. */
const char *page_typed_text(const tac_model_action *action);

/* --- Flows --- */

/* The actions of a step. A step without any is performed by its name: "back" and "home" press that
 * key, a system event waits, and any other clicks on the element with that text. */
const tac_model_action *step_actions(const tac_flow_step *step, tac_model_action *stand_in,
                                     size_t *count);
/* The devices of a flow, at most `most`; returns how many. */
size_t flow_devices(const tac_flow *flow, const char **devices, size_t most);
/* The package of the app that a device starts; "" when the flow does not say. */
const char *flow_package(const tac_flow *flow, const char *device);
tac_export_platform platform_of(const tac_exporter *exporter, const char *package);
/* The page that a web flow starts at; the caller's. */
char *start_page(const tac_exporter *exporter, const char *package);
/* How far a finger moves or a wheel turns for a scroll or swipe; scrolling down moves a finger up.
 */
struct export_move {
    int dx, dy;
};
struct export_move finger_move(const tac_model_action *action);
/* Seconds of a wait without an element. */
double wait_seconds(const tac_model_action *action);

/* The part of a template before (part 0) or behind (part 1) its line "@@". */
void add_template(tac_str *out, const char *template, int part, const char *name);
/* The function onPage of page.js.in. */
void add_page_script(tac_str *out);
/* Letters, digits and underscores; a leading digit gets an underscore. */
void add_identifier(tac_str *out, const char *text);
