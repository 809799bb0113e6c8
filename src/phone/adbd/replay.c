/* A phone that answers with recorded outputs: a folder with a file "replay.txt" of lines
 *
 *     start home                              the state it begins in; default: the first section
 *     dumpsys meminfo com.ex = meminfo.txt    a command, and the file with its output
 *     pidof com.ex = "4242"                   or the output itself
 *     [home]                                  what follows counts in that state only
 *     uiautomator dump = home.xml             the file that the command writes
 *     input tap 0-540 200-400 > detail        a command that leads to another state
 *     am start > home = start.txt             both
 *
 * A command fits when the line's words are its first words; a word N-M fits the numbers between,
 * "*" fits any word. The line with the most words wins, of equal ones that of the state, then the
 * first. What no line answers is left to the built-in phone's own command: its clock, log and files
 * go on working. */
#include "base/data/text.h"
#include "base/io/input.h"
#include "phone/adbd/daemon.h"

enum { MOST_RULES = 10000, MOST_REPLAYED = 64 << 20 };

struct replay_rule {
    const char *state; /* "" = any; of the arena, like all texts */
    const char *words; /* separated by single blanks */
    size_t count;
    const char *output, *next; /* NULL: none */
    size_t length;
};

struct phone_replay {
    tac_arena arena;
    TAC_VEC(struct replay_rule) rules;
    const char *state;
};

/* A quoted text, or the content of a file of the folder. */
static tac_status take_output(struct phone_replay *r, const char *folder, const char *what,
                              struct replay_rule *rule, tac_error *err)
{
    size_t n = strlen(what);
    if (n >= 2 && *what == '"' && what[n - 1] == '"') {
        rule->output = tac_arena_format(&r->arena, "%.*s\n", (int)n - 2, what + 1);
        rule->length = n - 1;
        return TAC_OK;
    }
    char *path = tac_format("%s/%s", folder, what), *data = NULL;
    tac_status st = tac_input_slurp(path, MOST_REPLAYED, &data, &rule->length, err);
    if (!st)
        rule->output = tac_arena_strndup(&r->arena, data, rule->length);
    free(data);
    free(path);
    return st;
}

/* The separator outside of a quoted output, with blanks on both sides. */
static char *cut_at(char *line, const char *separator)
{
    char *at = strstr(line, separator);
    if (!at)
        return NULL;
    *at = '\0';
    return at + strlen(separator);
}

static tac_status take_rule(struct phone_replay *r, const char *folder, const char *state,
                            char *line, tac_error *err)
{
    struct replay_rule rule = {.state = state};
    char *output = cut_at(line, " = "), *next = cut_at(line, " > ");
    tac_str words = {0};
    for (char *word = strtok(line, " \t"); word; word = strtok(NULL, " \t")) {
        tac_str_addf(&words, "%s%s", words.length ? " " : "", word);
        rule.count++;
    }
    rule.words = tac_arena_strdup(&r->arena, tac_str_text(&words));
    tac_str_free(&words);
    rule.next = next ? tac_arena_strdup(&r->arena, tac_trim(next)) : NULL;
    tac_status st = output ? take_output(r, folder, tac_trim(output), &rule, err) : TAC_OK;
    if (!st)
        tac_vec_push(&r->rules, rule);
    return st;
}

static tac_status take_line(struct phone_replay *r, const char *folder, const char **state,
                            char *line, tac_error *err)
{
    line = tac_trim(line);
    size_t n = strlen(line);
    if (!n || *line == '#')
        return TAC_OK;
    if (*line == '[' && line[n - 1] == ']') {
        *state = tac_arena_strndup(&r->arena, line + 1, n - 2);
        r->state = *r->state ? r->state : *state;
        return TAC_OK;
    }
    if (!strncmp(line, "start ", 6)) {
        r->state = tac_arena_strdup(&r->arena, tac_trim(line + 6));
        return TAC_OK;
    }
    if (r->rules.count >= MOST_RULES)
        return tac_fail(err, TAC_E_LIMIT, "more than %d lines", MOST_RULES);
    return take_rule(r, folder, *state, line, err);
}

tac_status phone_replay_open(const char *folder, struct phone_replay **out, tac_error *err)
{
    struct phone_replay *r = tac_calloc(1, sizeof *r);
    char *path = tac_format("%s/replay.txt", folder), *text = NULL;
    size_t size = 0, number = 0;
    const char *state = "";
    r->state = "";
    tac_status st = tac_input_slurp(path, MOST_REPLAYED, &text, &size, err);
    char *at = text;
    while (!st && at && *at) {
        char *line = at, *end = strchr(at, '\n');
        at = end ? end + 1 : at + strlen(at);
        if (end)
            *end = '\0';
        number++;
        tac_error cause;
        st = take_line(r, folder, &state, line, &cause);
        if (st)
            tac_fail_at(err, st, path, number, 0, "%s%s%s", cause.file, *cause.file ? ": " : "",
                        cause.message);
    }
    free(text);
    free(path);
    if (st)
        phone_replay_free(r);
    else
        *out = r;
    return st;
}

void phone_replay_free(struct phone_replay *r)
{
    if (!r)
        return;
    tac_vec_free(&r->rules);
    tac_arena_free(&r->arena);
    free(r);
}

/* --- answering --- */

static bool word_fits(const char *pattern, size_t length, const char *word)
{
    long low, high, value;
    char text[64], dash, end;
    if (length == 1 && *pattern == '*')
        return true;
    snprintf(text, sizeof text, "%.*s", (int)(length < 63 ? length : 63), pattern);
    if (sscanf(text, "%ld%c%ld%c", &low, &dash, &high, &end) == 3 && dash == '-' &&
        sscanf(word, "%ld%c", &value, &end) == 1)
        return value >= low && value <= high;
    return strlen(word) == length && !memcmp(pattern, word, length);
}

static bool rule_fits(const struct phone_replay *r, const struct replay_rule *rule,
                      const struct phone_command *c)
{
    const char *at = rule->words;
    if (rule->count > (size_t)c->argc || (*rule->state && strcmp(rule->state, r->state) != 0))
        return false;
    for (int i = 0; *at; i++) {
        size_t n = strcspn(at, " ");
        if (!word_fits(at, n, c->argv[i]))
            return false;
        at += n + (at[n] == ' ');
    }
    return true;
}

bool phone_replay_answer(struct phone_command *c, int *code)
{
    struct phone_replay *r = c->phone->replay;
    const struct replay_rule *best = NULL;
    for (size_t i = 0; i < r->rules.count; i++) {
        const struct replay_rule *rule = &r->rules.at[i];
        if (rule_fits(r, rule, c) &&
            (!best || rule->count > best->count ||
             (rule->count == best->count && *rule->state && !*best->state)))
            best = rule;
    }
    *code = 0;
    if (!best)
        return false;
    if (best->next)
        r->state = best->next;
    if (!best->output)
        return true;
    if (!strcmp(c->argv[0], "uiautomator")) {
        const char *path = c->argc > 2 ? c->argv[2] : "/sdcard/window_dump.xml";
        tac_str *file = phone_find_file(c->phone, path, true);
        if (file) {
            tac_str_clear(file);
            phone_append(c->phone, file, best->output, best->length);
        }
        tac_str_addf(c->out, "UI hierchary dumped to: %s\n", path);
    } else {
        tac_str_add_bytes(c->out, best->output, best->length);
    }
    return true;
}
