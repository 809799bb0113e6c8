/* Help texts, all from the descriptors. */
#include "base/check.h"
#include "cli/frame.h"
#include "cli/options.h"
#include <string.h>

bool is_noun(const char *word)
{
    for (size_t i = 0; i < all_command_count; i++)
        if (all_commands[i]->verb && !strcmp(all_commands[i]->noun, word))
            return true;
    return false;
}

const struct command *find_command(const char *noun, const char *verb)
{
    for (size_t i = 0; i < all_command_count; i++) {
        const struct command *command = all_commands[i];
        if (strcmp(command->noun, noun))
            continue;
        if (!command->verb ? !verb : verb && !strcmp(command->verb, verb))
            return command;
    }
    return NULL;
}

enum { WIDTH = 80, OPTION_COLUMN = 28, SUMMARY_COLUMN = 30 };

/* How much of a word that is too long for a line is printed on this one: lists break behind '|'. */
static size_t part_of(const char *word, size_t length, size_t room)
{
    for (size_t part = length < room ? length : room; length > room && part > 1; part--)
        if (word[part - 1] == '|')
            return part;
    return length;
}

/* Words of the text up to `end`, from `column` on, further lines indented; returns the column. */
static size_t put_words(const char *text, const char *end, size_t column, size_t indent, FILE *out)
{
    bool first = true;
    while ((text += strspn(text, " \n")) < end) {
        size_t length = strcspn(text, " \n");
        size_t part = part_of(text, length, WIDTH - indent);
        size_t gap = first ? 0 : 1;
        if (!first && column + gap + part > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            gap = 0;
        }
        fprintf(out, "%*s%.*s", (int)gap, "", (int)part, text);
        column += gap + part;
        text += part;
        first = false;
    }
    return column;
}

/* Paragraphs, filled to the width; lines that begin with a blank stay as they are. */
static void put_paragraphs(const char *text, FILE *out)
{
    while (*text) {
        const char *line = text;
        size_t length = strcspn(line, "\n");
        if (*line == ' ' || *line == '\n') {
            fprintf(out, "%.*s\n", (int)length, line);
            text += length + (line[length] == '\n');
            continue;
        }
        const char *end = line + length;
        while (*end == '\n' && end[1] && end[1] != '\n' && end[1] != ' ')
            end += 1 + strcspn(end + 1, "\n");
        put_words(text, end, 0, 0, out);
        fputc('\n', out);
        text = end + (*end == '\n');
    }
}

static void print_row(const struct command *command, FILE *out)
{
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", command->noun, command->verb ? " " : "",
             command->verb ? command->verb : "");
    fprintf(out, "  %-26s  ", name);
    put_words(command->summary, command->summary + strlen(command->summary), SUMMARY_COLUMN,
              SUMMARY_COLUMN, out);
    fputc('\n', out);
}

void print_noun_overview(const char *noun, FILE *out)
{
    fprintf(out, "usage: tactus %s VERB [options] ARGS\n\n", noun);
    for (size_t i = 0; i < all_command_count; i++)
        if (!strcmp(all_commands[i]->noun, noun))
            print_row(all_commands[i], out);
    fprintf(out, "\n'tactus %s VERB --help' shows one of them with an example.\n", noun);
}

static const char *const group_titles[] = {
    [GROUP_TEST] = "Explore and test an app",
    [GROUP_ANALYSE] = "Analyse logs, traces and recordings",
    [GROUP_MODELS] = "Models and flows",
    [GROUP_AUTOMATIONS] = "Automations and adaptation rules",
    [GROUP_CAMPAIGNS] = "Campaigns and reports",
    [GROUP_SETUP] = "Set up and find help",
};
TABLE_COVERS(group_titles, GROUP_SETUP);

static void print_groups(bool only_first, FILE *out)
{
    for (size_t group = GROUP_TEST; group <= GROUP_SETUP; group++) {
        fprintf(out, "%s\n", group_titles[group]);
        for (size_t i = 0; i < all_command_count; i++)
            if (all_commands[i]->group == group && (all_commands[i]->first || !only_first))
                print_row(all_commands[i], out);
        fputc('\n', out);
    }
}

