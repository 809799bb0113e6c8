/* tactus help [NOUN [VERB]], and the man pages. */
#include "base/data/alloc.h"
#include "base/io/output.h"
#include "cli/frame.h"
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

static int write_pages(struct invocation *in, const char *folder)
{
    tac_error err;
    if (mkdir(folder, 0777) && errno != EEXIST) {
        tac_fail_errno(&err, errno, folder, "cannot create the folder");
        return fail(in, &err);
    }
    tac_status status = write_page(folder, NULL, &err);
    for (size_t i = 0; i < all_command_count && status == TAC_OK; i++)
        status = write_page(folder, all_commands[i], &err);
    return status == TAC_OK ? 0 : fail(in, &err);
}

static int help_run(struct invocation *in)
{
    const char *folder = option_text(in, "man-pages");
    if (folder)
        return write_pages(in, folder);
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
    {.name = "man-pages",
     .kind = OPTION_FILE,
     .argument = "DIR",
     .help = "write the man page of every command into DIR"},
    {0},
};

const struct command cmd_help = {
    .noun = "help",
    .args = "[NOUN [VERB]]",
    .most_args = 2,
    .summary = "show what the commands do",
    .description = "Without arguments the list of commands; with a command, what --help shows.",
    .example = "tactus help completion",
    .options = help_options,
    .run = help_run,
};
