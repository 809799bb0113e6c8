/* What a service call writes.
 *
 * A write has a slot: "" is the state itself; a named slot is something that a call sets and whose
 * values exclude each other ("power" of a media player, "brightness" of a light), though its
 * effect on the state is not known. Calls that only tell people something are harmless; of a call
 * that is not in the table it is only known that it may change its targets. */
#include "automation/home/home.h"
#include "automation/template/template.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <string.h>

struct effect {
    const char *service; /* "*.turn_on": of any domain */
    const char *slot;    /* "" the state */
    const char *value;   /* a constant, or "=option": the datum of that name, or "?" not known */
};

/* The first line that fits decides. */
static const struct effect effects[] = {
    {"media_player.turn_on", "power", "on"},
    {"media_player.turn_off", "power", "off"},
    {"climate.turn_on", "power", "on"},
    {"climate.turn_off", "power", "off"},
    {"vacuum.turn_on", "power", "on"},
    {"vacuum.turn_off", "power", "off"},
    {"remote.turn_on", "power", "on"},
    {"remote.turn_off", "power", "off"},
    {"automation.turn_on", "enabled", "on"},
    {"automation.turn_off", "enabled", "off"},
    {"light.turn_on", "", "on"},
    {"light.turn_off", "", "off"},
    {"switch.turn_on", "", "on"},
    {"switch.turn_off", "", "off"},
    {"input_boolean.turn_on", "", "on"},
    {"input_boolean.turn_off", "", "off"},
    {"fan.turn_on", "", "on"},
    {"fan.turn_off", "", "off"},
    {"siren.turn_on", "", "on"},
    {"siren.turn_off", "", "off"},
    {"humidifier.turn_on", "", "on"},
    {"humidifier.turn_off", "", "off"},
    {"group.turn_on", "power", "on"},
    {"group.turn_off", "power", "off"},
    {"input_select.select_option", "", "=option"},
    {"input_select.set_options", "options", "?"},
    {"select.select_option", "", "=option"},
    {"input_number.set_value", "", "=value"},
    {"number.set_value", "", "=value"},
    {"input_text.set_value", "", "=value"},
    {"timer.start", "", "active"},
    {"timer.cancel", "", "idle"},
    {"timer.finish", "", "idle"},
    {"timer.pause", "", "paused"},
    {"cover.open_cover", "command", "open"},
    {"cover.close_cover", "command", "close"},
    {"cover.stop_cover", "command", "stop"},
    {"cover.set_cover_position", "position", "=position"},
    {"lock.lock", "command", "lock"},
    {"lock.unlock", "command", "unlock"},
    {"alarm_control_panel.alarm_arm_home", "command", "arm home"},
    {"alarm_control_panel.alarm_arm_away", "command", "arm away"},
    {"alarm_control_panel.alarm_arm_night", "command", "arm night"},
    {"alarm_control_panel.alarm_disarm", "command", "disarm"},
    {"climate.set_hvac_mode", "mode", "=hvac_mode"},
    {"climate.set_temperature", "temperature", "=temperature"},
    {"climate.set_preset_mode", "preset", "=preset_mode"},
    {"climate.set_fan_mode", "fan mode", "=fan_mode"},
    {"fan.set_percentage", "percentage", "=percentage"},
    {"fan.set_speed", "speed", "=speed"},
    {"media_player.select_source", "source", "=source"},
    {"media_player.volume_set", "volume", "=volume_level"},
    {"media_player.media_play", "playback", "play"},
    {"media_player.media_pause", "playback", "pause"},
    {"media_player.media_stop", "playback", "stop"},
    {"vacuum.start", "command", "start"},
    {"vacuum.stop", "command", "stop"},
    {"vacuum.return_to_base", "command", "return"},
};

static const char *const harmless[] = {"notify.",
                                       "tts.",
                                       "persistent_notification.",
                                       "logbook.",
                                       "system_log.",
                                       "telegram_bot.",
                                       "logger.",
                                       "recorder.",
                                       "frontend.",
                                       "browser_mod.",
                                       "camera.snapshot",
                                       "camera.record"};

/* Light data whose constants exclude each other. */
static const char *const light_slots[] = {
    "brightness", "brightness_pct", "color_temp", "color_temp_kelvin", "kelvin",
    "color_name", "effect",         "rgb_color",  "rgbw_color",        "rgbww_color",
    "hs_color",   "xy_color",       "white"};

struct call {
    const char *service, *text;
    struct tree_node *node, *data;
    const char *more; /* what its data say, in a normal form; NULL: nothing */
    step_list *out;
    size_t writes;
};

static struct tree_node *datum(struct home *home, const struct call *call, const char *name)
{
    struct tree_node *value = home_get(home, call->data, name);
    return value ? value : home_get(home, call->node, name);
}

