/* What the exporters of flows share: a string builder, the state of one export, how an action names
 * its element, keys. One file per format; the fixed parts of what they write are templates (.in),
 * in which @NAME@ is the name of the suite and a line "@@" is where the flows go. */
#ifndef TAC_FLOW_EXPORTER_H
#define TAC_FLOW_EXPORTER_H

#include "base/data/quote.h"
#include "base/data/str.h"
#include "tactus/flow_export.h"

struct tac_exporter {
    const struct export_format *format;
    tac_export_options options;
    FILE *out;
    char *name;         /* of the suite */
    const char *device; /* only the steps of this one, the others' as notes; NULL = all */
    uint64_t flows;     /* so far */
    uint64_t unsaid;    /* actions that the format cannot express */
    bool on_pages;      /* a flow of this export is about a page */
    tac_str text;       /* what is not yet written */
};

struct export_format {
    const char *name, *suffix;
    bool one_device;      /* a file is of one device */
    bool suite_is_a_name; /* the file's name must be the suite's, an identifier that starts big */
    void (*begin)(tac_exporter *exporter);
    void (*flow)(tac_exporter *exporter, const tac_flow *flow);
    void (*end)(tac_exporter *exporter);
};

extern const struct export_format export_maestro, export_webdriver, export_wdio, export_uiautomator,
    export_promela;

/* --- Elements --- */

enum locator_how { LOCATOR_EQUALS, LOCATOR_CONTAINS, LOCATOR_STARTS };

struct locator_test {
    char *value; /* owned; NULL when there is no test */
    enum locator_how how;
};

/* Abilities that a step of an XPath can ask for; no test tool selects by "password". */
enum {
    LOCATOR_SCROLLABLE = 1,
    LOCATOR_CLICKABLE = 2,
    LOCATOR_LONG_CLICKABLE = 4,
    LOCATOR_CHECKABLE = 8,
    LOCATOR_PASSWORD = 16
};

/* How an element is found, taken from an action's attributes and its XPath. */
struct locator {
    struct locator_test resource_id, text, description, class_name;
    int index;         /* from 0, among all that fit; -1 when not given */
    const char *xpath; /* as written, borrowed; NULL when absent */
    bool complete;     /* the tests and the index say all that the XPath says */
    /* An XPath that names other elements too: set where `tree` is, and then they say all of it. */
    bool tree;
    bool child;            /* of `above`, not just below it */
    bool top;              /* /hierarchy: above the roots of the windows */
    int place;             /* from 0, among the children of `above`; -1 when not given */
    unsigned abilities;    /* LOCATOR_... */
    struct locator *above; /* owned; NULL = anywhere */
    struct locator *holds; /* what one of its children is; owned; NULL = anything */
};

void locator_of(const tac_model_action *action, struct locator *out);
void locator_free(struct locator *locator);
bool locator_names_something(const struct locator *locator);
bool action_has_element(const tac_model_action *action);
/* The app is closed and opened; its data stays. */
bool action_restarts(const tac_model_action *action);
/* An XPath for the platform; the caller's. NULL when there is nothing to find, or no way to say it
 * there. */
char *locator_xpath(const struct locator *locator, tac_export_platform platform);

/* --- Keys --- */

struct export_key {
    const char *name, *android; /* KEYCODE_ and this */
    int code;                   /* Android's number */
    uint32_t webdriver;         /* code point of W3C WebDriver; 0 = none */
    const char *maestro;        /* or NULL */
};

/* NULL when the name is not known. */
const struct export_key *export_key_of(const char *name);

/* --- Pages (page.c) --- */

/* An element of a page that is not named by an XPath. */
struct page_name {
    const char *css; /* borrowed; NULL: what has the focus */
    int place;       /* from 1, among the matches that are shown */
    bool focus;
    bool same; /* the element that this name found before */
};

bool page_name_of(const tac_model_action *action, struct page_name *out);

enum { PAGE_CHORD_MAX = 6 };
/* W3C WebDriver's code points of "Control+Shift+a", modifiers first; how many, 0 when there is no
 * such key. */
size_t page_chord(const char *name, uint32_t codes[PAGE_CHORD_MAX]);
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
/* Letters, digits and underscores; a leading digit gets an underscore. */
void add_identifier(tac_str *out, const char *text);

#endif
