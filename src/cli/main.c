/* The program: finds the command, parses its options, runs it. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/frame.h"
#include "cli/options.h"
#include <gmp.h>
#include <libxml/xmlmemory.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die_of_memory(size_t wanted)
{
    (void)wanted;
    static const char text[] = "tactus: out of memory; try a smaller input or bound\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    tac_output_remove_temporaries();
    _exit(tac_exit_code(TAC_E_LIMIT, TAC_INCONCLUSIVE));
}

/* "There is no command X; did you mean Y?" over nouns, or over the verbs of a known noun. */
static int unknown_command(const char *noun, const char *verb)
{
    const char **names = tac_calloc(all_command_count, sizeof *names);
    size_t count = 0;
    bool known_noun = is_noun(noun);
    for (size_t i = 0; i < all_command_count; i++) {
        if (!known_noun)
            names[count++] = all_commands[i]->noun;
        else if (all_commands[i]->verb && !strcmp(all_commands[i]->noun, noun))
            names[count++] = all_commands[i]->verb;
    }
    const char *closest = tac_closest(known_noun ? verb : noun, names, count);
    free(names);
    fprintf(stderr, "tactus: there is no command '%s%s%s'", noun, known_noun ? " " : "",
            known_noun ? verb : "");
    if (closest)
        fprintf(stderr, "; did you mean 'tactus %s%s%s'?\n", known_noun ? noun : "",
                known_noun ? " " : "", closest);
    else
        fprintf(stderr, "; see 'tactus --help'\n");
    return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
}

static int run_command(const struct command *command, int count, char *const *words)
{
    struct parsed_options parsed;
    struct invocation in = {.command = command, .parsed = &parsed};
    tac_error err;
    int code;
    if (parse_options(command, count, words, &parsed, &err) != TAC_OK) {
        code = fail(&in, &err);
    } else if (parsed.help) {
        print_command_help(command, stdout);
        code = 0;
    } else {
        in.args = parsed.args.at;
        in.arg_count = parsed.args.count;
        in.program = parsed.program.at;
        in.program_count = parsed.program.count;
        in.json = has_option(&in, "json") && option_flag(&in, "json");
        in.verbose = has_option(&in, "verbose") && option_flag(&in, "verbose");
        in.output = has_option(&in, "output") ? option_text(&in, "output") : NULL;
        in.jobs = command->common & HAS_PARALLEL ? (unsigned)option_number(&in, "parallel", 0) : 0;
        in.watch = terminal_watch_start(command->drives_devices);
        struct campaign_args campaigns = {0};
        tac_status status =
            command->reads_traces ? campaign_args_open(&in, &campaigns, &err) : TAC_OK;
        code = status == TAC_OK ? command->run(&in) : fail(&in, &err);
        campaign_args_close(&campaigns);
        terminal_watch_end();
    }
    free_options(&parsed);
    return code;
}

static int run_top_level_option(const char *word, bool json)
{
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        print_overview(stdout);
        return 0;
    }
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        if (json) {
            json_t *document = version_json();
            tac_json_write(document, stdout, NULL);
            json_decref(document);
        } else {
            print_version(stdout);
        }
        return 0;
    }
    fprintf(stderr,
            "tactus: unknown option '%s'; options stand after the command; "
            "see 'tactus --help'\n",
            word);
    return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
    }
    const char *noun = argv[1];
    if (noun[0] == '-')
        return run_top_level_option(noun, argc > 2 && !strcmp(argv[2], "--json"));
    const struct command *command = find_command(noun, NULL);
    if (command)
        return run_command(command, argc - 2, argv + 2);
    const char *verb = argc > 2 ? argv[2] : NULL;
    if (!is_noun(noun))
        return unknown_command(noun, NULL);
    if (!verb) {
        print_noun_overview(noun, stderr);
        return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
    }
    if (!strcmp(verb, "--help") || !strcmp(verb, "-h")) {
        print_noun_overview(noun, stdout);
        return 0;
    }
    command = find_command(noun, verb);
    return command ? run_command(command, argc - 3, argv + 3) : unknown_command(noun, verb);
}

static void *alloc_or_die(size_t size)
{
    void *data = malloc(size ? size : 1);
    if (!data)
        die_of_memory(size);
    return data;
}

static void *realloc_or_die(void *old, size_t size)
{
    void *data = realloc(old, size ? size : 1);
    if (!data)
        die_of_memory(size);
    return data;
}

static char *strdup_or_die(const char *text)
{
    return strcpy(alloc_or_die(strlen(text) + 1), text);
}

static void *resize_number(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return realloc_or_die(old, size);
}

static void free_number(void *data, size_t size)
{
    (void)size;
    free(data);
}

/* Memory that is exhausted ends the program wherever it is asked for: a library that goes on
 * without a part of a document would make the answer wrong. */
static void end_with_memory(void)
{
    tac_set_oom_handler(die_of_memory);
    json_set_alloc_funcs(alloc_or_die, free);
    mp_set_memory_functions(alloc_or_die, resize_number, free_number);
    xmlMemSetup(free, alloc_or_die, realloc_or_die, strdup_or_die);
}

int main(int argc, char **argv)
{
    end_with_memory();
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error of writing */
    text_border_start();
    int code = dispatch(argc, argv);
    if (!text_border_end()) {
        fprintf(stderr, "tactus: cannot write to standard output\n");
        return code ? code : tac_exit_code(TAC_E_IO, TAC_INCONCLUSIVE);
    }
    return code;
}
