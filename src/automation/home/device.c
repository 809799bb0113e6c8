/* Device triggers, conditions and actions as the user interface writes them: a type such as
 * `turned_on`, `not_opened` or `is_motion`, the domain, and the entity by name or by its number in
 * the registry, which is as good a name as any. What they mean is fixed by Home Assistant's own
 * device automations: the types of a binary sensor are its device classes, on unless negated; a
 * lock's class is the exception (on is unlocked). Types that are not about one state are events. */
#include "automation/home/home.h"
#include <string.h>

const char *home_device_entity(struct home *home, struct tree_node *node)
{
    const char *entity = home_text(home, node, "entity_id");
    const char *domain = home_text(home, node, "domain");
    if (!entity || !*entity || home_is_entity(entity))
        return entity && *entity ? entity : NULL;
    const char *name =
        domain ? tac_arena_format(&home->model->arena, "%s.%s", domain, entity) : NULL;
    return home_is_entity(name) ? name : NULL;
}

static const char *of_binary_sensor(const char *type)
{
    if (!strcmp(type, "locked"))
        return "off";
    if (!strcmp(type, "not_locked"))
        return "on";
    return !strncmp(type, "no_", 3) || !strncmp(type, "not_", 4) || !strcmp(type, "turned_off") ||
                   !strcmp(type, "off")
               ? "off"
               : "on";
}

const char *home_device_state(struct home *home, struct tree_node *node)
{
    static const char *const own_words[] = {"open",       "opened",     "closed",     "opening",
                                            "closing",    "locked",     "unlocked",   "locking",
                                            "unlocking",  "jammed",     "triggered",  "disarmed",
                                            "armed_home", "armed_away", "armed_night"};
    const char *type = home_text(home, node, "type");
    const char *domain = home_text(home, node, "domain");
    if (!type || !domain)
        return NULL;
    if (!strncmp(type, "is_", 3))
        type += 3;
    if (!strcmp(domain, "binary_sensor"))
        return of_binary_sensor(type);
    if (!strcmp(type, "turned_on") || !strcmp(type, "on"))
        return "on";
    if (!strcmp(type, "turned_off") || !strcmp(type, "off"))
        return "off";
    for (size_t i = 0; i < sizeof own_words / sizeof *own_words; i++)
        if (!strcmp(type, own_words[i]))
            return !strcmp(type, "opened") ? "open" : own_words[i];
    return NULL;
}

const char *home_device_service(struct home *home, struct tree_node *node)
{
    static const struct {
        const char *type, *service;
    } services[] = {{"turn_on", "turn_on"}, {"turn_off", "turn_off"}, {"toggle", "toggle"},
                    {"open", "open_cover"}, {"close", "close_cover"}, {"stop", "stop_cover"},
                    {"lock", "lock"},       {"unlock", "unlock"}};
    const char *type = home_text(home, node, "type");
    const char *domain = home_text(home, node, "domain");
    for (size_t i = 0; type && domain && i < sizeof services / sizeof *services; i++)
        if (!strcmp(type, services[i].type))
            return tac_arena_format(&home->model->arena, "%s.%s", domain, services[i].service);
    return NULL;
}

bool home_device_amount(struct home *home, struct tree_node *node, const char **attribute)
{
    static const struct {
        const char *type, *attribute;
    } attributes[] = {{"position", "current_position"},
                      {"tilt_position", "current_tilt_position"},
                      {"current_temperature_changed", "current_temperature"},
                      {"current_humidity_changed", "current_humidity"},
                      {"target_humidity_changed", "humidity"}};
    static const char *const numbers[] = {"sensor", "number", "input_number"};
    const char *type = home_text(home, node, "type");
    const char *domain = home_text(home, node, "domain");
    *attribute = NULL;
    for (size_t i = 0; domain && i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(domain, numbers[i]))
            return true;
    if (type && !strncmp(type, "is_", 3))
        type += 3;
    for (size_t i = 0; type && i < sizeof attributes / sizeof *attributes; i++)
        if (!strcmp(type, attributes[i].type))
            *attribute = attributes[i].attribute;
    return *attribute != NULL;
}

const char *home_purpose_state(const char *kind)
{
    static const char *const switches[] = {"fan",    "humidifier", "input_boolean", "light",
                                           "remote", "siren",      "switch"};
    const char *dot = strchr(kind, '.');
    for (size_t i = 0; dot && i < sizeof switches / sizeof *switches; i++)
        if (strlen(switches[i]) == (size_t)(dot - kind) &&
            !strncmp(kind, switches[i], (size_t)(dot - kind))) {
            if (!strcmp(dot, ".turned_on") || !strcmp(dot, ".is_on"))
                return "on";
            if (!strcmp(dot, ".turned_off") || !strcmp(dot, ".is_off"))
                return "off";
        }
    return NULL;
}