void print_overview(FILE *out)
{
    fputs("Tactus finds out whether an app breaks, in the fewest steps, and whether it\n"
          "became slower or hungrier.\n\n"
          "usage: tactus COMMAND [options] ARGS\n\n",
          out);
    print_groups(true, out);
    fprintf(out,
            "'tactus COMMAND --help' shows one command with an example, 'tactus help\n"
            "commands' lists all %zu, 'tactus --version' names the version and the\n"
            "libraries built in.\n\n"
            "exit codes: 0 holds or done, 1 violated or faults found, 2 wrong usage,\n"
            "            3 inconclusive, 4 could not do it\n",
            all_command_count);
}

void print_all_commands(FILE *out)
{
    print_groups(false, out);
    fputs("'tactus COMMAND --help' shows one command with an example.\n", out);
}

static void print_option(const struct option *option, void *context)
{
    FILE *out = context;
    char left[OPTION_WORDS + 80], letter[6] = "", words[OPTION_WORDS];
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    option_words(option, words);
    const char *argument = option->argument ? option->argument : *words ? words : NULL;
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, argument ? " " : "",
             argument ? argument : "");
    fprintf(out, "  %-24s  ", left);
    if (strlen(left) > 24)
        fprintf(out, "\n%*s", OPTION_COLUMN, "");
    size_t column = put_words(option->help, option->help + strlen(option->help), OPTION_COLUMN,
                              OPTION_COLUMN, out);
    if (option->kind == OPTION_CHOICE && option->argument) {
        char choices[OPTION_WORDS + 2];
        snprintf(choices, sizeof choices, "(%s)", words);
        bool fits = column + 1 + strlen(choices) <= WIDTH;
        if (fits)
            fputc(' ', out);
        else
            fprintf(out, "\n%*s", OPTION_COLUMN, "");
        put_words(choices, choices + strlen(choices), fits ? column + 1 : OPTION_COLUMN,
                  OPTION_COLUMN, out);
    }
    fputc('\n', out);
}

/* One command of an example; what is too long goes on behind a backslash, never within quotes. */
static void put_example_line(const char *line, size_t length, FILE *out)
{
    size_t column = 2, from = 0;
    char quote = 0;
    fputs("  ", out);
    for (size_t i = 0; i <= length; i++) {
        bool at_end = i == length;
        if (!at_end && (line[i] == '\'' || line[i] == '"'))
            quote = !quote ? line[i] : quote == line[i] ? 0 : quote;
        if (!at_end && (line[i] != ' ' || quote))
            continue;
        size_t word = i - from;
        if (from && column + 1 + word + (at_end ? 0 : 2) > WIDTH) {
            fputs(" \\\n     ", out);
            column = 5;
        }
        fprintf(out, "%s%.*s", from ? " " : "", (int)word, line + from);
        column += word + (from ? 1 : 0);
        from = i + 1;
    }
    fputc('\n', out);
}

/* Every line under the first. */
static void write_example(const char *lines, FILE *out)
{
    fputs("\nexample:\n", out);
    while (*lines) {
        lines += strspn(lines, " ");
        size_t length = strcspn(lines, "\n");
        put_example_line(lines, length, out);
        lines += length + (lines[length] == '\n');
    }
}

void print_command_help(const struct command *command, FILE *out)
{
    char name[80];
    command_name(command, name, sizeof name);
    fprintf(out, "%s: ", name);
    put_words(command->summary, command->summary + strlen(command->summary), strlen(name) + 2,
              strlen(name) + 2, out);
    fprintf(out, "\n\nusage: %s [options]%s%s\n\n", name, command->args[0] ? " " : "",
            command->args);
    if (command->description) {
        put_paragraphs(command->description, out);
        fputc('\n', out);
    }
    fputs("options:\n", out);
    for_each_option(command, print_option, out);
    if (command->example)
        write_example(command->example, out);
}
