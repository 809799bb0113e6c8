/* Reading and writing tactus.known. See known.h. A line that does not say what it means is an
 * error: a finding that nobody looks at must have been meant. */
#include "findings/known.h"
#include "base/data/alloc.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "tactus.known";

/* The nearest one upwards; NULL: none. The arena's. */
static const char *find_file(tac_arena *arena)
{
    char *folder = getcwd(NULL, 0), *path = NULL;
    bool top = !folder;
    while (!top) {
        path = tac_format("%s/%s", folder, name);
        char *repository = tac_format("%s/.git", folder), *slash = strrchr(folder, '/');
        bool found = access(path, F_OK) == 0;
        top = found || access(repository, F_OK) == 0 || !slash || !*folder;
        free(repository);
        const char *kept = found ? tac_arena_strdup(arena, path) : NULL;
        free(path);
        if (found) {
            free(folder);
            return kept;
        }
        if (!top)
            *slash = '\0';
    }
    free(folder);
    return NULL;
}

static bool is_date(const char *text)
{
    for (size_t i = 0; i < 10; i++)
        if (i == 4 || i == 7 ? text[i] != '-' : !isdigit((unsigned char)text[i]))
            return false;
    return !text[10];
}

static bool has_passed(const char *date)
{
    char today[16];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(today, sizeof today, "%Y-%m-%d", &utc);
    return *date && strcmp(date, today) < 0;
}

/* One word of a line, the number-th from 0; a text that says what is wrong, or NULL. */
static const char *take_word(struct known_list *list, struct known_finding *out, const char *word,
                             size_t number)
{
    size_t length = strlen(word);
    if (number == 0) {
        if (length != FINDING_ID - 1 || strspn(word, "0123456789abcdef") != length)
            return "is not an identity, 12 hexadecimal digits as reports print them";
        memcpy(out->id, word, FINDING_ID);
    } else if (number == 1) {
        out->intended = !strcmp(word, "intended");
        if (!out->intended && strcmp(word, "known") != 0)
            return "expected 'known' or 'intended'";
    } else if (!strncmp(word, "until=", 6)) {
        if (!is_date(word + 6))
            return "expected a date, until=YYYY-MM-DD";
        out->until = tac_arena_strdup(&list->texts, word + 6);
        out->expired = has_passed(out->until);
    } else if (!strncmp(word, "who=", 4) && word[4]) {
        out->who = tac_arena_strdup(&list->texts, word + 4);
    } else {
        return "expected until=YYYY-MM-DD or who=NAME; a reason follows '#'";
    }
    return NULL;
}

static tac_status read_line(struct known_list *list, char *line, size_t number, tac_error *err)
{
    struct known_finding found = {.until = "", .who = "", .reason = "", .line = number};
    char *comment = strchr(line, '#'), *rest = NULL;
    size_t words = 0;
    if (comment) {
        char *reason = comment + 1 + strspn(comment + 1, " \t");
        size_t length = strlen(reason);
        while (length && isspace((unsigned char)reason[length - 1]))
            length--;
        found.reason = tac_arena_strndup(&list->texts, reason, length);
        *comment = '\0';
    }
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        const char *wrong = take_word(list, &found, word, words++);
        if (wrong)
            return tac_fail_at(err, TAC_E_INPUT, list->path, number, (size_t)(word - line) + 1,
                               "'%.60s': %s", word, wrong);
    }
    if (words == 1)
        return tac_fail_at(err, TAC_E_INPUT, list->path, number, 1,
                           "expected 'known' or 'intended' after the identity");
    if (words)
        tac_vec_push(&list->at, found);
    return TAC_OK;
}

tac_status known_load(struct known_list *list, tac_error *err)
{
    enum { MOST = 1 << 20 };
    *list = (struct known_list){0};
    list->path = find_file(&list->texts);
    if (!list->path)
        return TAC_OK;
    FILE *file = fopen(list->path, "rb");
    char *text = tac_calloc(MOST + 1, 1), *next = text;
    size_t length = file ? fread(text, 1, MOST, file) : 0, line = 0;
    tac_status status = TAC_OK;
    if (!file)
        status = tac_fail_errno(err, errno, list->path, "cannot be read");
    else if (length == MOST || memchr(text, '\0', length))
        status = tac_fail_at(err, TAC_E_INPUT, list->path, 0, 0, "is not a list of findings");
    while (status == TAC_OK && next && *next) {
        char *end = strchr(next, '\n'), *at = next;
        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        status = read_line(list, at, ++line, err);
    }
    if (file)
        fclose(file);
    free(text);
    if (status != TAC_OK)
        known_free(list);
    return status;
}

const struct known_finding *known_find(struct known_list *list, const char *id)
{
    for (size_t i = 0; i < list->at.count; i++)
        if (!strcmp(list->at.at[i].id, id)) {
            list->at.at[i].matched = true;
            return list->at.at[i].expired ? NULL : &list->at.at[i];
        }
    return NULL;
}

const char *known_text(struct known_list *list, const struct known_finding *finding)
{
    return tac_arena_format(
        &list->texts, "%s%s%s%s%s%s%s", finding->intended ? "intended" : "known",
        *finding->until ? " until " : "", finding->until, *finding->who ? ", " : "", finding->who,
        *finding->reason ? ": " : "", finding->reason);
}

tac_status known_append(const struct known_list *list, const char *id, const char *reason,
                        tac_error *err)
{
    const char *path = list->path ? list->path : name;
    FILE *file = fopen(path, "ab+");
    if (!file)
        return tac_fail_errno(err, errno, path, "cannot be written");
    bool cut = fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n';
    fprintf(file, "%s%s  known  # %s\n", cut ? "\n" : "", id, reason);
    bool bad = ferror(file) != 0;
    bad |= fclose(file) != 0;
    return bad ? tac_fail_errno(err, errno, path, "cannot be written") : TAC_OK;
}

void known_free(struct known_list *list)
{
    tac_vec_free(&list->at);
    tac_arena_free(&list->texts);
    *list = (struct known_list){0};
}
