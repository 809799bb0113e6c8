/* The estimate of `dumpsys batterystats`: how much each user of the phone took from the battery. */
#include "figures/android/power.h"
#include "base/data/vec.h"
#include "figures/android/lines.h"
#include "trace/battery/history_line.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD_USERS = 3 };

struct user {
    char name[24], amount[24];
    double value;
};

struct power {
    struct figures *facts;
    int64_t lines, history;
    bool estimate, reset, capacity;
    TAC_VEC(struct user) users;
};

/* "    +1m02s003ms (2) 099 ...": an offset or a time, then a number in brackets; since Android 14
 * also "   06-15 10:00:00.123 099 ...". */
static bool is_history(const char *text)
{
    size_t n = 0;
    struct history_line record;
    if (history_line_parse(text, strcspn(text, "\r"), &record) && record.dated)
        return true;
    if (!isdigit((unsigned char)*text) && *text != '+')
        return false;
    while (text[n] && (isalnum((unsigned char)text[n]) || strchr("+-:. ", text[n])))
        n++;
    if (text[n] != '(' || !isdigit((unsigned char)text[n + 1]))
        return false;
    n++;
    while (isdigit((unsigned char)text[n]))
        n++;
    return text[n] == ')';
}

static void take_user(struct power *p, const char *text)
{
    struct user user = {0};
    if (sscanf(text + 4, "%23[^: ]: %23[0-9.eE-]", user.name, user.amount) != 2)
        return;
    user.value = strtod(user.amount, NULL);
    tac_vec_push(&p->users, user);
}

static void take_capacity(struct power *p, const char *text)
{
    const char *computed = after(text, "Computed drain:"), *actual = after(text, "actual drain:");
    const char *capacity = after(text, "Capacity:");
    p->capacity = true;
    figures_textf(p->facts, "capacity_mAh", "%.*s", (int)strcspn(capacity, ", "), capacity);
    if (computed)
        figures_textf(p->facts, "computed_drain_mAh", "%.*s", (int)strcspn(computed, ", "),
                      computed);
    if (actual)
        figures_textf(p->facts, "actual_drain_mAh", "%.*s", (int)strcspn(actual, ", \r"), actual);
}

static bool take(void *context, char *line)
{
    struct power *p = context;
    const char *text = line + strspn(line, " \t");
    const char *reset = strstr(text, "RESET:TIME: ");
    p->lines++;
    p->history += text > line && is_history(text);
    if (reset && !p->reset) {
        p->reset = true;
        figures_textf(p->facts, "reset_time", "%.*s", (int)strcspn(reset + 12, " \r"), reset + 12);
    }
    if (!strncmp(text, "Estimated power use (mAh)", 25))
        p->estimate = true;
    else if (p->estimate && !*text)
        p->estimate = false;
    else if (p->estimate && !p->capacity && !strncmp(text, "Capacity:", 9))
        take_capacity(p, text);
    else if (p->estimate && (!strncmp(text, "Uid ", 4) || !strncmp(text, "UID ", 4)))
        take_user(p, text);
    return true;
}

static int by_value(const void *a, const void *b)
{
    const struct user *x = a, *y = b;
    return (x->value < y->value) - (x->value > y->value);
}

tac_status power_facts(const struct figures_input *input, struct figures *facts, tac_error *err)
{
    struct power p = {.facts = facts};
    char name[40];
    tac_status status = each_line(input, take, &p, err);
    figures_text(facts, "encoding", input->encoding);
    figures_number(facts, "lines", p.lines);
    figures_number(facts, "history_lines", p.history);
    if (p.users.count) {
        qsort(p.users.at, p.users.count, sizeof *p.users.at, by_value);
        figures_number(facts, "uids_with_power", (int64_t)p.users.count);
        for (size_t i = 0; i < p.users.count && i < TOLD_USERS; i++) {
            snprintf(name, sizeof name, "power_mAh[%s]", p.users.at[i].name);
            figures_text(facts, name, p.users.at[i].amount);
        }
    }
    tac_vec_free(&p.users);
    return status;
}
