/* Random tables and JSON Lines, written in many legal ways, against readers that do the obvious:
 * the table's generator knows what each cell means; JSON is read line by line by jansson. */
#include "base/data/text.h"
#include "tactus_test.h"
#include "trace_support.h"

/* --- Tables ----------------------------------------------------------------------------------- */

struct cell {
    bool empty;
    double number;
    const char *symbol;
};

static const char *pick(tac_random *random, const char *const *list, size_t count)
{
    return list[tac_random_below(random, count)];
}

/* A number in one of the ways that people and tools write it. */
static double add_number_cell(tac_str *text, tac_random *random)
{
    char buffer[64];
    double value = (double)tac_random_below(random, 2000000) / 1000 - 500;
    switch (tac_random_below(random, 7)) {
    case 0:
        snprintf(buffer, sizeof buffer, "%.17g", value);
        break;
    case 1:
        snprintf(buffer, sizeof buffer, "%.3e", value);
        break;
    case 2:
        snprintf(buffer, sizeof buffer, "\"%.2f\"", value);
        break;
    case 3:
        snprintf(buffer, sizeof buffer, " %+.1f  ", value);
        break;
    case 4:
        snprintf(buffer, sizeof buffer, "%.0f", value * 1e9);
        break;
    case 5:
        snprintf(buffer, sizeof buffer, "%.20f", value);
        break;
    default:
        snprintf(buffer, sizeof buffer, "%g", value);
        break;
    }
    tac_str_add(text, buffer);
    return strtod(buffer + strspn(buffer, " \""), NULL);
}

static const char *add_symbol_cell(tac_str *text, tac_random *random, char separator)
{
    static const char *const names[] = {"Main", "a much longer name than sixteen bytes", "x",
                                        "12ab", "\xc3\xa9"};
    static const char *const quoted[][2] = {{"\"a,b;c\td\"", "a,b;c\td"},
                                            {"\"say \"\"hi\"\"\"", "say \"hi\""},
                                            {"\"two\nlines\"", "two\nlines"},
                                            {"\" kept \"", " kept "}};
    (void)separator;
    if (tac_random_below(random, 4) == 0) {
        size_t which = tac_random_below(random, 4);
        tac_str_add(text, quoted[which][0]);
        return quoted[which][1];
    }
    const char *name = pick(random, names, 5);
    tac_str_addf(text, tac_random_below(random, 5) ? "%s" : " %s ", name);
    return name;
}

