/* From words on the command line to values by option name. See options.h. */
#include "cli/options.h"
#include "base/check.h"
#include "base/data/text.h"
#include <stdio.h>
#include <string.h>

static const struct option json_option = FLAG("json", "print one JSON document on standard output");
static const struct option output_option =
    PATH("output", "FILE", "write to FILE instead of standard output", .letter = 'o',
         .meaning = "where the result goes");
static const struct option verbose_option = FLAG("verbose", "print more detail");
static const struct option parallel_option =
    NUMBER("parallel", "K", 0, 1024, "processes at once (default: one per processor)",
           .meaning = "how much is done at once", .synonyms = "jobs");
static const struct option help_option = FLAG("help", "show this help", .letter = 'h');

void for_every_option(const struct command *command,
                      void (*visit)(const struct option *option, void *context), void *context)
{
    for (const struct option *option = command->options; option && option->name; option++)
        visit(option, context);
    if (command->common & HAS_PARALLEL)
        visit(&parallel_option, context);
    if (command->common & HAS_JSON)
        visit(&json_option, context);
    if (command->common & HAS_OUTPUT)
        visit(&output_option, context);
    if (command->common & HAS_VERBOSE)
        visit(&verbose_option, context);
    visit(&help_option, context);
}

struct shown_only {
    void (*visit)(const struct option *option, void *context);
    void *context;
};

static void visit_shown(const struct option *option, void *context)
{
    struct shown_only *shown = context;
    if (!option->hidden)
        shown->visit(option, shown->context);
}

void for_each_option(const struct command *command,
                     void (*visit)(const struct option *option, void *context), void *context)
{
    for_every_option(command, visit_shown, &(struct shown_only){visit, context});
}

const char *command_name(const struct command *command, char *buffer, size_t size)
{
    snprintf(buffer, size, "tactus %s%s%s", command->noun, command->verb ? " " : "",
             command->verb ? command->verb : "");
    return buffer;
}

struct lookup {
    const char *name;
    size_t length;
    char letter;
    const struct option *found;
    TAC_VEC(const char *) names;
};

/* Is the word, of this length, one of the words of "a|b|c"? */
static bool is_listed(const char *list, const char *word, size_t length)
{
    for (const char *at = list ? list : ""; *at; at += *at == '|') {
        size_t span = strcspn(at, "|");
        if (span == length && !memcmp(at, word, length))
            return true;
        at += span;
    }
    return false;
}

static void match_option(const struct option *option, void *context)
{
    struct lookup *lookup = context;
    if (!option->hidden)
        tac_vec_push(&lookup->names, option->name);
    bool found =
        lookup->name
            ? is_listed(option->name, lookup->name, lookup->length) ||
                  (lookup->length > 1 && is_listed(option->synonyms, lookup->name, lookup->length))
            : option->letter == lookup->letter || is_listed(option->synonyms, &lookup->letter, 1);
    if (found)
        lookup->found = option;
}

static tac_status unknown_option(const struct command *command, const struct lookup *lookup,
                                 const char *word, tac_error *err)
{
    char name[80], typed[64] = "";
    if (lookup->name && lookup->length < sizeof typed)
        memcpy(typed, lookup->name, lookup->length);
    const char *closest = tac_closest(typed, lookup->names.at, lookup->names.count);
    command_name(command, name, sizeof name);
    if (lookup->name && closest)
        return tac_fail(err, TAC_E_USAGE, "'%s' has no option '%s'; did you mean '--%s'?", name,
                        word, closest);
    return tac_fail(err, TAC_E_USAGE, "'%s' has no option '%s'; see '%s --help'", name, word, name);
}

const char *option_words(const struct option *option, char buffer[OPTION_WORDS])
{
    size_t length = 0;
    *buffer = '\0';
    for (const struct option_choice *at = option->choices; at && at->word; at++)
        length += (size_t)snprintf(buffer + length, OPTION_WORDS - length, "%s%s",
                                   length ? "|" : "", at->word);
    assert(length < OPTION_WORDS);
    return buffer;
}

static tac_status check_choice(const struct option *option, const char *value, tac_error *err)
{
    char words[OPTION_WORDS];
    const char *known[32];
    size_t count = 0;
    for (const struct option_choice *at = option->choices; at->word; at++) {
        if (!strcmp(at->word, value))
            return TAC_OK;
        assert(count < 32);
        known[count++] = at->word;
    }
    return tac_fail(err, TAC_E_USAGE, "--%s takes %s%s, not '%s'%s", option->name,
                    count > 1 ? "one of " : "", option_words(option, words), value,
                    tac_meant(value, known, count).text);
}

