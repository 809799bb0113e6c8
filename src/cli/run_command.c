/* See run_command.h: options at their defaults are left out, words are quoted for a shell. */
#include "cli/run_command.h"
#include "base/check.h"

#include "base/data/str.h"
#include "base/data/text.h"
#include <string.h>

/* One word for a shell. */
static void add_word(tac_str *out, const char *word)
{
    if (out->length)
        tac_str_add_char(out, ' ');
    bool plain =
        *word &&
        !word[strspn(word,
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%")];
    if (!plain)
        tac_str_add_char(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            tac_str_add(out, "'\\''");
        else
            tac_str_add_char(out, *word);
    if (!plain)
        tac_str_add_char(out, '\'');
}

static void add_option(tac_str *out, const char *option, const char *value)
{
    if (!value)
        return;
    add_word(out, option);
    add_word(out, value);
}

static void add_number(tac_str *out, const char *option, double value, double usual)
{
    char text[32];
    if (value <= 0 || !(value < usual || value > usual))
        return;
    add_option(out, option, tac_double_text(value, text, sizeof text));
}

static void add_switches(tac_str *out, const tac_run_options *options)
{
    const struct {
        const char *name;
        bool on;
    } switches[] = {{"--stop-on-violation", options->stop_on_violation},
                    {"--conform", options->conform},
                    {"--pictures", options->pictures},
                    {"--realtime", options->device_options.realtime},
                    {"--fast", options->device_options.fast},
                    {"--tolerate-errors", options->device_options.tolerate_errors}};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (switches[i].on)
            add_word(out, switches[i].name);
}

char *run_command_line(const tac_run_options *options)
{
    tac_str out = {0};
    add_word(&out, "tactus");
    add_word(&out, "run");
    for (size_t i = 0; i < options->device_count; i++) {
        const tac_run_device *device = &options->devices[i];
        tac_str bound = {0};
        tac_str_addf(&bound, "%s%s%s", device->name ? device->name : "", device->name ? "=" : "",
                     device->uri);
        add_option(&out, "--device", tac_str_text(&bound));
        tac_str_free(&bound);
    }
    add_option(&out, "--app", options->device_options.app);
    add_option(&out, "--capabilities", options->device_options.capabilities);
    for (size_t i = 0; i < options->device_options.stay_count; i++)
        add_option(&out, "--stay", options->device_options.stay[i]);
    for (size_t i = 0; i < options->ignore_count; i++)
        add_option(&out, "--ignore", options->ignore[i]);
    add_option(&out, "--model", options->model);
    add_option(&out, "--flows", options->flows);
    for (size_t i = 0; i < options->scenario_count; i++)
        add_option(&out, "--scenario", options->scenarios[i]);
    add_option(&out, "--property", options->properties);
    for (size_t i = 0; i < options->pattern_count; i++)
        add_option(&out, "--pattern", options->patterns[i]);
    for (size_t i = 0; i < options->probe_count; i++)
        add_option(&out, "--probe", options->probes[i]);
    add_number(&out, "--repeat", options->repeat, 1);
    if (options->adaptive) {
        add_option(&out, "--goal", tac_adaptive_goal_name(options->goal));
        add_option(&out, "--require", options->requirement);
    } else if (options->actions) {
        static const char *const ways[] = {[TAC_CHOOSE_WEIGHTED] = NULL,
                                           [TAC_CHOOSE_UNIFORM] = "uniform",
                                           [TAC_CHOOSE_NOVELTY] = "novelty"};
        TABLE_COVERS(ways, TAC_CHOOSE_NOVELTY);
        add_option(&out, "--actions", options->actions);
        add_number(&out, "--runs", options->monkey, 1);
        add_option(&out, "--choose", ways[options->choose]);
        add_number(&out, "--monkey-share", options->monkey_share, 0);
    } else
        add_number(&out, "--monkey", options->monkey, 0);
    if (options->monkey)
        add_number(&out, "--steps", options->monkey_steps, 50);
    add_number(&out, "--seed", (double)options->seed, 1);
    add_number(&out, "--parallel", options->parallel, 1);
    add_number(&out, "--sample", options->sample, 1);
    add_number(&out, "--think", options->think, 1);
    add_number(&out, "--deadline", options->deadline, 10);
    add_switches(&out, options);
    add_option(&out, "-o", options->folder);
    return tac_str_take(&out);
}
