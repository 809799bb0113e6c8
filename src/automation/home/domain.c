/* What states an entity can have, by its domain.
 *
 * Source: the entity documentation of Home Assistant for developers, one list per domain, and the
 * words that earlier versions used, which old configurations still rely on. "unavailable" and
 * "unknown" are states of every entity. Sensors, selects and texts are open: anything may come.
 * Custom integrations add states to alarm panels, climates, vacuums, media players and locks: there
 * a word outside the list is impossible only when it is a known word in a wrong form (another case,
 * a near misspelling, or the stem of known ones, as 'armed'), otherwise it is doubtful. */
#include "automation/home/domain.h"
#include "base/data/text.h"
#include <ctype.h>
#include <string.h>

struct domain {
    const char *name;
    bool extended; /* by custom integrations */
    const char *states[24];
};

static const struct domain domains[] = {
    {"binary_sensor", false, {"on", "off"}},
    {"switch", false, {"on", "off"}},
    {"light", false, {"on", "off"}},
    {"input_boolean", false, {"on", "off"}},
    {"fan", false, {"on", "off"}},
    {"siren", false, {"on", "off"}},
    {"humidifier", false, {"on", "off"}},
    {"remote", false, {"on", "off"}},
    {"automation", false, {"on", "off"}},
    {"script", false, {"on", "off"}},
    {"schedule", false, {"on", "off"}},
    {"update", false, {"on", "off"}},
    {"calendar", false, {"on", "off"}},
    {"sun", false, {"above_horizon", "below_horizon"}},
    {"timer", false, {"idle", "active", "paused"}},
    {"cover", true, {"open", "opening", "closed", "closing", "stopped"}},
    {"valve", true, {"open", "opening", "closed", "closing"}},
    {"lock", true, {"locked", "unlocked", "locking", "unlocking", "jammed", "open", "opening"}},
    {"alarm_control_panel",
     true,
     {"disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation",
      "armed_custom_bypass", "pending", "arming", "disarming", "triggered"}},
    {"media_player",
     true,
     {"on", "off", "idle", "playing", "paused", "standby", "buffering", "stopped"}},
    {"climate",
     true,
     {"off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only", "idle", "eco", "manual",
      "performance", "high_demand", "heat_pump", "electric", "gas", "on"}},
    {"vacuum", true, {"cleaning", "docked", "idle", "paused", "returning", "error", "on", "off"}},
    {"lawn_mower", true, {"mowing", "docked", "paused", "returning", "error"}},
    {"plant", false, {"ok", "problem"}},
    {"camera", true, {"idle", "recording", "streaming"}},
    {"alert", false, {"idle", "on", "off"}},
    {"weather",
     true,
     {"clear-night", "cloudy", "exceptional", "fog", "hail", "lightning", "lightning-rainy",
      "partlycloudy", "pouring", "rainy", "snowy", "snowy-rainy", "sunny", "windy",
      "windy-variant"}},
    {"person", true, {"home", "not_home"}},
    {"device_tracker", true, {"home", "not_home"}},
};

static const char *const number_domains[] = {"input_number", "number", "counter"};

static const struct domain *find(const char *entity)
{
    size_t length = strcspn(entity, ".");
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (strlen(domains[i].name) == length && !strncmp(domains[i].name, entity, length))
            return &domains[i];
    return NULL;
}

static bool is_attribute(const char *entity)
{
    const char *dot = strchr(entity, '.');
    return dot && strchr(dot + 1, '.');
}

/* Helpers and the sun are there as long as the system is; everything else, and every attribute,
 * may be missing. */
static bool may_vanish(const char *entity)
{
    static const char *const kept[] = {"input_boolean", "input_number", "input_select",
                                       "input_text",    "counter",      "timer",
                                       "schedule",      "alert",        "sun"};
    size_t length = strcspn(entity, ".");
    for (size_t i = 0; i < sizeof kept / sizeof *kept && !is_attribute(entity); i++)
        if (strlen(kept[i]) == length && !strncmp(kept[i], entity, length))
            return false;
    return true;
}

