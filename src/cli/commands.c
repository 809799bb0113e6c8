/* The table of all commands, in the order of commands.def, which is also the order of the help. */
#include "cli/command.h"

#define COMMAND(name) extern const struct command cmd_##name;
#include "cli/commands.def"
#undef COMMAND

const struct command *const all_commands[] = {
#define COMMAND(name) &cmd_##name,
#include "cli/commands.def"
#undef COMMAND
};
const size_t all_command_count = sizeof all_commands / sizeof *all_commands;
