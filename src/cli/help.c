/* Help texts, all from the descriptors. */
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

static void print_row(const struct command *command, FILE *out)
{
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", command->noun, command->verb ? " " : "",
             command->verb ? command->verb : "");
    fprintf(out, "  %-26s %s\n", name, command->summary);
}

void print_noun_overview(const char *noun, FILE *out)
{
    fprintf(out, "usage: tactus %s VERB [options] ARGS\n\n", noun);
    for (size_t i = 0; i < all_command_count; i++)
        if (!strcmp(all_commands[i]->noun, noun))
            print_row(all_commands[i], out);
    fprintf(out, "\n'tactus %s VERB --help' shows one of them with an example.\n", noun);
}

void print_overview(FILE *out)
{
    fputs("Tactus verifies event-driven apps from models and traces.\n\n"
          "usage: tactus NOUN VERB [options] ARGS\n\n",
          out);
    for (size_t i = 0; i < all_command_count; i++)
        print_row(all_commands[i], out);
    fputs(
        "\n'tactus NOUN VERB --help' shows one command with an example; 'tactus --version' names\n"
        "the version and the libraries built in.\n\n"
        "exit codes: 0 holds or done, 1 violated or faults found, 2 wrong usage, 3 inconclusive,\n"
        "            4 could not do it\n",
        out);
}

static void print_option(const struct option *option, void *context)
{
    FILE *out = context;
    char left[80], letter[6] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    const char *argument =
        option->kind == OPTION_CHOICE && !option->argument ? option->choices : option->argument;
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, argument ? " " : "",
             argument ? argument : "");
    const char *gap = strlen(left) > 24 ? "\n                            " : "";
    fprintf(out, "  %-24s%s  %s", left, gap, option->help);
    if (option->kind == OPTION_CHOICE && option->argument)
        fprintf(out, " (%s)", option->choices);
    fputc('\n', out);
}

/* Every line under the first. */
static void write_example(const char *lines, FILE *out)
{
    fputs("\nexample:\n", out);
    while (*lines) {
        lines += strspn(lines, " ");
        size_t length = strcspn(lines, "\n");
        fprintf(out, "  %.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void print_command_help(const struct command *command, FILE *out)
{
    char name[80];
    command_name(command, name, sizeof name);
    fprintf(out, "%s: %s\n\nusage: %s [options]%s%s\n\n", name, command->summary, name,
            command->args[0] ? " " : "", command->args);
    if (command->description)
        fprintf(out, "%s\n\n", command->description);
    fputs("options:\n", out);
    for_each_option(command, print_option, out);
    if (command->example)
        write_example(command->example, out);
}
