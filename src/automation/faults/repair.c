/* Proposals by class, each tried by reading the configuration again with the edited file. */
#include "automation/faults/repair.h"
#include "automation/faults/edit.h"
#include "automation/load.h"
#include "base/check.h"
#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/diff.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_REACH = 16 }; /* lines below a trigger in which its values are sought */

struct bench {
    const tac_automation_model *model;
    tac_names before; /* signatures of all findings */
    struct edit_text text;
    tac_automation_finding *finding;
    const char *file;
};

/* What a finding is about, whatever lines it stands in. The caller's. */
static char *signature(const tac_automation_finding *f)
{
    tac_str text = {0};
    tac_str_addf(&text, "%d", (int)f->which);
    for (size_t i = 0; i < f->entity_count; i++)
        tac_str_addf(&text, "|%s", f->entities[i]);
    for (size_t i = 0; i < f->place_count; i++)
        tac_str_addf(&text, "|%s|%s|%s", f->places[i].file, f->places[i].id ? f->places[i].id : "",
                     f->places[i].alias ? f->places[i].alias : "");
    return tac_str_take(&text);
}

/* Whether the findings after the edit are those before without this one. */
static bool improves(const struct bench *b, const char *fixed)
{
    tac_diagnostics diagnostics = {0};
    tac_automation_model *model = NULL;
    tac_automation_findings *after = NULL;
    char *own = signature(b->finding);
    bool good =
        automation_load(b->model->path, b->file, fixed, &diagnostics, &model, NULL) == TAC_OK &&
        model->automations.count == b->model->automations.count &&
        tac_automation_check(model, NULL, &after, NULL) == TAC_OK;
    for (size_t i = 0; good && i < after->count; i++) {
        char *other = signature(&after->at[i]);
        good = strcmp(own, other) != 0 && tac_names_find(&b->before, other) != TAC_NONE;
        free(other);
    }
    tac_automation_findings_free(after);
    tac_automation_free(model);
    tac_diagnostics_free(&diagnostics);
    free(own);
    return good;
}

static bool offer(struct bench *b, struct edit *edit, char *description)
{
    tac_automation_finding *f = b->finding;
    assert(edit->line >= 1 && edit->line <= b->text.count);
    edit_end_lines(&b->text, edit);
    char *fixed = edit_apply(&b->text, edit);
    bool good = improves(b, fixed);
    if (good) {
        f->repairs = tac_realloc(f->repairs, f->repair_count + 1, sizeof *f->repairs);
        f->repairs[f->repair_count++] = (tac_automation_repair){
            .description = description,
            .file = b->file,
            .line = edit->line,
            .patch =
                tac_unified_diff(b->file, b->text.text, strlen(b->text.text), fixed, strlen(fixed)),
            .fixed = fixed};
    } else {
        free(fixed);
        free(description);
    }
    free(edit->text);
    return good;
}

static const struct automation *automation_at(const tac_automation_model *model,
                                              const tac_automation_place *place)
{
    for (size_t i = 0; i < model->automations.count; i++) {
        const struct automation *a = &model->automations.at[i];
        if (a->place.line == place->line &&
            !strcmp(model->library.files[a->place.file].path, place->file))
            return a;
    }
    return NULL;
}

static void mode_restart(struct bench *b)
{
    const struct automation *a = automation_at(b->model, &b->finding->places[0]);
    if (!a || a->place.line > b->text.count)
        return;
    struct edit edit = {.line = a->place.line};
    int column = (int)edit_key_column(&b->text, a->place.line);
    if (a->mode_place.line && a->mode_place.file == a->place.file &&
        a->mode_place.line <= b->text.count) {
        edit.line = a->mode_place.line;
        edit.replace = true;
        column = (int)edit_key_column(&b->text, edit.line);
    }
    bool dash = edit.replace && edit.line == a->place.line;
    edit.text = tac_format("%.*s%s\n", dash ? column : 0, b->text.lines[edit.line - 1],
                           dash ? "mode: restart" : "");
    if (!dash) {
        free(edit.text);
        edit.text = tac_format("%*smode: restart\n", column, "");
    }
    offer(b, &edit, tac_strdup("start again on a new trigger (mode: restart)"));
}