static void push_write(struct home *home, struct call *call, uint32_t entity, const char *slot,
                       const char *value, bool uncertain)
{
    if (*slot) /* equal numbers are one value, however they are written: 20 and 20.0 */
        value = home_plain_number(home->model, value);
    struct step *step = home_step(home, STEP_WRITE, call->node);
    step->entity = entity;
    step->slot = slot;
    step->value = value_of(value);
    step->uncertain = uncertain;
    step->text = call->text;
    step->data = call->more;
    tac_vec_push(call->out, step);
    call->writes++;
    if (value && !*slot)
        model_mention(home->model, entity, value);
}

static const char *effect_value(struct home *home, struct call *call, const char *value)
{
    if (*value == '?')
        return NULL;
    if (*value != '=')
        return value;
    const struct tree_node *node = datum(home, call, value + 1);
    const char *text = tree_text(node);
    if (!text || node->tag || is_template(text)) {
        home_abstract(home, TAC_READ_ABSTRACTED, "template in data");
        return NULL;
    }
    return text;
}

static const struct effect *effect_of(const char *service, const char *entity)
{
    char own[128];
    const char *dot = strchr(service, '.');
    bool generic = !strncmp(service, "homeassistant.", 14);
    snprintf(own, sizeof own, "%.*s%s", generic ? (int)strcspn(entity, ".") : (int)(dot - service),
             generic ? entity : service, dot);
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        if (!strcmp(effects[i].service, own))
            return &effects[i];
    return NULL;
}

/* A constant, or a list of them as "255, 0, 0"; NULL after a reason. */
static const char *constant(struct home *home, const struct tree_node *value)
{
    tac_str text = {0};
    bool known = !value->tag && value->kind != TREE_MAP;
    size_t count = value->kind == TREE_LIST ? value->count : 1;
    for (size_t i = 0; known && i < count; i++) {
        const struct tree_node *one =
            value->kind == TREE_LIST ? tree_resolve(home->library, value->at[i]) : value;
        known = tree_text(one) && !one->tag && !is_template(tree_text(one));
        if (known)
            tac_str_addf(&text, "%s%s", i ? ", " : "", tree_text(one));
    }
    if (!known)
        home_abstract(home, TAC_READ_ABSTRACTED, "template in data");
    const char *kept = known ? tac_arena_strdup(&home->model->arena, tac_str_text(&text)) : NULL;
    tac_str_free(&text);
    return kept;
}

static void write_members(struct home *home, struct call *call, const char *group, unsigned depth);

/* Afterwards its options are not those of the files. */
static void open_options(struct home *home, uint32_t entity)
{
    struct entity *e = &home->model->entities.at[entity];
    e->domain = DOMAIN_OPEN;
    e->domain_source = NULL;
    e->states = NULL;
    e->state_count = 0;
}

/* A light that is turned on with no brightness is turned off. */
static bool turns_dark(struct home *home, const struct call *call)
{
    double amount;
    const struct tree_node *brightness = datum(home, call, "brightness");
    const struct tree_node *percent = datum(home, call, "brightness_pct");
    return (brightness && home_number(brightness, &amount) && amount == 0) ||
           (percent && home_number(percent, &amount) && amount == 0);
}

static void write_entity(struct home *home, struct call *call, const char *name, unsigned depth)
{
    uint32_t entity = model_entity(home->model, name);
    const struct effect *effect = effect_of(call->service, name);
    if (effect && !strcmp(effect->service, "light.turn_on") && turns_dark(home, call))
        effect = effect_of("light.turn_off", name);
    if (!effect) {
        push_write(home, call, entity, "", NULL, true);
        return;
    }
    push_write(home, call, entity, effect->slot, effect_value(home, call, effect->value), false);
    if (!strcmp(effect->service, "light.turn_on"))
        for (size_t i = 0; i < sizeof light_slots / sizeof *light_slots; i++) {
            const struct tree_node *value = datum(home, call, light_slots[i]);
            const char *text = value ? constant(home, value) : NULL;
            if (text)
                push_write(home, call, entity, light_slots[i], text, false);
        }
    if (!strcmp(effect->service, "input_select.set_options"))
        open_options(home, entity);
    if (depth < 4)
        write_members(home, call, name, depth);
}

static bool takes_time(const struct branch *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = steps->at[i];
        if (step->kind == STEP_DELAY || step->kind == STEP_WAIT)
            return true;
        for (size_t b = 0; b < step->branch_count; b++)
            if (takes_time(&step->branches[b]))
                return true;
    }
    return false;
}

/* A script that turn_on starts goes on by itself: its caller does not wait for it, nor end it by
 * starting again. What it does from its first delay on is something that happens some time. */
