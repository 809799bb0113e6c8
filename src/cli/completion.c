/* Shell completion for bash, zsh and fish, from the descriptors.
 *
 * bash and zsh share one idea: a case over "noun verb" that lists the words which may follow. fish
 * takes one `complete` line per word. */
#include "cli/frame.h"
#include "cli/options.h"
#include <string.h>

static void put_option_word(const struct option *option, void *context)
{
    fprintf(context, " --%s", option->name);
    if (option->letter)
        fprintf(context, " -%c", option->letter);
}

static void put_option_case(const struct option *option, void *context)
{
    FILE *out = context;
    if (option->kind != OPTION_CHOICE)
        return;
    fprintf(out, "        --%s) words=\"", option->name);
    for (const struct option_choice *at = option->choices; at->word; at++)
        fprintf(out, "%s%s", at == option->choices ? "" : " ", at->word);
    fputs("\" ;;\n", out);
}

static void put_case_label(const struct command *command, FILE *out)
{
    if (command->verb)
        fprintf(out, "    '%s %s'", command->noun, command->verb);
    else
        fprintf(out, "    '%s '*", command->noun);
}

static bool noun_seen_before(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!strcmp(all_commands[i]->noun, all_commands[index]->noun))
            return true;
    return false;
}

static void put_first_words(FILE *out)
{
    for (size_t i = 0; i < all_command_count; i++)
        if (!noun_seen_before(i))
            fprintf(out, " %s", all_commands[i]->noun);
}

static void put_verbs(const char *noun, FILE *out)
{
    for (size_t i = 0; i < all_command_count; i++)
        if (all_commands[i]->verb && !strcmp(all_commands[i]->noun, noun))
            fprintf(out, " %s", all_commands[i]->verb);
}

/* The body that bash and zsh share: sets `words` from $noun, $verb, $previous and $position. */
static void put_shell_cases(FILE *out)
{
    fputs("    words=''\n    if [ \"$position\" -eq 1 ]; then words='", out);
    put_first_words(out);
    fputs(
        " --help --version'; return; fi\n    if [ \"$position\" -eq 2 ]; then case \"$noun\" in\n",
        out);
    for (size_t i = 0; i < all_command_count; i++) {
        if (noun_seen_before(i) || !all_commands[i]->verb)
            continue;
        fprintf(out, "    %s) words='", all_commands[i]->noun);
        put_verbs(all_commands[i]->noun, out);
        fputs("'; return ;;\n", out);
    }
    fputs("    esac; fi\n    case \"$noun $verb\" in\n", out);
    for (size_t i = 0; i < all_command_count; i++) {
        put_case_label(all_commands[i], out);
        fputs(")\n        words='", out);
        for_each_option(all_commands[i], put_option_word, out);
        fputs("'\n        case \"$previous\" in\n        --) ;;\n", out);
        for_each_option(all_commands[i], put_option_case, out);
        fputs("        esac ;;\n", out);
    }
    fputs("    esac\n", out);
}

static void put_bash(FILE *out)
{
    fputs("# bash completion of tactus; made by 'tactus completion bash'\n_tactus_words() {\n"
          "    local noun=$1 verb=$2 previous=$3 position=$4\n",
          out);
    put_shell_cases(out);
    fputs("}\n_tactus() {\n    local current=${COMP_WORDS[COMP_CWORD]} words\n"
          "    _tactus_words \"${COMP_WORDS[1]}\" \"${COMP_WORDS[2]}\" "
          "\"${COMP_WORDS[COMP_CWORD-1]}\" \"$COMP_CWORD\"\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n}\n"
          "complete -o filenames -F _tactus tactus\n",
          out);
}

static void put_zsh(FILE *out)
{
    fputs("#compdef tactus\n# zsh completion of tactus; made by 'tactus completion zsh'\n"
          "_tactus_words() {\n    local noun=$1 verb=$2 previous=$3 position=$4\n",
          out);
    put_shell_cases(out);
    fputs("}\n_tactus() {\n    local words_before=(\"${words[@]}\") position=$((CURRENT - 1))\n"
          "    local previous=\"${words[CURRENT-1]}\" words\n"
          "    _tactus_words \"${words_before[2]}\" \"${words_before[3]}\" \"$previous\" "
          "\"$position\"\n"
          "    [ -n \"$words\" ] && compadd -- ${=words}\n    _files\n}\n"
          "compdef _tactus tactus\n",
          out);
}

struct fish_context {
    FILE *out;
    const struct command *command;
};

static void put_fish_option(const struct option *option, void *context)
{
    struct fish_context *fish = context;
    const struct command *command = fish->command;
    fprintf(fish->out, "complete -c tactus -n '__fish_seen_subcommand_from %s%s%s' -l %s",
            command->noun, command->verb ? "; and __fish_seen_subcommand_from " : "",
            command->verb ? command->verb : "", option->name);
    if (option->letter)
        fprintf(fish->out, " -s %c", option->letter);
    if (option->kind == OPTION_CHOICE) {
        fputs(" -x -a '", fish->out);
        for (const struct option_choice *at = option->choices; at->word; at++)
            fprintf(fish->out, "%s%s", at == option->choices ? "" : " ", at->word);
        fputc('\'', fish->out);
    } else if (option->kind != OPTION_FLAG) {
        fputs(" -r", fish->out);
    }
    fputs(" -d '", fish->out);
    for (const char *at = option->help; *at; at++)
        fputs(*at == '\'' ? "\\'" : (const char[]){*at, 0}, fish->out);
    fputs("'\n", fish->out);
}

static void put_fish(FILE *out)
{
    fputs("# fish completion of tactus; made by 'tactus completion fish'\n", out);
    for (size_t i = 0; i < all_command_count; i++) {
        const struct command *command = all_commands[i];
        if (!noun_seen_before(i))
            fprintf(out, "complete -c tactus -n __fish_use_subcommand -a %s\n", command->noun);
        if (command->verb)
            fprintf(out, "complete -c tactus -n '__fish_seen_subcommand_from %s' -a %s\n",
                    command->noun, command->verb);
        for_each_option(command, put_fish_option, &(struct fish_context){out, command});
    }
}

void print_completion(const char *shell, FILE *out)
{
    if (!strcmp(shell, "bash"))
        put_bash(out);
    else if (!strcmp(shell, "zsh"))
        put_zsh(out);
    else
        put_fish(out);
}