static void hold_trigger(struct bench *b)
{
    const struct automation *a = automation_at(b->model, &b->finding->places[0]);
    for (size_t t = 0; a && t < a->trigger_count; t++) {
        const struct trigger *trigger = &a->triggers[t];
        if (trigger->kind != TRIGGER_NUMBER || trigger->hold != 0 ||
            trigger->place.line > b->text.count ||
            strcmp(b->model->entities.at[trigger->entity].name, b->finding->entities[0]) != 0)
            continue;
        struct edit edit = {.line = trigger->place.line};
        edit.text =
            tac_format("%*sfor: \"00:01:00\"\n", (int)edit_key_column(&b->text, edit.line), "");
        if (offer(b, &edit, tac_strdup("wait until the value has been there for a minute")))
            return;
    }
}

static const struct entity *entity_named(const tac_automation_model *model, const char *name)
{
    uint32_t number = tac_names_find(&model->entity_names, name);
    return number == TAC_NONE ? NULL : &model->entities.at[number];
}

/* The state that was meant: the same in another case, or the nearest spelling. */
static const char *meant(const struct entity *e, const char *text)
{
    static const char *const missing[] = {"unavailable", "unknown"};
    for (size_t i = 0; i < e->state_count; i++)
        if (!strcasecmp(e->states[i], text))
            return e->states[i];
    const char *near = tac_closest(text, e->states, e->state_count);
    return near ? near : tac_closest(text, missing, 2);
}

/* The text as a whole word in a line; NULL: not there. */
static const char *find_word(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= length; i++) {
        bool left = !i || !(isalnum((unsigned char)line[i - 1]) || line[i - 1] == '_');
        bool right =
            i + n == length || !(isalnum((unsigned char)line[i + n]) || line[i + n] == '_');
        if (left && right && !strncmp(line + i, word, n))
            return line + i;
    }
    return NULL;
}

static void correct_value(struct bench *b)
{
    const struct entity *e =
        b->finding->entity_count ? entity_named(b->model, b->finding->entities[0]) : NULL;
    if (!e || b->finding->place_count < 2)
        return;
    size_t first = b->finding->places[1].line;
    for (size_t i = 0; i < e->impossible.count; i++) {
        const char *wrong = e->impossible.at[i], *right = meant(e, wrong);
        for (size_t line = first; right && line < first + MOST_REACH && line <= b->text.count;
             line++) {
            const char *text = b->text.lines[line - 1];
            const char *at = find_word(text, b->text.lengths[line - 1], wrong);
            if (!at)
                continue;
            struct edit edit = {.line = line, .replace = true};
            /* bare, `on` would be a boolean */
            bool quoted = at > text && (at[-1] == '\'' || at[-1] == '"');
            edit.text = tac_format("%.*s%s%s%s%.*s\n", (int)(at - text), text, quoted ? "" : "\"",
                                   right, quoted ? "" : "\"",
                                   (int)(text + b->text.lengths[line - 1] - at - strlen(wrong)),
                                   at + strlen(wrong));
            if (offer(b, &edit, tac_format("'%s' instead of '%s'", right, wrong)))
                return;
        }
    }
}

static const struct cond *plain_state(const struct cond *cond)
{
    if (cond->kind == COND_STATE && cond->texts.count == 1)
        return cond;
    for (size_t i = 0; cond->kind == COND_AND && i < cond->count; i++)
        if (cond->at[i]->kind == COND_STATE && cond->at[i]->texts.count == 1)
            return cond->at[i];
    return NULL;
}