static void started_script(struct home *home, const struct tree_node *at, const char *name,
                           step_list *out)
{
    size_t first = out->count;
    home_script(home, at, name, out);
    struct branch *steps = out->at[first]->branch_count ? out->at[first]->branches : NULL;
    for (size_t i = 0; steps && i < steps->count; i++) {
        struct branch one = {.at = &steps->at[i], .count = 1};
        if (!takes_time(&one))
            continue;
        struct step *rest = home_step(home, STEP_EFFECT, at);
        rest->text = tac_arena_format(&home->model->arena, "script.%s goes on", name);
        home_abstract(home, TAC_READ_ABSTRACTED, "script that goes on by itself");
        steps->at[i] = rest;
        steps->count = i + 1;
    }
}

static void write_named(struct home *home, const struct tree_node *at, const char *text,
                        void *context)
{
    struct call *call = context;
    if (at->tag || is_template(text)) {
        home_abstract(home, TAC_READ_NOT, "template as target");
        return;
    }
    if (!home_is_entity(text))
        return; /* all, none */
    if (!strncmp(text, "scene.", 6)) {
        home_scene(home, at, text + 6, call->out);
        call->writes++;
    } else if (!strncmp(text, "script.", 7) && strcmp(call->service, "script.turn_off") != 0 &&
               tac_ends_with(call->service, "turn_on")) {
        started_script(home, at, text + 7, call->out);
        call->writes++;
    } else {
        write_entity(home, call, text, 0);
    }
}

struct members {
    struct call *call;
    unsigned depth;
};

static void write_member(struct home *home, const struct tree_node *at, const char *name,
                         void *context)
{
    const struct members *m = context;
    char service[128];
    if (at->tag || !home_is_entity(name))
        return;
    snprintf(service, sizeof service, "homeassistant.%s", strchr(m->call->service, '.') + 1);
    const char *own = m->call->service;
    m->call->service = service;
    write_entity(home, m->call, name, m->depth);
    m->call->service = own;
}

static void write_members(struct home *home, struct call *call, const char *group, unsigned depth)
{
    uint32_t number = tac_names_find(&home->group_names, group);
    struct members members = {call, depth + 1};
    if (number != TAC_NONE)
        home_each_text(home, home->group_nodes.at[number], write_member, &members);
}

static bool is_harmless(const char *service)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (!strncmp(service, harmless[i], strlen(harmless[i])))
            return true;
    return false;
}