static void random_table(uint64_t seed, tac_str *text, tac_str *wanted)
{
    static const char *const names[] = {"event", "n1", "s1", "n2", "s2", "n3"};
    static const char separators[] = ",\t;";
    tac_random random;
    tac_random_seed(&random, seed);
    size_t columns = 1 + tac_random_below(&random, 6), rows = 1 + tac_random_below(&random, 40);
    size_t time_at = tac_random_below(&random, columns + 1);
    char separator = separators[tac_random_below(&random, 3)];
    const char *end = tac_random_below(&random, 2) ? "\n" : "\r\n";
    double numbers[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const char *symbols[6] = {0};
    for (size_t c = 0; c <= columns; c++)
        tac_str_addf(text, "%s%.*s", c == time_at ? "t" : names[c - (c > time_at)], c < columns,
                     &separator);
    tac_str_add(text, end);
    int64_t time = 0;
    for (size_t row = 0; row < rows; row++) {
        time += (int64_t)tac_random_below(&random, 2000);
        symbols[0] = NULL;
        for (size_t c = 0; c <= columns; c++) {
            size_t v = c - (c > time_at);
            if (c == time_at)
                tac_str_addf(text, "%lld.%03lld", (long long)time / 1000, (long long)time % 1000);
            else if (row && tac_random_below(&random, 3) == 0)
                tac_str_add(text, ""); /* empty: holds */
            else if (names[v][0] == 'n')
                numbers[v] = add_number_cell(text, &random);
            else
                symbols[v] = add_symbol_cell(text, &random, separator);
            tac_str_addf(text, "%.*s", c < columns, &separator);
        }
        bool last = row + 1 == rows && tac_random_below(&random, 2);
        tac_str_add(text, last ? "" : end);
        if (!last && tac_random_below(&random, 10) == 0)
            tac_str_add(text, end); /* a blank line */
        tac_str_addf(wanted, "%s%lld.%09lld", row ? "\n" : "", (long long)time / 1000,
                     (long long)time % 1000 * 1000000);
        for (size_t v = 0; v < columns; v++) {
            if (names[v][0] == 'n')
                tac_str_addf(wanted, " %s=%.17g", names[v], numbers[v]);
            else if (symbols[v])
                tac_str_addf(wanted, " %s=%s", names[v], symbols[v]);
        }
    }
}

TEST(random_tables_are_read_as_they_were_meant)
{
    for (size_t seed = 0; seed < test_scale(5000); seed++) {
        tac_str text = {0}, wanted = {0};
        random_table(seed, &text, &wanted);
        const char *path = test_write("random.csv", tac_str_text(&text));
        tac_error err;
        tac_trace_options options = {.format = "csv"};
        char *got = dump_trace(path, &options, &err);
        if (err.status || strcmp(got, tac_str_text(&wanted)))
            test_fail(__FILE__, __LINE__,
                      "seed %zu: %zu:%zu: %s\n%.900s\n--- got\n%.600s\n--- wanted\n%.600s", seed,
                      err.line, err.column, err.message, tac_str_text(&text), got,
                      tac_str_text(&wanted));
        free(got);
        tac_str_free(&text);
        tac_str_free(&wanted);
    }
}

/* --- JSON Lines ------------------------------------------------------------------------------- */

static json_t *random_value(tac_random *random, size_t key)
{
    static const char *const names[] = {"Main",           "caf\xc3\xa9 \"x\"",
                                        "tab\tnew\nline", "\\",
                                        "\x01",           "a much longer name than sixteen bytes"};
    if (tac_random_below(random, 12) == 0)
        return json_null();
    if (key % 2)
        return tac_random_below(random, 2)
                   ? json_integer((json_int_t)tac_random_below(random, 1000000) - 500000)
                   : json_real((tac_random_unit(random) - 0.5) * 1e4);
    return json_string(pick(random, names, 6));
}

static void random_lines(uint64_t seed, tac_str *text)
{
    static const char *const keys[] = {"event", "n1", "s1", "n2", "quo\"ted", "n3"};
    tac_random random;
    tac_random_seed(&random, seed);
    size_t lines = 1 + tac_random_below(&random, 60),
           flags[] = {JSON_COMPACT, 0, JSON_ENSURE_ASCII, JSON_COMPACT | JSON_SORT_KEYS};
    tac_str_add(text, "{\"tactus\":\"trace\",\"version\":1,\"variables\":{");
    for (size_t k = 0; k < 6; k++)
        tac_str_addf(text, "%s\"%s\":{\"kind\":\"%s\"}", k ? "," : "",
                     k == 4 ? "quo\\\"ted" : keys[k], k % 2 ? "continuous" : "discrete");
    tac_str_add(text, "}}\n");
    int64_t time = 0;
    for (size_t i = 0; i < lines; i++) {
        json_t *state = json_object();
        time += (int64_t)tac_random_below(&random, 100);
        size_t start = tac_random_below(&random, 6), at = tac_random_below(&random, 3);
        for (size_t k = 0; k < 6; k++) {
            if (k == at)
                json_object_set_new(state, "t", json_real((double)time / 8));
            size_t key = (start + k) % 6;
            if (tac_random_below(&random, 3))
                json_object_set_new(state, keys[key], random_value(&random, key));
        }
        char *line = json_dumps(state, flags[tac_random_below(&random, 4)]);
        tac_str_addf(text, "%s\n", line);
        free(line);
        json_decref(state);
    }
}

/* Line by line with jansson, values held in an object. */
static char *naive_lines(const char *text)
{
    static const char *const keys[] = {"event", "n1", "s1", "n2", "quo\"ted", "n3"};
    tac_str out = {0};
    json_t *held = json_object();
    const char *line = strchr(text, '\n') + 1;
    for (; *line; line = strchr(line, '\n') + 1) {
        json_t *state = json_loadb(line, strcspn(line, "\n"), 0, NULL);
        json_object_del(held, "event");
        json_object_update(held, state);
        int64_t eighths = (int64_t)(json_number_value(json_object_get(state, "t")) * 8);
        tac_str_addf(&out, "%s%lld.%09lld", out.length ? "\n" : "", (long long)eighths / 8,
                     (long long)eighths % 8 * 125000000);
        for (size_t k = 0; k < 6; k++) {
            const json_t *value = json_object_get(held, keys[k]);
            if (json_is_string(value))
                tac_str_addf(&out, " %s=%s", keys[k], json_string_value(value));
            else if (json_is_number(value))
                tac_str_addf(&out, " %s=%.17g", keys[k], json_number_value(value));
        }
        json_decref(state);
    }
    json_decref(held);
    return tac_str_take(&out);
}

TEST(random_json_lines_equal_jansson)
{
    for (size_t seed = 0; seed < test_scale(3000); seed++) {
        tac_str text = {0};
        random_lines(seed, &text);
        tac_error err;
        char *got = dump_trace(test_write("random.jsonl", tac_str_text(&text)), NULL, &err);
        char *wanted = naive_lines(tac_str_text(&text));
        if (err.status || strcmp(got, wanted))
            test_fail(__FILE__, __LINE__,
                      "seed %zu: %zu:%zu: %s\n%.900s\n--- got\n%.600s\n--- wanted\n%.600s", seed,
                      err.line, err.column, err.message, tac_str_text(&text), got, wanted);
        free(got);
        free(wanted);
        tac_str_free(&text);
    }
}
