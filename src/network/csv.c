/* Recorded networks: a CSV with a row per moment becomes a scenario, a segment per row. Columns are
 * found by their usual names, units by the ends of these names ("downlink_mbps", "rtt_ms"). What
 * the file does not say is assumed and noted. O(n). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/io/cells.h"
#include "base/io/input.h"
#include "base/io/json.h"
#include "network/scenario.h"
#include "trace/text/clock.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { MOST_LINE = 1 << 16, MOST_ROWS = 100000 };
enum role { TIME, DOWN, UP, DELAY, LOSS, NAME, DIRECTION, ROLES };

static const char *const usual[ROLES] = {[TIME] = "time,timestamp,t,seconds,date",
                                         [DOWN] =
                                             "down,downlink,download,dl,rate,bandwidth,throughput",
                                         [UP] = "up,uplink,upload,ul",
                                         [DELAY] = "delay,latency,owd,rtt,ping",
                                         [LOSS] = "loss,packet_loss,plr",
                                         [NAME] = "segment,name",
                                         [DIRECTION] = "direction"};
static const char *const role_names[ROLES] = {
    [TIME] = "time", [DOWN] = "down",          [UP] = "up", [DELAY] = "delay", [LOSS] = "loss",
    [NAME] = "name", [DIRECTION] = "direction"};
TABLE_COVERS(role_names, DIRECTION);

/* What numbers without a unit are; times may be dates. */
static const char *const base_units[ROLES] = {
    [DOWN] = "kbit/s is", [UP] = "kbit/s is", [DELAY] = "seconds are", [LOSS] = "a share is"};

struct recorded_row {
    double time, value[ROLES];
    char name[61];
};

struct csv_import {
    const tac_scenario_import *options;
    tac_scenario_imported *out;
    const char *file;
    int column[ROLES];
    double scale[ROLES];
    TAC_VEC(struct recorded_row) rows;
    tac_cells row;
    char separator; /* of cells, as the header has it */
    bool down_only; /* the recording loaded the down way alone */
    tac_str notes;
};

/* What a rate is in bit/s, 0: it is none. A small b is a bit and a large one a byte, but in what
 * people write as they like. */
static double rate_scale(const char *unit, size_t length)
{
    static const struct {
        const char *unit;
        double scale;
        bool any_case;
    } rates[] = {{"b/s", 1, false}, {"B/s", 8, false},  {"Bps", 8, false},   {"bps", 1, true},
                 {"bit", 1, true},  {"bit/s", 1, true}, {"bits/s", 1, true}, {"bits/sec", 1, true}};
    char prefix = length > 1 ? (char)tolower((unsigned char)*unit) : '\0';
    double times = prefix == 'k' ? 1e3 : prefix == 'm' ? 1e6 : prefix == 'g' ? 1e9 : 1;
    const char *rest = unit + (times > 1);
    length -= times > 1;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (strlen(rates[i].unit) == length &&
            !(rates[i].any_case ? strncasecmp : strncmp)(rest, rates[i].unit, length))
            return times * rates[i].scale;
    return 0;
}

/* What a unit is in bit/s, seconds or a share; 0: it is not known. */
static double unit_scale(const char *unit, size_t length)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"s", 1},        {"sec", 1},        {"seconds", 1},
                 {"ms", 1e-3},    {"msec", 1e-3},    {"milliseconds", 1e-3},
                 {"us", 1e-6},    {"ns", 1e-9},      {"min", 60},
                 {"minutes", 60}, {"h", 3600},       {"hours", 3600},
                 {"%", 0.01},     {"percent", 0.01}, {"pct", 0.01}};
    double rate = rate_scale(unit, length);
    if (rate > 0)
        return rate;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].unit) == length && !strncasecmp(unit, units[i].unit, length))
            return units[i].scale;
    return 0;
}

/* "downlink_mbps", "Downlink (Mbit/s)" and "Downlink [Mbps]" are "downlink" and 1e6. 0: what stands
 * in brackets is not a unit that is known. The name is cut before its unit. */