static tac_status check_value(const struct option *option, const char *value, tac_error *err)
{
    int64_t number;
    double real;
    bool bounded = option->least || option->most;
    switch (option->kind) {
    case OPTION_NUMBER:
        if (!tac_parse_i64(value, &number))
            return tac_fail(err, TAC_E_USAGE, "--%s takes a whole number, not '%s'", option->name,
                            value);
        if (bounded && (number < option->least || number > option->most))
            return tac_fail(err, TAC_E_USAGE,
                            "--%s takes a whole number from %lld to %lld, not '%s'", option->name,
                            (long long)option->least, (long long)option->most, value);
        return TAC_OK;
    case OPTION_REAL:
        if (!tac_parse_double(value, &real))
            return tac_fail(err, TAC_E_USAGE, "--%s takes a number, not '%s'", option->name, value);
        return TAC_OK;
    case OPTION_CHOICE:
    case OPTION_TEXT:
        return option->choices ? check_choice(option, value, err) : TAC_OK;
    case OPTION_FLAG:
    case OPTION_FILE:
        break;
    }
    return TAC_OK;
}

/* One option word at words[*at]; moves *at past a value that stands apart. */
static tac_status parse_option(const struct command *command, int count, char *const *words,
                               int *at, struct parsed_options *out, tac_error *err)
{
    const char *word = words[*at], *value = NULL;
    struct lookup lookup = {0};
    if (word[1] == '-') {
        lookup.name = word + 2;
        lookup.length = strcspn(word + 2, "=");
        if (word[2 + lookup.length] == '=')
            value = word + 3 + lookup.length;
    } else {
        lookup.letter = word[1];
        if (word[2])
            value = word + 2 + (word[2] == '=');
    }
    for_every_option(command, match_option, &lookup);
    const struct option *option = lookup.found;
    tac_status status = option ? TAC_OK : unknown_option(command, &lookup, word, err);
    tac_vec_free(&lookup.names);
    if (status != TAC_OK)
        return status;
    if (option->kind == OPTION_FLAG) {
        if (value)
            return tac_fail(err, TAC_E_USAGE, "--%s takes no value", option->name);
    } else if (!value) {
        char known[OPTION_WORDS];
        if (*at + 1 >= count)
            return tac_fail(err, TAC_E_USAGE, "--%s needs a value: --%s %s", option->name,
                            option->name,
                            option->argument ? option->argument : option_words(option, known));
        value = words[++*at];
    }
    if (option == &help_option)
        out->help = true;
    if (value)
        status = check_value(option, value, err);
    if (status == TAC_OK) {
        tac_vec_reserve(&out->values, out->values.count + 1);
        out->values.at[out->values.count].option = option;
        out->values.at[out->values.count++].value = value;
    }
    return status;
}

struct arity command_arity(const struct command *command)
{
    struct arity arity = {0, 0};
    size_t length;
    int open = 0; /* brackets */
    for (const char *at = command->args; *at && strncmp(at, "[--", 3);
         at += length + strspn(at + length, " ")) {
        length = strcspn(at, " ");
        if (!strncmp(at, "--", length))
            continue;
        for (size_t i = 0; i < length; i++)
            open += (at[i] == '[') - (at[i] == ']');
        bool optional = *at == '[' && (open || at[length - 1] == ']');
        arity.least += !optional;
        bool more = memmem(at, length, "...", 3) || arity.most == SIZE_MAX;
        arity.most = more ? SIZE_MAX : arity.most + 1;
    }
    return arity;
}

static tac_status check_presence(const struct command *command, const struct parsed_options *parsed,
                                 tac_error *err)
{
    char name[80];
    struct arity arity = command_arity(command);
    command_name(command, name, sizeof name);
    if (parsed->args.count < arity.least)
        return tac_fail(err, TAC_E_USAGE, "'%s' needs %s; see '%s --help'", name, command->args,
                        name);
    if (parsed->args.count > arity.most)
        return tac_fail(err, TAC_E_USAGE, "'%s' has no use for the argument '%s'; see '%s --help'",
                        name, parsed->args.at[arity.most], name);
    for (const struct option *option = command->options; option && option->name; option++) {
        bool given = !option->required;
        for (size_t i = 0; i < parsed->values.count && !given; i++)
            given = parsed->values.at[i].option == option;
        if (!given)
            return tac_fail(err, TAC_E_USAGE, "'%s' needs --%s %s; see '%s --help'", name,
                            option->name, option->argument, name);
    }
    return TAC_OK;
}

tac_status parse_options(const struct command *command, int count, char *const *words,
                         struct parsed_options *out, tac_error *err)
{
    *out = (struct parsed_options){0};
    tac_status status = TAC_OK;
    bool only_args = false;
    for (int i = 0; i < count && status == TAC_OK; i++) {
        if (!only_args && !strcmp(words[i], "--"))
            only_args = true;
        else if (!only_args && words[i][0] == '-' && words[i][1])
            status = parse_option(command, count, words, &i, out, err);
        else if (only_args && command->takes_program)
            tac_vec_push(&out->program, words[i]);
        else
            tac_vec_push(&out->args, words[i]);
    }
    if (status == TAC_OK && !out->help)
        status = check_presence(command, out, err);
    return status;
}

void free_options(struct parsed_options *parsed)
{
    tac_vec_free(&parsed->values);
    tac_vec_free(&parsed->args);
    tac_vec_free(&parsed->program);
}