static void targets(struct home *home, struct call *call)
{
    struct tree_node *target = home_get(home, call->node, "target");
    home_each_text(home, home_get(home, call->node, "entity_id"), write_named, call);
    home_each_text(home, home_get(home, call->data, "entity_id"), write_named, call);
    if (target && target->kind == TREE_MAP)
        home_each_text(home, home_get(home, target, "entity_id"), write_named, call);
    else if (target && is_template(tree_text(target)))
        home_abstract(home, TAC_READ_NOT, "template as target");
    static const char *const groups[] = {"area_id", "device_id", "floor_id", "label_id"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (home_get(home, target, groups[i]) || home_get(home, call->data, groups[i]))
            home_abstract(home, TAC_READ_ABSTRACTED, "area, floor, label or device as target");
}

/* A number in its shortest spelling; anything else as it is. */
static struct tree_node *plain_datum(struct home *home, struct tree_node *value)
{
    if (value->kind != TREE_SCALAR || value->tag || !tree_text(value))
        return value;
    struct tree_node *copy = tac_arena_calloc(&home->model->arena, 1, sizeof *copy);
    *copy = *value;
    copy->text = home_plain_number(home->model, value->text);
    return copy;
}

/* The data of a call but for its targets and how long it takes; NULL: none. */
static const char *further_data(struct home *home, const struct tree_node *data)
{
    if (!data || data->kind != TREE_MAP)
        return NULL;
    struct tree_node rest = *data;
    rest.count = 0;
    rest.keys = tac_arena_calloc(&home->model->arena, data->count + 1, sizeof *rest.keys);
    rest.at = tac_arena_calloc(&home->model->arena, data->count + 1, sizeof *rest.at);
    for (size_t i = 0; i < data->count; i++)
        if (strcmp(data->keys[i], "entity_id") != 0 && strcmp(data->keys[i], "transition") != 0) {
            rest.keys[rest.count] = data->keys[i];
            rest.at[rest.count++] = plain_datum(home, data->at[i]);
        }
    return rest.count ? home_data(home, &rest) : NULL;
}

static void call_automation(struct home *home, const struct tree_node *at, const char *text,
                            void *context)
{
    (void)at;
    (void)context;
    if (!is_template(text))
        tac_names_intern(&home->called, text);
}

void home_service(struct home *home, struct tree_node *node, const char *service, step_list *out)
{
    struct call call = {.service = service, .node = node, .out = out};
    call.data = tree_get2(home->library, node, "data", "data_template");
    call.more = further_data(home, call.data);
    if (!strcmp(service, "automation.trigger")) {
        struct tree_node *target = home_get(home, node, "target");
        home_each_text(home, datum(home, &call, "entity_id"), call_automation, NULL);
        home_each_text(home, home_get(home, target, "entity_id"), call_automation, NULL);
    }
    call.text = tac_arena_format(&home->model->arena, "%s %s", service, home_canonical(home, node));
    if (is_template(service) || !strchr(service, '.')) {
        home_abstract(home, TAC_READ_NOT, "template as service");
    } else if (!strncmp(service, "script.", 7) &&
               !TAC_IS_ONE_OF(service, "script.turn_on", "script.turn_off", "script.toggle",
                              "script.reload")) {
        home_script(home, node, service + 7, out);
        return;
    } else if (is_harmless(service)) {
        struct step *step = home_step(home, STEP_EFFECT, node);
        step->harmless = true;
        step->text = call.text;
        tac_vec_push(out, step);
        return;
    } else {
        targets(home, &call);
    }
    if (!call.writes) {
        struct step *step = home_step(home, STEP_EFFECT, node);
        step->text = call.text;
        tac_vec_push(out, step);
        home_abstract(home, TAC_READ_ABSTRACTED, "service with unknown effect");
    } else if (!is_template(service)) {
        for (size_t i = out->count - call.writes; call.writes <= out->count && i < out->count; i++)
            if (out->at[i]->kind == STEP_WRITE && out->at[i]->uncertain)
                home_abstract(home, TAC_READ_ABSTRACTED, "service with unknown effect");
    }
}

void home_service_on(struct home *home, struct tree_node *node, const char *service,
                     const char *entity, step_list *out)
{
    struct call call = {.service = service, .node = node, .out = out};
    call.text = tac_arena_format(&home->model->arena, "%s %s", service, entity);
    if (home_get(home, node, "flash"))
        call.more = home_canonical(home, node);
    write_entity(home, &call, entity, 0);
}

static void scene_entity(struct home *home, const struct tree_node *at, const char *entity,
                         struct tree_node *value, step_list *out)
{
    value = tree_resolve(home->library, value);
    struct call call = {.service = "scene.turn_on", .node = (struct tree_node *)at, .out = out};
    call.text = tac_arena_format(&home->model->arena, "scene %s", entity);
    if (value->kind == TREE_MAP && value->count > 1)
        call.more = home_data(home, value);
    const char *text = tree_text(value->kind == TREE_MAP ? home_get(home, value, "state") : value);
    if (home_is_entity(entity))
        push_write(home, &call, model_entity(home->model, entity), "", text, !text);
}

void home_scene(struct home *home, const struct tree_node *at, const char *name, step_list *out)
{
    uint32_t number = tac_names_find(&home->scene_names, name);
    struct tree_node *entities = number == TAC_NONE ? NULL : home->scene_nodes.at[number];
    if (!entities || entities->kind != TREE_MAP) {
        struct step *step = home_step(home, STEP_EFFECT, at);
        step->text = tac_arena_format(&home->model->arena, "scene.%s", name);
        tac_vec_push(out, step);
        home_abstract(home, TAC_READ_ABSTRACTED, "scene that is not in the files");
        return;
    }
    for (size_t i = 0; i < entities->count; i++)
        scene_entity(home, at, entities->keys[i], entities->at[i], out);
}

void home_script(struct home *home, const struct tree_node *at, const char *name, step_list *out)
{
    uint32_t number = tac_names_find(&home->script_names, name);
    bool ring = false;
    for (unsigned i = 0; i < home->script_depth; i++)
        ring |= home->script_stack[i] == number;
    if (number == TAC_NONE || ring || home->script_depth == 8) {
        struct step *step = home_step(home, STEP_EFFECT, at);
        step->text = tac_arena_format(&home->model->arena, "script.%s", name);
        tac_vec_push(out, step);
        home_abstract(home, TAC_READ_ABSTRACTED,
                      ring ? "script that calls itself" : "script that is not in the files");
        return;
    }
    struct step *step = home_step(home, STEP_SCRIPT, at);
    struct tree_node *script = home->script_nodes.at[number];
    struct tree_node *use = home_get(home, script, "use_blueprint");
    if (use)
        script = home_blueprint(home, "script", use);
    step->text = tac_arena_format(&home->model->arena, "script.%s", name);
    step->branches = tac_arena_calloc(&home->model->arena, 1, sizeof *step->branches);
    step->branch_count = 1;
    home->script_stack[home->script_depth++] = number;
    if (script)
        home_steps(home, home_get(home, script, "sequence"), &step->branches[0]);
    home->script_depth--;
    tac_vec_push(out, step);
}
