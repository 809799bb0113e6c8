/* The log as moments, and files of events.
 *
 * A line of an events file: TIME WHAT. TIME is YYYY-MM-DDTHH:MM:SS, or +SECONDS after the line
 * before. WHAT is "set ENTITY VALUE", "is ENTITY VALUE" (a state from before the play), "event
 * NAME", "start", or "end". '#' begins a comment. */
#include "automation/simulate/play.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *automation_name(const struct automation *a)
{
    return a->alias ? a->alias : a->id ? a->id : "(no name)";
}

typedef TAC_VEC(tac_automation_moment) moment_list;

static void add_text(char ***list, size_t *count, char *text)
{
    *list = tac_realloc(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = text;
}

static void add_record(const struct play *sim, const struct record *r, tac_automation_moment *m)
{
    const tac_automation_model *model = sim->model;
    const char *name = r->automation < model->automations.count
                           ? automation_name(&model->automations.at[r->automation])
                           : "";
    if (r->kind == RECORD_FIRE)
        add_text(&m->fires, &m->fire_count, tac_strdup(name));
    else if (r->kind == RECORD_IGNORED)
        add_text(&m->fires, &m->fire_count, tac_format("%s (ignored: it is still running)", name));
    else if (r->kind == RECORD_UNKNOWN)
        add_text(&m->fires, &m->fire_count,
                 tac_format("%s (not known: a condition is not understood)", name));
    else if (r->kind == RECORD_WRITE)
        add_text(&m->writes, &m->write_count,
                 tac_format("%s%s%s := %s", model->entities.at[r->entity].name, *r->slot ? " " : "",
                            r->slot, r->text ? r->text : "?"));
    else if (r->kind == RECORD_ENDLESS)
        add_text(&m->fires, &m->fire_count, tac_strdup("... and so on without end"));
}

void play_moments(const struct play *sim, double origin, size_t most, tac_automation_moment **out,
                  size_t *count)
{
    moment_list list = {0};
    for (size_t i = 0; i < sim->log.count; i++) {
        const struct record *r = &sim->log.at[i];
        if (r->kind == RECORD_EVENT || !list.count || r->time - origin != tac_vec_last(&list).t) {
            tac_automation_moment moment = {.t = r->time - origin};
            moment.event = tac_strdup(r->kind == RECORD_EVENT ? r->text : "time passes");
            tac_vec_push(&list, moment);
        }
        tac_automation_moment *last = &tac_vec_last(&list);
        size_t told = last->fire_count + last->write_count;
        if (told < most)
            add_record(sim, r, last);
        else if (told == most)
            add_text(&last->fires, &last->fire_count, tac_strdup("... and more"));
    }
    *out = list.at;
    *count = list.count;
}

void tac_automation_moments_free(tac_automation_moment *moments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t f = 0; f < moments[i].fire_count; f++)
            free(moments[i].fires[f]);
        for (size_t w = 0; w < moments[i].write_count; w++)
            free(moments[i].writes[w]);
        free(moments[i].fires);
        free(moments[i].writes);
        free(moments[i].event);
    }
    free(moments);
}

struct player {
    struct play sim;
    bool opened;
    double time;
    const char *path;
    size_t line;
    tac_automation_model *model;
};

static tac_status bad(const struct player *p, tac_error *err, const char *message)
{
    return tac_fail_at(err, TAC_E_INPUT, p->path, p->line, 0, "%s", message);
}

static bool read_time(struct player *p, const char *text)
{
    struct tm tm = {0};
    double seconds;
    if (*text == '+') {
        if (!p->opened || !tac_parse_double(text + 1, &seconds) || seconds < 0 || seconds > 1e9)
            return false;
        p->time += seconds;
        return true;
    }
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec) != 6)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    struct tm meant = tm;
    double time = (double)timegm(&meant);
    if (meant.tm_mon != tm.tm_mon || meant.tm_mday != tm.tm_mday || meant.tm_hour != tm.tm_hour ||
        meant.tm_min != tm.tm_min || meant.tm_sec != tm.tm_sec)
        return false; /* no such day or hour */
    if (p->opened && time < p->time)
        return false;
    p->time = time;
    return true;
}

