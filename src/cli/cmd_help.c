/* tactus help [NOUN [VERB]], and the man pages. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/describe/describe.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/frame.h"
#include "cli/options.h"
#include <errno.h>
#include <string.h>
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

static void add_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text ? json_string(text) : json_null());
}

static void add_option(const struct option *option, void *context)
{
    static const char *const kinds[] = {
        [OPTION_FLAG] = "flag",     [OPTION_TEXT] = "text", [OPTION_FILE] = "file",
        [OPTION_NUMBER] = "number", [OPTION_REAL] = "real", [OPTION_CHOICE] = "choice"};
    TABLE_COVERS(kinds, OPTION_CHOICE);
    json_t *object = json_object();
    char letter[2] = {option->letter, '\0'}, words[OPTION_WORDS];
    add_text(object, "name", option->name);
    add_text(object, "letter", option->letter ? letter : NULL);
    add_text(object, "kind", kinds[option->kind]);
    add_text(object, "argument", option->argument);
    add_text(object, "choices", option->choices ? option_words(option, words) : NULL);
    add_text(object, "help", option->help);
    add_text(object, "meaning", option->meaning ? option->meaning : option->help);
    add_text(object, "synonyms", option->synonyms);
    json_object_set_new(object, "required", json_boolean(option->required));
    json_object_set_new(object, "hidden", json_boolean(option->hidden));
    json_array_append_new(context, object);
}

/* {"commands":[{"noun","verb","args","summary","options":[...]}]}: what the descriptors say. */
static json_t *describe_all(void)
{
    json_t *document = json_object(), *list = json_array();
    for (size_t i = 0; i < all_command_count; i++) {
        const struct command *command = all_commands[i];
        json_t *object = json_object(), *options = json_array();
        add_text(object, "noun", command->noun);
        add_text(object, "verb", command->verb);
        add_text(object, "args", command->args);
        add_text(object, "summary", command->summary);
        for_every_option(command, add_option, options);
        json_object_set_new(object, "options", options);
        json_array_append_new(list, object);
    }
    json_object_set_new(document, "commands", list);
    return document;
}

static int help_run(struct invocation *in)
{
    if (in->json)
        return finish_json(in, describe_all(), 0);
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
    .args = "[NOUN [VERB]]",
    .most_args = 2,
    .summary = "show what the commands do",
    .description = "Without arguments the list of commands; with a command, what --help shows. "
                   "With --json every command and option, earlier spellings included.",
    .example = "tactus help completion",
    .options = help_options,
    .common = HAS_JSON,
    .run = help_run,
};