void domain_assign(tac_automation_model *model)
{
    for (size_t i = 0; i < model->entities.count; i++) {
        struct entity *e = &model->entities.at[i];
        const struct domain *domain = is_attribute(e->name) ? NULL : find(e->name);
        if (e->domain != DOMAIN_OPEN || e->domain_source)
            continue;
        e->may_vanish = may_vanish(e->name);
        /* people are in zones, which have any name: their states are listed, but not all */
        if (domain && strcmp(domain->name, "person") != 0 &&
            strcmp(domain->name, "device_tracker") != 0) {
            while (domain->states[e->state_count])
                e->state_count++;
            e->states = (const char **)domain->states;
            e->domain = DOMAIN_CLOSED;
            e->domain_source = tac_arena_format(&model->arena, "the %s domain", domain->name);
        }
        for (size_t n = 0; n < sizeof number_domains / sizeof *number_domains; n++) {
            size_t length = strlen(number_domains[n]);
            if (!is_attribute(e->name) && !strncmp(e->name, number_domains[n], length) &&
                e->name[length] == '.')
                e->domain = DOMAIN_NUMBER;
        }
    }
    for (size_t i = 0; i < model->entities.count; i++) {
        struct entity *e = &model->entities.at[i];
        for (size_t m = 0; m < e->mentioned.count; m++)
            if (domain_judge(e, e->mentioned.at[m]) == VALUE_IMPOSSIBLE)
                set_add(model, &e->impossible, e->mentioned.at[m]);
    }
}

/* "Armed Home" as "armed_home" */
static void plain_form(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; *text && n + 1 < size; text++)
        out[n++] = *text == ' ' || *text == '-' ? '_' : (char)tolower((unsigned char)*text);
    out[n] = '\0';
}

/* Equal but for so many letters added, left out, changed or exchanged with their neighbour. */
static bool within(const char *a, const char *b, unsigned edits)
{
    while (*a && *a == *b)
        a++, b++;
    if (!*a && !*b)
        return true;
    if (!edits)
        return false;
    return (*a && within(a + 1, b, edits - 1)) || (*b && within(a, b + 1, edits - 1)) ||
           (*a && *b && within(a + 1, b + 1, edits - 1)) ||
           (*a && a[1] && a[0] == b[1] && a[1] == b[0] && within(a + 2, b + 2, edits - 1));
}

/* The states of extended domains are not all known: is this one surely a mistake? */
static bool is_mistake(const char *const *states, size_t count, const char *text)
{
    char plain[64];
    size_t length = strlen(text);
    plain_form(text, plain, sizeof plain);
    for (size_t i = 0; i < count; i++) {
        char state[64];
        plain_form(states[i], state, sizeof state);
        if (!strcmp(plain, state) || (!strncmp(state, plain, length) && state[length] == '_'))
            return true; /* in another case, or the stem of a state: 'armed' */
        if (length >= 4 && !strncmp(plain, state, strlen(state)) &&
            (!strcmp(plain + strlen(state), "ing") || !strcmp(plain + strlen(state), "ed")) &&
            strlen(state) >= 4)
            return true; /* another form of the word: 'cooling', 'opened' */
        if (length > 5 && !strncmp(plain, state, length) &&
            (!strcmp(state + length, "ing") || !strcmp(state + length, "ed")))
            return true; /* and the other way: 'unlock' */
        /* one letter, or two of a long word: 'parked' is not 'paused', nor 'armed_stay'
         * 'armed_away' */
        if (length > 5 && within(plain, state, length < 9 || strchr(plain, '_') ? 1 : 2))
            return true;
    }
    return false;
}

enum domain_answer domain_judge(const struct entity *e, const char *text)
{
    double number;
    const struct domain *domain = is_attribute(e->name) ? NULL : find(e->name);
    static const char *const missing[] = {"unavailable"};
    if (!strcmp(text, "unavailable") || !strcmp(text, "unknown") || !*text)
        return VALUE_FITS;
    if (TAC_IS_ONE_OF(text, "none", "None", "null"))
        return VALUE_DOUBTFUL; /* guards against what is not there */
    if (strlen(text) >= 9 && tac_closest(text, missing, 1))
        return VALUE_IMPOSSIBLE; /* no integration says 'unavilable' */
    if (e->domain == DOMAIN_NUMBER)
        return tac_parse_double(text, &number) ? VALUE_FITS : VALUE_DOUBTFUL;
    for (size_t i = 0; i < e->state_count; i++)
        if (!strcmp(e->states[i], text))
            return VALUE_FITS;
    if (e->domain == DOMAIN_CLOSED && !(domain && domain->extended))
        return VALUE_IMPOSSIBLE;
    if (!domain)
        return VALUE_FITS;
    size_t count = 0;
    while (domain->states[count])
        count++;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(domain->states[i], text))
            return VALUE_FITS;
    if (!strcmp(domain->name, "person") || !strcmp(domain->name, "device_tracker")) {
        char plain[64];
        plain_form(text, plain, sizeof plain);
        return !strcmp(plain, "home") || !strcmp(plain, "not_home") ? VALUE_IMPOSSIBLE : VALUE_FITS;
    }
    return is_mistake(domain->states, count, text) ? VALUE_IMPOSSIBLE : VALUE_DOUBTFUL;
}