static double unit_of(char *name, enum role role)
{
    size_t length = strlen(name), size;
    char *open = length && name[length - 1] == ')'   ? strrchr(name, '(')
                 : length && name[length - 1] == ']' ? strrchr(name, '[')
                                                     : NULL;
    char *at = open ? open : strrchr(name, '_');
    if (!at && strchr(name, ' '))
        at = strrchr(name, ' ');
    size = at ? strlen(at + 1) - (open != NULL) : 0;
    double scale = at && at > name ? unit_scale(at + 1, size) : 0;
    if (scale > 0 || (open && open > name)) {
        while (at > name && at[-1] == ' ')
            at--;
        *at = '\0';
    }
    return scale > 0 || open ? scale : role == DOWN || role == UP ? 1e3 : 1;
}

/* The name that the user gives for a role, or NULL; the caller's. */
static char *given_name(const char *columns, const char *role)
{
    for (const char *at = columns; at && *at;) {
        size_t length = strcspn(at, ","), name = strlen(role);
        if (length > name && !strncmp(at, role, name) && at[name] == '=')
            return tac_strndup(at + name + 1, length - name - 1);
        at += length + (at[length] == ',');
    }
    return NULL;
}

static tac_status split(struct csv_import *import, const char *line, size_t number, tac_error *err)
{
    const char *end;
    size_t place;
    bool open;
    const char *wrong = tac_cells_split(&import->row, import->separator, line, line + strlen(line),
                                        &end, &place, &open);
    return wrong ? tac_fail_at(err, TAC_E_INPUT, import->file, number, place, "%s", wrong) : TAC_OK;
}

static tac_status read_header(struct csv_import *import, const char *line, tac_error *err)
{
    const tac_cell *cells;
    import->separator = strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : ',';
    tac_status status = split(import, line, 1, err);
    if (status != TAC_OK)
        return status;
    cells = import->row.list.at;
    for (enum role role = 0; role < ROLES; role++) {
        char *given = given_name(import->options->columns, role_names[role]);
        import->column[role] = -1;
        for (size_t i = 0; i < import->row.list.count && import->column[role] < 0; i++) {
            char *name = tac_strdup(cells[i].text);
            double scale = unit_of(name, role);
            for (char *at = name; *at; at++)
                *at = (char)tolower((unsigned char)*at);
            if (given ? !strcmp(given, cells[i].text)
                      : (*name && tac_list_has(usual[role], name))) {
                import->column[role] = (int)i;
                if (scale <= 0 && base_units[role])
                    tac_str_addf(&import->notes, "the unit of '%s' is not known: %s assumed\n",
                                 cells[i].text, base_units[role]);
                if (scale <= 0 && role != TIME) /* of times it matters where they are numbers */
                    scale = role == DOWN || role == UP ? 1e3 : 1;
                bool both_ways = !strcmp(name, "rtt") || !strcmp(name, "ping");
                import->scale[role] = role == DELAY && both_ways ? scale / 2 : scale;
            }
            free(name);
        }
        bool missing = import->column[role] < 0 && (given || role == TIME || role == DOWN);
        free(given);
        if (missing)
            return tac_fail_at(err, TAC_E_INPUT, import->file, 1, 0,
                               "has no column for %s; columns are found by names such as %s, with "
                               "units as in downlink_mbps or rtt_ms",
                               role == DOWN ? "the down rate" : role_names[role], usual[role]);
    }
    return TAC_OK;
}

/* Where commas do not part cells they may stand for decimal points. */
static bool read_number(const struct csv_import *import, const char *text, double *out)
{
    char copy[64];
    if (import->separator == ',' || strlen(text) >= sizeof copy)
        return tac_parse_double(text, out);
    strcpy(copy, text);
    char *comma = strchr(copy, ',');
    if (comma)
        *comma = '.';
    return tac_parse_double(copy, out);
}

/* Seconds since 1970 stay below 1e11 until the year 5138: what is larger counts smaller parts. */
static double epoch_scale(double time)
{
    return time < 1e11 ? 1 : time < 1e14 ? 1e-3 : time < 1e17 ? 1e-6 : 1e-9;
}

