/* See replay_io.h. */
#include "cli/replay_io.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include <string.h>
#include <unistd.h>

enum { MOST_LIST = 1 << 20 };

/* A program is watched where the rules say. */
static int open_program(struct invocation *in, tac_subject **out)
{
    struct replay_rules files;
    tac_protocol_rules *rules = NULL;
    tac_error err;
    if (tac_subject_open_command(in->program, in->program_count, out, &err) != TAC_OK)
        return fail(in, &err);
    if (option_choice(in, "jvm-mode", false))
        tac_subject_use_breakpoints(*out);
    int code = replay_rules(in, tac_subject_kind(*out), &files);
    if (!code && tac_protocol_rules_read((const char *const *)files.files, files.count, &rules,
                                         NULL, &err) != TAC_OK)
        code = fail(in, &err);
    if (!code)
        tac_subject_watch(*out, rules);
    tac_protocol_rules_free(rules);
    replay_rules_free(&files);
    return code;
}

/* A device records everything; rules that are named all the same can be read, or are refused. */
static int check_rules(struct invocation *in)
{
    struct replay_rules files = {0};
    tac_protocol_rules *rules = NULL;
    tac_error err;
    if (!has_option(in, "rules") || !option_count(in, "rules"))
        return 0;
    int code = replay_rules(in, "", &files);
    if (!code && tac_protocol_rules_read((const char *const *)files.files, files.count, &rules,
                                         NULL, &err) != TAC_OK)
        code = fail(in, &err);
    tac_protocol_rules_free(rules);
    replay_rules_free(&files);
    return code;
}

int replay_open(struct invocation *in, tac_subject **out)
{
    const char *uri = option_text(in, "device");
    tac_error err;
    if (!uri == !in->program_count)
        return fail_usage(in, "give the app with --device URI, or a program behind '--'");
    if (in->program_count)
        return open_program(in, out);
    tac_device_options options = {0};
    options.stay = option_values(in, "stay", &options.stay_count);
    int code = check_rules(in);
    if (code)
        return code;
    note_sandbox(in, uri);
    return tac_subject_open_device(uri, &options, out, &err) == TAC_OK ? 0 : fail(in, &err);
}

int replay_driving(struct invocation *in, tac_driving *out)
{
    *out = (tac_driving){.flows = option_text(in, "flows"),
                         .script = option_text(in, "script"),
                         .runs = (uint32_t)option_number(in, "monkey", 1),
                         .steps = (uint32_t)option_number(in, "steps", 0),
                         .budget = option_real(in, "budget", 0),
                         .seed = (uint64_t)option_number(in, "seed", 1),
                         .watch = in->watch};
    int ways = (out->flows != NULL) + (out->script != NULL) + option_flag(in, "monkey");
    if (ways > 1)
        return fail_usage(in, "give at most one of --monkey N, --flows FILE and --script FILE");
    if (option_text(in, "budget") && out->budget <= 0)
        return fail_usage(in, "--budget takes a number of seconds above 0");
    return 0;
}

static void add_file(struct replay_rules *rules, char *file)
{
    rules->files = tac_realloc(rules->files, rules->count + 1, sizeof *rules->files);
    rules->files[rules->count++] = file;
}

/* The parent of the folder that holds the file, with a slash at its end; "" is here. */
static char *parent_folder(const char *path)
{
    size_t folder = (size_t)(tac_base_name(path) - path);
    if (!folder)
        return tac_strdup("../");
    size_t parent = folder - 1;
    while (parent && path[parent - 1] != '/')
        parent--;
    return tac_strndup(path, parent);
}

/* The lines of a list, relative to root or to the parent of the list's folder. */
static tac_status add_list(struct replay_rules *rules, const char *list, const char *root,
                           tac_error *err)
{
    char *text = NULL;
    size_t size;
    tac_status status = tac_input_slurp(list, MOST_LIST, &text, &size, err);
    if (status != TAC_OK)
        return status;
    char *folder = root ? tac_format("%s/", root) : parent_folder(list);
    char *rest = NULL;
    char *lines = text + tac_byte_order_mark(text, size);
    for (char *line = strtok_r(lines, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        line += strspn(line, " \t");
        if (*line && *line != '#')
            add_file(rules, *line == '/' ? tac_strdup(line) : tac_format("%s%s", folder, line));
    }
    free(folder);
    free(text);
    return TAC_OK;
}

/* rules/KIND.txt: here, beside the program, or where it was installed. NULL: nowhere. */
static char *default_list(const char *kind)
{
    static const char *const places[] = {"../rules", "../share/tactus/rules", "../../rules"};
    char program[4096];
    char *list = tac_format("rules/%s.txt", kind);
    if (access(list, R_OK) == 0)
        return list;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        free(list);
        list = tac_format("%s/%s/%s.txt", program, places[i], kind);
        if (access(list, R_OK) == 0)
            return list;
    }
    free(list);
    return NULL;
}

static tac_status add_names(struct replay_rules *rules, const char *names, const char *root,
                            tac_error *err)
{
    tac_status status = TAC_OK;
    while (*names && status == TAC_OK) {
        size_t length = strcspn(names, ",");
        char *name = tac_strndup(names, length);
        if (tac_ends_with(name, ".txt"))
            status = add_list(rules, name, root, err);
        else if (length)
            add_file(rules, tac_strdup(name));
        free(name);
        names += length + (names[length] == ',');
    }
    return status;
}

int replay_rules(struct invocation *in, const char *kind, struct replay_rules *out)
{
    size_t given = has_option(in, "rules") ? option_count(in, "rules") : 0;
    tac_error err;
    tac_status status = TAC_OK;
    *out = (struct replay_rules){0};
    for (size_t i = 0; i < given && status == TAC_OK; i++)
        status = add_names(out, option_value(in, "rules", i), NULL, &err);
    for (size_t i = 0; i < given; i++) {
        char *all =
            tac_format("%s%s%s", i ? out->set : "", i ? "," : "", option_value(in, "rules", i));
        free(out->set);
        out->set = all;
    }
    if (!given) {
        out->set = default_list(kind);
        if (!out->set)
            return fail_usage(in,
                              "the rules of this kind of app, rules/%s.txt, are not where the "
                              "program is; give rules with --rules FILE,...",
                              kind);
        status = add_list(out, out->set, NULL, &err);
    }
    return status == TAC_OK ? 0 : fail(in, &err);
}

void replay_rules_free(struct replay_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        free(rules->files[i]);
    free(rules->files);
    free(rules->set);
}
