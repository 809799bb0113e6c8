/* tactus completion SHELL */
#include "cli/frame.h"
#include <string.h>

static void write_completion(FILE *out, void *shell)
{
    print_completion(shell, out);
}

static int completion_run(struct invocation *in)
{
    const char *shell = in->args[0];
    if (strcmp(shell, "bash") && strcmp(shell, "zsh") && strcmp(shell, "fish"))
        return fail_usage(in, "the shell is bash, zsh or fish, not '%s'", shell);
    return finish_text(in, write_completion, (void *)(uintptr_t)shell, 0);
}

const struct command cmd_completion = {
    .noun = "completion",
    .group = GROUP_SETUP,
    .args = "bash|zsh|fish",
    .summary = "print the completion script for a shell",
    .description = "Prints a script that lets the shell complete commands, options and their "
                   "values.\nLoad it in the shell's start-up file.",
    .example = "tactus completion bash > tactus.bash && . ./tactus.bash",
    .common = HAS_OUTPUT,
    .run = completion_run,
};
