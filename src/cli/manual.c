/* Man pages in roff, from the descriptors. */
#include "base/data/alloc.h"
#include "cli/frame.h"
#include "cli/options.h"
#include <ctype.h>
#include <string.h>

/* Text with roff's special characters escaped; a line may not start with a dot or a quote. */
static void put_text(const char *text, FILE *out)
{
    bool at_line_start = true;
    for (const char *at = text; *at; at++) {
        if (at_line_start && (*at == '.' || *at == '\''))
            fputs("\\&", out);
        if (*at == '\\')
            fputs("\\e", out);
        else if (*at == '-')
            fputs("\\-", out);
        else
            fputc(*at, out);
        at_line_start = *at == '\n';
    }
}

static void put_paragraphs(const char *text, FILE *out)
{
    for (const char *at = text; *at;) {
        const char *end = strstr(at, "\n\n");
        size_t length = end ? (size_t)(end - at) : strlen(at);
        char *paragraph = tac_strndup(at, length);
        fputs(".PP\n", out);
        put_text(paragraph, out);
        fputc('\n', out);
        free(paragraph);
        at += length + (end ? 2 : 0);
    }
}

static void put_option(const struct option *option, void *context)
{
    FILE *out = context;
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", out);
    put_text(option->name, out);
    fputs("\\fR", out);
    char words[OPTION_WORDS];
    const char *argument = option->argument ? option->argument : option_words(option, words);
    if (*argument) {
        fputs(" \\fI", out);
        put_text(argument, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_text(option->help, out);
    if (option->kind == OPTION_CHOICE && option->argument) {
        fputs(" (", out);
        put_text(option_words(option, words), out);
        fputc(')', out);
    }
    fputc('\n', out);
}

static void put_title(const char *title, FILE *out)
{
    fputs(".TH ", out);
    for (const char *at = title; *at; at++)
        fputc(toupper((unsigned char)*at), out);
    fputs(" 1 \"\" \"Tactus\" \"Tactus manual\"\n", out);
}

static void put_exit_codes(FILE *out)
{
    fputs(".SH EXIT STATUS\n0 holds or done, 1 violated or faults found, 2 wrong usage, 3 "
          "inconclusive, 4 could not do it.\n",
          out);
}

void print_manual(const struct command *command, FILE *out)
{
    char title[80], name[80];
    snprintf(title, sizeof title, "tactus-%s%s%s", command->noun, command->verb ? "-" : "",
             command->verb ? command->verb : "");
    command_name(command, name, sizeof name);
    put_title(title, out);
    fputs(".SH NAME\n", out);
    put_text(title, out);
    fputs(" \\- ", out);
    put_text(command->summary, out);
    fprintf(out, "\n.SH SYNOPSIS\n\\fB%s\\fR [options]", name);
    if (command->args[0]) {
        fputs(" \\fI", out);
        put_text(command->args, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    if (command->description) {
        fputs(".SH DESCRIPTION\n", out);
        put_paragraphs(command->description, out);
    }
    fputs(".SH OPTIONS\n", out);
    for_each_option(command, put_option, out);
    put_exit_codes(out);
    if (command->example) {
        fputs(".SH EXAMPLE\n.nf\n", out);
        put_text(command->example, out);
        fputs("\n.fi\n", out);
    }
}

void print_main_manual(FILE *out)
{
    put_title("tactus", out);
    fputs(".SH NAME\ntactus \\- verify event\\-driven apps from models and traces\n"
          ".SH SYNOPSIS\n\\fBtactus\\fR \\fICOMMAND\\fR [options] \\fIARGS\\fR\n"
          ".SH COMMANDS\n",
          out);
    for (size_t i = 0; i < all_command_count; i++) {
        const struct command *command = all_commands[i];
        fprintf(out, ".TP\n\\fBtactus\\-%s%s%s\\fR(1)\n", command->noun, command->verb ? "\\-" : "",
                command->verb ? command->verb : "");
        put_text(command->summary, out);
        fputc('\n', out);
    }
    put_exit_codes(out);
}
