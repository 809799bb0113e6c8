/* Steps that the demos share. */
#pragma once

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "demo/demo.h"

/* What the caller gets. */
struct owned_story {
    tac_demo_story shown; /* first: the caller has its address */
    tac_arena arena;
    TAC_VEC(const char *) sentences;
};

struct demo {
    const char *folder;
    const tac_demo_options *options;
    tac_watch *watch;
    struct owned_story *story;
    tac_arena names;
    tac_run_summary *player, *bugs; /* of the campaigns */
};

void demo_say(struct demo *demo, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* folder/NAME, alive as long as the demo. */
const char *demo_path(struct demo *demo, const char *name);
/* Explores what the URI drives into folder/MODEL and says what was found. */
tac_status demo_explore(struct demo *demo, const char *uri, const char *what, const char *model,
                        tac_error *err);
/* The witnesses of a requirement, at most limit (0 = all), into folder/FLOWS. */
tac_status demo_list_flows(struct demo *demo, const char *model, const char *requirement,
                           uint32_t length, uint64_t limit, const char *flows, uint64_t *listed,
                           tac_error *err);
/* Writes folder/report.html and says its findings. */
struct tac_report_options;
tac_status demo_write_report(struct demo *demo, const struct tac_report_options *options,
                             tac_error *err);

/* browser.c: the web player in Debian's Chromium. */
tac_status demo_in_browser(struct demo *demo, tac_error *err);