static tac_status set_line(struct player *p, char *rest, bool before, tac_error *err)
{
    char *name = strsep(&rest, " \t");
    while (rest && (*rest == ' ' || *rest == '\t'))
        rest++;
    uint32_t entity = name ? tac_names_find(&p->sim.model->entity_names, name) : TAC_NONE;
    if (!rest || !*rest)
        return bad(p, err, "expected an entity and its value");
    if (entity == TAC_NONE)
        return tac_fail_at(err, TAC_E_INPUT, p->path, p->line, 0,
                           "no automation mentions the entity '%s'", name);
    if (before)
        play_assume(&p->sim, entity, rest, p->time - 86400);
    else
        play_set(&p->sim, entity, rest);
    return TAC_OK;
}

static tac_status play_line(struct player *p, char *line, tac_error *err)
{
    char *rest = line + strspn(line, " \t"), *time, *what;
    rest[strcspn(rest, "#")] = '\0';
    for (size_t n = strlen(rest); n && (rest[n - 1] == ' ' || rest[n - 1] == '\t'); n--)
        rest[n - 1] = '\0';
    if (!*rest)
        return TAC_OK;
    time = strsep(&rest, " \t");
    if (!read_time(p, time))
        return bad(
            p, err,
            p->opened
                ? "expected a time such as 2026-01-05T18:00:00, not before the line above, or +10"
                : "expected a time such as 2026-01-05T18:00:00: the first line has a date");
    if (!p->opened)
        play_open(&p->sim, p->model, p->time);
    p->opened = true;
    p->sim.patterns = true;
    play_advance(&p->sim, p->time);
    while (rest && (*rest == ' ' || *rest == '\t'))
        rest++;
    what = rest ? strsep(&rest, " \t") : NULL;
    if (what && !strcmp(what, "start"))
        return play_event(&p->sim, NULL), TAC_OK;
    if (what && !strcmp(what, "end"))
        return TAC_OK;
    if (what && rest && !strcmp(what, "event")) {
        bool bare = !strchr(rest, ' ') && !strchr(rest, '{');
        play_event(&p->sim, tac_arena_format(&p->sim.arena, "%s%s", bare ? "event " : "", rest));
        return TAC_OK;
    }
    if (what && rest && (!strcmp(what, "set") || !strcmp(what, "is")))
        return set_line(p, rest, !strcmp(what, "is"), err);
    return bad(p, err,
               "expected 'set ENTITY VALUE', 'is ENTITY VALUE', 'event NAME', 'start' or 'end'");
}

tac_status tac_automation_simulate(const tac_automation_model *model, const char *events_path,
                                   tac_watch *watch, tac_automation_moment **out, size_t *count,
                                   tac_error *err)
{
    struct player p = {.path = events_path, .model = (tac_automation_model *)model};
    tac_input *input = NULL;
    char *line = NULL;
    size_t length;
    tac_status status = tac_input_open(events_path, &input, err);
    while (status == TAC_OK) {
        status = tac_input_line(input, 1 << 16, &line, &length, err);
        if (status != TAC_OK || !line)
            break;
        p.line = tac_input_line_number(input);
        if (!tac_watch_tick(watch, "lines played", p.line, 0))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped at line %zu", p.line);
        else
            status = play_line(&p, line + (strncmp(line, "\xef\xbb\xbf", 3) ? 0 : 3), err);
        if (status == TAC_OK && p.opened && p.sim.log.count >= p.sim.log_limit)
            status = tac_fail_at(err, TAC_E_LIMIT, p.path, p.line, 0,
                                 "more than %zu things happen up to here: play a shorter time",
                                 p.sim.log_limit);
    }
    if (status == TAC_OK && !p.opened)
        status = tac_fail_at(err, TAC_E_INPUT, events_path, 0, 0, "has no events");
    if (status == TAC_OK && p.sim.log.count)
        play_moments(&p.sim, p.sim.log.at[0].time, SIZE_MAX, out, count);
    else if (status == TAC_OK)
        *out = NULL, *count = 0;
    if (p.opened)
        play_close(&p.sim);
    tac_input_close(input);
    return status;
}