/* Seconds or what the column's name says, or a date and time. */
static bool read_time(struct csv_import *import, const char *text, double *out)
{
    int64_t date;
    double unit = import->scale[TIME];
    if (read_number(import, text, out)) {
        if (unit <= 0) {
            tac_str_addf(&import->notes,
                         "the unit of the times is not known: seconds are assumed\n");
            import->scale[TIME] = 1;
        }
        *out *= unit > 0 && fabs(unit - 1) > 0 ? unit : epoch_scale(*out);
        return true;
    }
    if (!clock_scan_date(text, &date))
        return false;
    *out = clock_seconds(date);
    return true;
}

/* The first word, as far as it fits: what the name of a segment may be. */
static void take_word(const char *text, char *out, size_t size)
{
    size_t length = 0;
    while (text[length] && !strchr(" \"\\", text[length]) && !iscntrl((unsigned char)text[length]))
        length++;
    length = length < size ? length : size - 1;
    while (length && !tac_utf8_valid(text, length))
        length--; /* no half of a character */
    memcpy(out, text, length);
    out[length] = '\0';
}

/* What a segment may hold: rates in bits per second, seconds, a share. */
static const double most[ROLES] = {[DOWN] = 1e11, [UP] = 1e11, [DELAY] = 60, [LOSS] = 1};

/* A row without a time or a down rate says nothing: it is counted and left out. */
/* The text of the row's cell for a role; "" where it has none. */
static const char *cell_of(const struct csv_import *import, enum role role)
{
    size_t column = (size_t)import->column[role];
    return import->column[role] >= 0 && column < import->row.list.count
               ? import->row.list.at[column].text
               : "";
}

static tac_status read_row(struct csv_import *import, const char *line, size_t number,
                           tac_error *err)
{
    tac_status status = split(import, line, number, err);
    if (status != TAC_OK)
        return status;
    struct recorded_row row = {.name = ""};
    bool useful = true;
    for (enum role role = 0; role < NAME; role++) {
        const char *cell = cell_of(import, role);
        double value = NAN;
        bool read =
            role == TIME ? read_time(import, cell, &value) : read_number(import, cell, &value);
        value *= role == TIME ? 1 : import->scale[role];
        if (*cell && (!read || (role != TIME && !(value >= 0 && value <= most[role]))))
            return tac_fail_at(err, TAC_E_INPUT, import->file, number, 0,
                               "'%.40s' is not a value of %s", cell, role_names[role]);
        row.value[role] = *cell ? value : NAN;
        useful = useful && (*cell || (role != TIME && role != DOWN));
    }
    row.time = row.value[TIME];
    take_word(cell_of(import, NAME), row.name, sizeof row.name);
    import->down_only = import->down_only && !strncmp(cell_of(import, DIRECTION), "down", 4);
    const struct recorded_row *last =
        import->rows.count ? &import->rows.at[import->rows.count - 1] : NULL;
    if (useful && last && row.time < last->time)
        return tac_fail_at(err, TAC_E_INPUT, import->file, number, 0,
                           "the time goes back by %g s; sort the rows by time",
                           last->time - row.time);
    if (useful && last && row.time - last->time > 1e6)
        return tac_fail_at(err, TAC_E_INPUT, import->file, number, 0,
                           "comes %g s after the row before it; at most 1e6 s are meant",
                           row.time - last->time);
    if (useful && import->rows.count >= MOST_ROWS)
        return tac_fail_at(err, TAC_E_LIMIT, import->file, number, 0, "has more than %d rows",
                           MOST_ROWS);
    import->out->skipped += !useful || (last && row.time - last->time < 0.001);
    if (useful && !(last && row.time - last->time < 0.001))
        tac_vec_push(&import->rows, row);
    return TAC_OK;
}

