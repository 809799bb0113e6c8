/* Which importer reads a file, and what all of them share: reading the file, the JavaScript around
 * DroidBot's JSON, and data after its end. */
#include "model/exchange/import.h"
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "model/exchange/droidbot_folder.h"
#include "model/exchange/walker_graph.h"
#include "model/tools.h"
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The end of the JSON value that starts at text[at], or size when it does not end. */
static size_t value_end(const char *text, size_t at, size_t size)
{
    size_t depth = 0;
    bool in_string = false;
    for (; at < size; at++) {
        char c = text[at];
        if (in_string) {
            if (c == '\\')
                at++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at + 1;
        }
    }
    return size;
}

/* Parses the first JSON object of a file. Anything before it ("var utg =") is blanked so that lines
 * stay right; anything after it but blanks and ';' is a warning. */
static tac_status parse_object(const char *name, char *text, size_t size,
                               tac_diagnostics *diagnostics, tac_json *json, tac_error *err)
{
    char *start = memchr(text, '{', size);
    if (!start)
        return tac_fail_at(err, TAC_E_INPUT, name, 1, 0,
                           "no JSON object in the file: expected '{'");
    for (char *c = text; c < start; c++)
        if (*c != '\n')
            *c = ' ';
    size_t end = value_end(text, (size_t)(start - text), size);
    size_t rest = end;
    while (rest < size && (isspace((unsigned char)text[rest]) || text[rest] == ';'))
        rest++;
    if (rest < size) {
        size_t line = 1;
        for (size_t i = 0; i < rest; i++)
            line += text[i] == '\n';
        tac_diagnostics_add(diagnostics, TAC_WARNING, name, line, 0,
                            "%zu bytes after the end of the graph are ignored", size - rest);
    }
    return tac_json_parse(name, text, end, json, err);
}

static const char *guess_format(const char *path, const char *text, size_t size)
{
    size_t at = 0;
    if (size > 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < size && isspace((unsigned char)text[at]))
        at++;
    if (at < size && text[at] == '<')
        return "graphml";
    if (at + 3 < size && memcmp(text + at, "var", 3) == 0)
        return "droidbot";
    if (size - at > 7 && (!strncmp(text + at, "digraph", 7) || !strncmp(text + at, "strict", 6)))
        return "dot";
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".dot") == 0 || strcmp(dot, ".gv") == 0))
        return "dot";
    return dot && strcmp(dot, ".js") == 0 ? "droidbot" : "graphwalker";
}

struct importing {
    const tac_import_options *options;
    tac_diagnostics *diagnostics;
    struct walker_graph graph; /* what GraphWalker's files add up to */
    size_t files;
    tac_model *model; /* of a file that is a model by itself */
};

static tac_status import_json(struct importing *in, const char *path, const char *format,
                              char *text, size_t size, tac_error *err)
{
    tac_json json;
    const char *name = strcmp(path, "-") ? path : "<stdin>";
    tac_status status = parse_object(name, text, size, in->diagnostics, &json, err);
    if (status != TAC_OK)
        return status;
    bool droidbot = strcmp(format, "droidbot") == 0;
    if ((droidbot || tac_is_own_graphwalker(&json)) && in->files > 1)
        status = tac_fail_at(err, TAC_E_USAGE, name, 0, 0,
                             "this file is a whole model; only GraphWalker's are joined");
    else if (droidbot)
        status = tac_import_droidbot(path, &json, in->diagnostics, &in->model, err);
    else if (tac_is_own_graphwalker(&json))
        status = tac_import_own_graphwalker(&json, in->diagnostics, &in->model, err);
    else
        status = tac_read_graphwalker(path, &json, &in->graph, in->diagnostics, err);
    tac_json_free(&json);
    return status;
}

static tac_status import_text(struct importing *in, const char *path, const char *format,
                              char *text, size_t size, tac_error *err)
{
    if (!size)
        return tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the file is empty");
    const char *guess = guess_format(path, text, size);
    bool walker = format && strcmp(format, "graphwalker") == 0; /* it has three formats */
    if (!format || (walker && strcmp(guess, "droidbot") != 0))
        format = guess;
    if (strcmp(format, "graphml") == 0)
        return tac_read_graphml(path, text, size, &in->graph, in->diagnostics, err);
    if (strcmp(format, "dot") == 0)
        return tac_read_dot(path, text, size, &in->graph, err);
    if (strcmp(format, "droidbot") == 0 || strcmp(format, "graphwalker") == 0)
        return import_json(in, path, format, text, size, err);
    return tac_fail(err, TAC_E_USAGE, "unknown format '%s': droidbot, graphwalker, graphml or dot",
                    format);
}

/* The graph of a folder without a utg.js: the run was stopped before it wrote one. */
static tac_status read_records(struct importing *in, const char *path, char **text, size_t *size,
                               tac_error *err)
{
    struct droidbot_folder folder;
    tac_diagnostics unread = {0}; /* the importer reads the same files and tells */
    tac_status status = droidbot_folder_read(path, &unread, &folder, err);
    tac_diagnostics_free(&unread);
    if (status != TAC_OK)
        return status;
    *text = droidbot_folder_graph(&folder);
    *size = *text ? strlen(*text) : 0;
    droidbot_folder_free(&folder);
    if (!*text)
        return tac_fail_at(
            err, TAC_E_INPUT, path, 0, 0,
            "not the folder of a DroidBot run: there is no utg.js, and states/ has no "
            "screen that was recorded");
    tac_diagnostics_add(in->diagnostics, TAC_WARNING, path, 0, 0,
                        "there is no utg.js: the graph is made of the recorded states and events");
    return TAC_OK;
}

static tac_status import_file(struct importing *in, const char *path, tac_error *err)
{
    char *text, *inside = NULL;
    const char *format = in->options->format;
    size_t size;
    struct stat about;
    if (strcmp(path, "-") && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        inside = tac_format("%s/utg.js", path); /* the folder of a DroidBot run */
        path = inside;
        format = format ? format : "droidbot";
    }
    tac_status status = inside && access(path, F_OK)
                            ? read_records(in, path, &text, &size, err)
                            : tac_input_slurp(path, TAC_IMPORT_MAX_SIZE, &text, &size, err);
    if (status == TAC_OK) {
        status = import_text(in, path, format, text, size, err);
        free(text);
    }
    free(inside);
    return status;
}

tac_status tac_model_import_files(const char *const *paths, size_t count,
                                  const tac_import_options *options, tac_diagnostics *diagnostics,
                                  tac_model **out, tac_error *err)
{
    struct importing in = {.options = options, .diagnostics = diagnostics, .files = count};
    tac_status status = TAC_OK;
    in.graph.file = strcmp(paths[0], "-") ? paths[0] : "<stdin>";
    in.graph.without_guards = options->without_guards;
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        status = import_file(&in, paths[i], err);
    if (status == TAC_OK && in.model)
        *out = in.model;
    else if (status == TAC_OK)
        status = tac_walker_graph_build(&in.graph, diagnostics, out, err);
    tac_walker_graph_free(&in.graph);
    return status;
}