/* The line of a key among an automation's own keys; 0: none. */
static size_t key_line(const struct bench *b, const struct automation *a, const char *key)
{
    size_t column = edit_key_column(&b->text, a->place.line), length = strlen(key);
    for (size_t line = a->place.line; line <= b->text.count; line++) {
        const char *text = b->text.lines[line - 1];
        size_t blank = strspn(text, " ");
        if (line > a->place.line && blank < b->text.lengths[line - 1] && blank < column &&
            text[blank] != '#')
            return 0;
        if (edit_key_column(&b->text, line) == column && !strncmp(text + column, key, length) &&
            text[column + length] == ':')
            return line;
    }
    return 0;
}

/* The second automation gives way where the first one's condition holds. */
static void exclude(struct bench *b)
{
    const struct automation *a = automation_at(b->model, &b->finding->places[0]);
    const struct automation *other = automation_at(b->model, &b->finding->places[1]);
    const struct cond *cond = a ? plain_state(a->cond) : NULL;
    if (!cond || !other || other->place.line > b->text.count)
        return;
    size_t line = key_line(b, other, "condition");
    line = line ? line : key_line(b, other, "conditions");
    int column = (int)edit_key_column(&b->text, other->place.line);
    struct edit edit = {.line = line ? line : other->place.line};
    int inner = column + 2;
    if (line && line < b->text.count) { /* as the list's own elements stand */
        size_t dash = strspn(b->text.lines[line], " ");
        if (b->text.lines[line][dash] != '-')
            return;
        inner = (int)dash;
    }
    const char *entity = b->model->entities.at[cond->entity].name;
    tac_str text = {0};
    if (!line)
        tac_str_addf(&text, "%*scondition:\n", column, "");
    tac_str_addf(&text,
                 "%*s- condition: not\n%*sconditions:\n%*s- condition: state\n%*sentity_id: "
                 "%s\n%*sstate: \"%s\"\n",
                 inner, "", inner + 2, "", inner + 4, "", inner + 6, "", entity, inner + 6, "",
                 cond->texts.at[0]);
    edit.text = tac_str_take(&text);
    offer(b, &edit,
          tac_format("do not run it while %s is %s, when the other one does", entity,
                     cond->texts.at[0]));
}

static void propose(struct bench *b)
{
    switch (b->finding->which) {
    case TAC_RETRIGGER_IGNORED:
        mode_restart(b);
        break;
    case TAC_NO_HYSTERESIS:
        hold_trigger(b);
        break;
    case TAC_IMPOSSIBLE_VALUE:
    case TAC_NEVER_FIRES:
    case TAC_DEAD_TRIGGER:
        correct_value(b);
        break;
    case TAC_OPPOSITE_WRITES:
        exclude(b);
        break;
    case TAC_DEAD_BRANCH:
    case TAC_DUPLICATE_ID:
    case TAC_LOOP:
    case TAC_REDUNDANT:
    case TAC_UNKNOWN_ENTITY:
    case TAC_AUTOMATION_CLASSES:
        break;
    }
}

void repair_all(const tac_automation_model *model, tac_automation_finding *findings, size_t count,
                tac_watch *watch)
{
    struct bench b = {.model = model};
    tac_automation_findings *all = NULL;
    if (model->format != TAC_AUTOMATION_HOME_ASSISTANT || !count ||
        tac_automation_check(model, NULL, &all, NULL) != TAC_OK)
        return;
    for (size_t i = 0; i < all->count; i++) {
        char *text = signature(&all->at[i]);
        tac_names_intern(&b.before, text);
        free(text);
    }
    for (size_t i = 0; i < count && tac_watch_tick(watch, "repairs tried", i, count); i++) {
        char path[PATH_MAX];
        b.finding = &findings[i];
        if (!b.finding->exact || !b.finding->place_count)
            continue;
        /* what is edited: the second automation of a pair, else the finding's own file */
        b.file = b.finding->places[b.finding->which == TAC_OPPOSITE_WRITES ? 1 : 0].file;
        snprintf(path, sizeof path, "%s/%s", model->library.folder, b.file);
        if (edit_open(&b.text, path)) {
            propose(&b);
            edit_close(&b.text);
        }
    }
    tac_names_free(&b.before);
    tac_automation_findings_free(all);
}