static double either(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* Rates in kbit/s with three digits behind the point. */
static json_t *figure(double value)
{
    return json_real(round(value * 1000) / 1000);
}

static void write_segments(struct csv_import *import, json_t *segments)
{
    const tac_scenario_import *options = import->options;
    double usual_step = 1;
    for (size_t i = 0; i < import->rows.count; i++) {
        const struct recorded_row *row = &import->rows.at[i];
        bool last = i + 1 == import->rows.count;
        double step = last ? usual_step : import->rows.at[i + 1].time - row->time;
        double down = row->value[DOWN], up = row->value[UP];
        if (isnan(up) || import->down_only)
            up = fmax(either(up, 0), down / 10);
        json_t *segment = json_object();
        if (row->name[0])
            json_object_set_new(segment, "name", tac_json_string(row->name));
        json_object_set_new(segment, "seconds", figure(step));
        json_object_set_new(segment, "down", figure(down / 1000));
        json_object_set_new(segment, "up", figure(up / 1000));
        json_object_set_new(segment, "delay", json_real(either(row->value[DELAY], options->delay)));
        json_object_set_new(segment, "jitter", json_integer(0));
        json_object_set_new(segment, "loss", json_real(either(row->value[LOSS], options->loss)));
        json_array_append_new(segments, segment);
        usual_step = step;
        import->out->length += step;
        import->out->mean_down += down * step;
        import->out->mean_up += up * step;
    }
    import->out->mean_down /= import->out->length;
    import->out->mean_up /= import->out->length;
    import->out->segments = json_array_size(segments);
}

static void note_assumptions(struct csv_import *import)
{
    if (import->column[DELAY] < 0)
        tac_str_addf(&import->notes, "no delay was recorded: %g s one way is assumed\n",
                     import->options->delay);
    if (import->column[LOSS] < 0)
        tac_str_addf(&import->notes, "no loss was recorded: %g is assumed\n",
                     import->options->loss);
    if (import->down_only)
        tac_str_add(&import->notes,
                    "only the down way was loaded: the up rate is what was seen, at "
                    "least a tenth of the down rate\n");
    else if (import->column[UP] < 0)
        tac_str_add(&import->notes,
                    "no up rate was recorded: a tenth of the down rate is assumed\n");
    if (import->out->skipped)
        tac_str_addf(&import->notes,
                     "%zu rows without a time of their own or a rate were left out\n",
                     import->out->skipped);
}

static void write_scenario(struct csv_import *import)
{
    const char *name = import->options->name ? import->options->name : tac_base_name(import->file);
    json_t *segments = json_array();
    write_segments(import, segments);
    note_assumptions(import);
    json_t *root = json_object();
    json_object_set_new(root, "tactus-scenario", json_integer(1));
    json_object_set_new(root, "name", tac_json_string(name));
    json_object_set_new(root, "# notes",
                        tac_json_string(import->notes.text ? import->notes.text : ""));
    json_object_set_new(root, "segments", segments);
    import->out->text = tac_json_text(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    json_decref(root);
}

tac_status tac_scenario_import_csv(const char *file, const tac_scenario_import *options,
                                   tac_scenario_imported *out, tac_error *err)
{
    *out = (tac_scenario_imported){0};
    struct csv_import import = {.options = options, .out = out, .file = file, .down_only = true};
    tac_input *input = NULL;
    tac_status status = tac_input_open(file, &input, err);
    char *line = NULL;
    size_t length, number = 0;
    while (status == TAC_OK) {
        status = tac_input_line(input, MOST_LINE, &line, &length, err);
        if (status != TAC_OK || !line)
            break;
        if (!tac_utf8_valid(line, length))
            status = tac_fail_at(err, TAC_E_INPUT, file, number + 1, 0,
                                 "is not text in UTF-8: expected a table with commas");
        else if (number == 0) /* a byte order mark is no part of a name */
            status = read_header(&import, line + (strncmp(line, "\xef\xbb\xbf", 3) ? 0 : 3), err);
        else if (line[strspn(line, " \t")])
            status = read_row(&import, line, number + 1, err);
        number++;
    }
    out->rows = import.rows.count;
    if (status == TAC_OK && !import.rows.count)
        status = tac_fail_at(err, TAC_E_INPUT, file, 0, 0, "holds no row with a time and a rate");
    if (status == TAC_OK)
        write_scenario(&import);
    out->notes = tac_str_take(&import.notes);
    tac_vec_free(&import.rows);
    tac_cells_free(&import.row);
    tac_input_close(input);
    if (status != TAC_OK)
        tac_scenario_imported_free(out);
    return status;
}

void tac_scenario_imported_free(tac_scenario_imported *imported)
{
    free(imported->text);
    free(imported->notes);
    *imported = (tac_scenario_imported){0};
}
