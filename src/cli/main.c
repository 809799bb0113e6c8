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
    const char *gap = known_noun ? " " : "";
    if (closest)
        complain("there is no command '%s%s%s'; did you mean 'tactus %s%s%s'?", noun, gap,
                 known_noun ? verb : "", known_noun ? noun : "", gap, closest);
    else
        complain("there is no command '%s%s%s'; see 'tactus --help'", noun, gap,
                 known_noun ? verb : "");
    return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
}

/* A command under way. */
struct call {
    struct parsed_options parsed;
    struct campaign_args campaigns;
    tac_arena texts;
    struct invocation in;
};

/* Reads the words after the command's name. False when the call has ended already, with *code. */
static bool call_start(struct call *call, int count, char *const *words, int *code)
{
    struct invocation *in = &call->in;
    tac_error err;
    in->parsed = &call->parsed;
    in->texts = &call->texts;
    if (parse_options(in->command, count, words, &call->parsed, &err) != TAC_OK) {
        *code = fail(in, &err);
        return false;
    }
    if (call->parsed.help) {
        print_command_help(in->command, stdout);
        return false;
    }
    in->args = call->parsed.args.at;
    in->arg_count = call->parsed.args.count;
    in->program = call->parsed.program.at;
    in->program_count = call->parsed.program.count;
    in->json = has_option(in, "json") && option_flag(in, "json");
    in->verbose = has_option(in, "verbose") && option_flag(in, "verbose");
    in->output = has_option(in, "output") ? option_text(in, "output") : NULL;
    in->jobs = in->command->common & HAS_PARALLEL ? (unsigned)option_number(in, "parallel", 0) : 0;
    in->watch = terminal_watch_start(in->command->drives_devices);
    if (!in->command->reads_traces || campaign_args_open(in, &call->campaigns, &err) == TAC_OK)
        return true;
    *code = fail(in, &err);
    return false;
}

static void call_end(struct call *call)
{
    campaign_args_close(&call->campaigns);
    terminal_watch_end();
    free_options(&call->parsed);
    tac_arena_free(&call->texts);
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
    complain("unknown option '%s'; options stand after the command; see 'tactus --help'", word);
    return tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
}

/* The command that the words name, and where its own words begin; NULL when there is none, or it
 * was answered here, with *code. */
static const struct command *find_call(int argc, char **argv, int *first, int *code)
{
    const char *noun = argc > 1 ? argv[1] : NULL, *verb = argc > 2 ? argv[2] : NULL;
    *code = tac_exit_code(TAC_E_USAGE, TAC_INCONCLUSIVE);
    if (!noun) {
        print_overview(stderr);
        return NULL;
    }
    if (noun[0] == '-') {
        *code = run_top_level_option(noun, verb && !strcmp(verb, "--json"));
        return NULL;
    }
    const struct command *command = find_command(noun, NULL);
    *first = 2;
    if (!command && verb && is_noun(noun)) {
        command = find_command(noun, verb);
        *first = 3;
    }
    if (command) {
        *code = 0;
    } else if (!is_noun(noun)) {
        *code = unknown_command(noun, NULL);
    } else if (!verb) {
        print_noun_overview(noun, stderr);
    } else if (!strcmp(verb, "--help") || !strcmp(verb, "-h")) {
        print_noun_overview(noun, stdout);
        *code = 0;
    } else {
        *code = unknown_command(noun, verb);
    }
    return command;
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
    int code, first;
    struct call call = {.in.command = find_call(argc, argv, &first, &code)};
    if (call.in.command && call_start(&call, argc - first, argv + first, &code))
        code = call.in.command->run(&call.in);
    call_end(&call);
    if (!text_border_end()) {
        complain("cannot write to standard output");
        return code ? code : tac_exit_code(TAC_E_IO, TAC_INCONCLUSIVE);
    }
    return code;
}
