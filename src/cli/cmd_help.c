/* tactus help [NOUN [VERB]], and the man pages. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/describe/describe.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/frame.h"
#include "cli/options.h"
#include <errno.h>
#include <sys/stat.h>

static tac_status write_page(const char *folder, const struct command *command, tac_error *err)
{
    char *path = command ? tac_format("%s/tactus-%s%s%s.1", folder, command->noun,
                                      command->verb ? "-" : "", command->verb ? command->verb : "")
                         : tac_format("%s/tactus.1", folder);
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status == TAC_OK) {
        if (command)
            print_manual(command, output.file);
        else
            print_main_manual(output.file);
        status = tac_output_commit(&output, err);
    }
    free(path);
    return status;
}

/* The schema of the command's documents, where it has any. */
static tac_status write_schema(const char *folder, const struct command *command, tac_error *err)
{
    size_t count = 0;
    while (command->documents && command->documents[count])
        count++;
    if (!count)
        return TAC_OK;
    char name[80];
    char *path = tac_format("%s/%s%s%s.schema.json", folder, command->noun,
                            command->verb ? "-" : "", command->verb ? command->verb : "");
    json_t *schema =
        describe_schema(command->documents, count, command_name(command, name, sizeof name));
    char *text = tac_json_text(schema, JSON_INDENT(2));
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status == TAC_OK) {
        fprintf(output.file, "%s\n", text);
        status = tac_output_commit(&output, err);
    }
    free(text);
    json_decref(schema);
    free(path);
    return status;
}

/* Of every command the man page, or the schema. */
static int write_all(struct invocation *in, const char *folder, bool schemas)
{
    tac_error err;
    if (mkdir(folder, 0777) && errno != EEXIST) {
        tac_fail_errno(&err, errno, folder, "cannot create the folder");
        return fail(in, &err);
    }
    tac_status status = schemas ? TAC_OK : write_page(folder, NULL, &err);
    for (size_t i = 0; i < all_command_count && status == TAC_OK; i++)
        status = (schemas ? write_schema : write_page)(folder, all_commands[i], &err);
    return status == TAC_OK ? 0 : fail(in, &err);
}

static void letter_of(const void *value, struct field_value *out)
{
    const struct option *option = value;
    out->null = !option->letter;
    out->text = tac_arena_strndup(out->arena, &option->letter, 1);
}
static void words_of(const void *value, struct field_value *out)
{
    const struct option *option = value;
    char words[OPTION_WORDS];
    out->null = !option->choices;
    if (option->choices)
        out->text = tac_arena_strdup(out->arena, option_words(option, words));
}
FIELD_GETTER(meaning_of, struct option, out->text = it->meaning ? it->meaning : it->help)
static const char *const option_kinds[] = {
    [OPTION_FLAG] = "flag",     [OPTION_TEXT] = "text", [OPTION_FILE] = "file",
    [OPTION_NUMBER] = "number", [OPTION_REAL] = "real", [OPTION_CHOICE] = "choice"};
TABLE_COVERS(option_kinds, OPTION_CHOICE);
static const struct field option_fields[] = {FIELD(struct option, name),
                                             FIELD_GET_TEXT("letter", letter_of, .maybe = true),
                                             FIELD_ENUM(struct option, kind, option_kinds),
                                             FIELD(struct option, argument, .maybe = true),
                                             FIELD_GET_TEXT("choices", words_of, .maybe = true),
                                             FIELD(struct option, help),
                                             FIELD_GET_TEXT("meaning", meaning_of),
                                             FIELD(struct option, synonyms, .maybe = true),
                                             FIELDS(struct option, required, hidden)};
static DESCRIBE(option, struct option);

static void keep_option(const struct option *option, void *context)
{
    struct field_value *out = context;
    struct option *list = (struct option *)(uintptr_t)out->at;
    list[out->count++] = *option;
}
static void count_option(const struct option *option, void *context)
{
    (void)option;
    ++*(size_t *)context;
}
static void options_of(const void *value, struct field_value *out)
{
    size_t count = 0;
    for_every_option(value, count_option, &count);
    out->at = tac_arena_calloc(out->arena, count, sizeof(struct option));
    for_every_option(value, keep_option, out);
}
static const char *const group_words[] = {
    [GROUP_TEST] = "test",           [GROUP_ANALYSE] = "analyse",
    [GROUP_MODELS] = "models",       [GROUP_AUTOMATIONS] = "automations",
    [GROUP_CAMPAIGNS] = "campaigns", [GROUP_SETUP] = "setup"};
TABLE_COVERS(group_words, GROUP_SETUP);
static const struct field command_fields[] = {
    FIELD(struct command, noun), FIELD(struct command, verb, .maybe = true),
    FIELD_ENUM(struct command, group, group_words), FIELDS(struct command, args, summary),
    FIELD_GET_LIST("options", options_of, option_described)};
static DESCRIBE(command, struct command);

/* What the descriptors say. */
static void commands_of(const void *value, struct field_value *out)
{
    (void)value;
    struct command *list = tac_arena_calloc(out->arena, all_command_count, sizeof *list);
    for (size_t i = 0; i < all_command_count; i++)
        list[out->count++] = *all_commands[i];
    out->at = list;
}
static const struct field help_fields[] = {
    FIELD_GET_LIST("commands", commands_of, command_described)};
static DESCRIBE(help, struct invocation);

static int help_run(struct invocation *in)
{
    if (in->json)
        return finish_json(in, describe_json(&help_described, in), 0);
    const char *pages = option_text(in, "man-pages"), *schemas = option_text(in, "schemas");
    if (pages || schemas)
        return write_all(in, pages ? pages : schemas, !pages);
    const char *noun = in->arg_count > 0 ? in->args[0] : NULL;
    const char *verb = in->arg_count > 1 ? in->args[1] : NULL;
    const struct command *command = noun ? find_command(noun, verb) : NULL;
    if (command)
        print_command_help(command, stdout);
    else if (!noun)
        print_overview(stdout);
    else if (!strcmp(noun, "commands") && !verb)
        print_all_commands(stdout);
    else if (is_noun(noun) && !verb)
        print_noun_overview(noun, stdout);
    else
        return fail_usage(in, "there is no command '%s%s%s'", noun, verb ? " " : "",
                          verb ? verb : "");
    return 0;
}

static const struct option help_options[] = {
    PATH("man-pages", "DIR", "write the man page of every command into DIR"),
    PATH("schemas", "DIR", "write the JSON Schema of what each command prints with --json into DIR",
         .hidden = true),
    {0},
};

const struct command cmd_help = {
    .noun = "help",
    .group = GROUP_SETUP,
    .args = "[NOUN [VERB]|commands]",
    .summary = "show what the commands do",
    .description =
        "Without arguments, shows the commands to begin with. 'tactus help commands' lists all, "
        "and 'tactus help COMMAND' shows one. With --json, prints every command and "
        "option, earlier spellings included.",
    .example = "tactus help flow count",
    .options = help_options,
    .documents = DOCUMENTS(&help_described),
    .common = HAS_JSON,
    .run = help_run,
};
