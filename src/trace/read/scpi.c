/* Power logs: SCPI sessions with an instrument (the 2015 paper's section 4.3 measures a phone with
 * a DC power analyzer in the place of its battery).
 *
 * Measured currents, voltages and powers become continuous variables (current A, voltage V, power
 * W; of further channels current2, ...). From the power of channel 1, measured or voltage times
 * current, `energy` in J is summed up by the trapezoid rule, so that diff(energy) is what an
 * interval consumed. */
#include "trace/read/format.h"
#include "trace/read/scpi_line.h"
#include "trace/text/number.h"
#include <ctype.h>
#include <math.h>
#include <strings.h>

enum { CHANNELS_MAX = 8 };

struct scpi {
    char *query; /* waits for its answer; NULL when none does */
    char *channels;
    double interval; /* seconds between the samples of an array; 0 = unknown */
    double voltage, current, power;
    double last_power, energy;
    int64_t last_time; /* of last_power */
    size_t energy_variable;
    bool energy_said;
};

/* "MEAS:VOLT", ":SENS:SWE:TINT", "*IDN": words of letters and digits between colons. */
static bool is_header(const char *text, size_t length)
{
    const char *end = text + length;
    bool expects = true;
    text += length && (*text == ':' || *text == '*');
    for (; text < end; text++) {
        bool letter = isalpha((unsigned char)*text);
        if (expects ? !letter : !letter && digit_of(*text) >= 10 && *text != ':')
            return false;
        expects = *text == ':';
    }
    return !expects;
}

/* Logs of any program have times and colons: what is not asked has to begin as SCPI's subsystems.
 */
static bool is_subsystem(const char *word)
{
    static const char *const roots[] = {
        "ABOR", "ACQ",  "ARM",  "CAL",  "CALC", "CONF", "CURR", "DATA", "DIAG", "DISP", "ELOG",
        "FETC", "FORM", "HCOP", "INIT", "INP",  "INST", "MEAS", "MEM",  "MMEM", "OUTP", "POW",
        "READ", "ROUT", "SENS", "SOUR", "STAT", "SYST", "TRAC", "TRIG", "UNIT", "VOLT"};
    word += *word == ':';
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (!strncasecmp(word, roots[i], strlen(roots[i])))
            return true;
    return false;
}

/* What follows the last semicolon of a line of several commands: "*RST;*IDN" asks by "*IDN". */
static bool is_query(const char *query, size_t length)
{
    const char *last = memrchr(query, ';', length);
    const char *header = last ? last + 1 : query, *end = query + length;
    return header < end && is_header(header, (size_t)(end - header)) &&
           (memchr(header, ':', (size_t)(end - header)) || *header == '*');
}

/* A command that any program's log may have tells nothing: what comes behind it may. */
static int sniff(const struct trace_probe *probe)
{
    enum { LOOKED_AT = 20 };
    const char *at = probe->head;
    while (*at == '#' || *at == '\n' || *at == '\r')
        at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
    for (int i = 0; i < LOOKED_AT && *at; i++) {
        size_t length = strcspn(at, "\r\n");
        struct scpi_line line;
        if (!length || !scpi_parse(at, length, &line))
            return 0;
        if (line.query && is_query(line.query, line.query_length))
            return 2;
        size_t word = line.command ? strcspn(line.command, " ;\t\r\n") : 0;
        if (!word || !is_header(line.command, word))
            return 0;
        if (memchr(line.command, ':', word) && is_subsystem(line.command))
            return 1;
        at += length;
        at += strspn(at, "\r\n");
    }
    return 0;
}

/* Does the mnemonic stand in the query, at the start or behind a colon? */
static bool asks_for(const char *query, const char *mnemonic)
{
    for (const char *at = query; (at = strcasestr(at, mnemonic)); at++)
        if (at == query || at[-1] == ':')
            return true;
    return false;
}

/* Name and unit of what a query measures: the usual quantities, else the query itself. */
static void quantity(const char *query, unsigned channel, char *name, size_t size,
                     const char **unit)
{
    static const struct {
        const char *mnemonic, *name, *unit;
    } known[] = {{"CURR", "current", "A"}, {"VOLT", "voltage", "V"}, {"POW", "power", "W"}};
    char suffix[12] = "";
    if (channel > 1)
        snprintf(suffix, sizeof suffix, "%u", channel);
    *unit = "";
    for (size_t i = 0; i < 3; i++)
        if (asks_for(query, known[i].mnemonic)) {
            *unit = known[i].unit;
            snprintf(name, size, "%s%s", known[i].name, suffix);
            return;
        }
    snprintf(name, size, "%s%s", query + (*query == ':'), suffix);
    for (char *at = name; *at; at++)
        *at = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '_';
}

static unsigned channel_at(const char *channels, size_t index)
{
    unsigned value = 0;
    for (; channels && index && (channels = strchr(channels, ',')); index--)
        channels++;
    for (; channels && digit_of(*channels) < 10 && value < 1000; channels++)
        value = value * 10 + digit_of(*channels);
    return value ? value : (unsigned)index + 1;
}

static size_t channel_count(const char *channels)
{
    size_t count = 1;
    for (; channels && (channels = strchr(channels, ',')); channels++)
        count++;
    return count;
}

static void add_energy(struct scpi *scpi, tac_trace_source *source, const char *name, double value,
                       int64_t time)
{
    if (!strcmp(name, "voltage"))
        scpi->voltage = value;
    else if (!strcmp(name, "current"))
        scpi->current = value;
    else if (!strcmp(name, "power"))
        scpi->power = value;
    else
        return;
    double power = isnan(scpi->power) ? scpi->voltage * scpi->current : scpi->power;
    if (isnan(power)) { /* voltage or current alone: nothing has been consumed so far */
        if (!scpi->energy_said)
            source_set_number(source, scpi->energy_variable, 0);
        scpi->energy_said = true;
        return;
    }
    scpi->energy_said = true;
    if (!isnan(scpi->last_power))
        scpi->energy += (scpi->last_power + power) / 2 * (double)(time - scpi->last_time) * 1e-9;
    scpi->last_power = power;
    scpi->last_time = time;
    source_set_number(source, scpi->energy_variable, scpi->energy);
}

static tac_status set_measurement(struct scpi *scpi, tac_trace_source *source, unsigned channel,
                                  double value, int64_t time, tac_error *err)
{
    char name[64];
    const char *unit;
    size_t variable;
    quantity(scpi->query, channel, name, sizeof name, &unit);
    tac_status status = source_want_variable(source, name, TAC_CONTINUOUS, unit, &variable, err);
    if (status)
        return status;
    source_set_number(source, variable, value);
    if (*unit && channel == 1)
        add_energy(scpi, source, name, value, time);
    return TAC_OK;
}

static tac_status commit(tac_trace_source *source, int64_t time, size_t number, tac_error *err)
{
    if (source_commit(source, time))
        return TAC_OK;
    return source_commit_error(source, time, number, 1, err);
}

static tac_status next_number(const tac_trace_source *source, const char *line, const char **at,
                              size_t number, double *value, tac_error *err)
{
    const char *end = scpi_number(*at, value);
    if (!end)
        return source_fail(source, err, TAC_E_INPUT, number, (size_t)(*at - line) + 1,
                           "the instrument's answer is not a number");
    if (isnan(*value))
        return source_fail(source, err, TAC_E_INPUT, number, (size_t)(*at - line) + 1,
                           "the instrument answered \"not a number\" (9.9E37 or above)");
    *at = end;
    return TAC_OK;
}

/* One value for each channel asked for. */
static tac_status read_channels(struct scpi *scpi, tac_trace_source *source, const char *line,
                                const struct scpi_line *parsed, size_t number, tac_error *err)
{
    const char *at = parsed->answer;
    if (parsed->time < source->last_time) /* before the energy is touched */
        return source_commit_error(source, parsed->time, number, 1, err);
    source_begin(source);
    for (size_t i = 0; i < channel_count(scpi->channels) && i < CHANNELS_MAX; i++) {
        double value;
        tac_status status = next_number(source, line, &at, number, &value, err);
        if (!status)
            status = set_measurement(scpi, source, channel_at(scpi->channels, i), value,
                                     parsed->time, err);
        if (status)
            return status;
    }
    if (*at != '\n' && *at != '\r')
        return source_fail(source, err, TAC_E_INPUT, number, (size_t)(at - line) + 1,
                           "more values than channels");
    return commit(source, parsed->time, number, err);
}

/* An array of samples of one channel, the last at the time of the answer. */
static tac_status read_array(struct scpi *scpi, tac_trace_source *source, const char *line,
                             const struct scpi_line *parsed, size_t number, tac_error *err)
{
    size_t count = 1, left = TAC_TRACE_BLOCK_STATES - source->count;
    for (const char *at = parsed->answer; *at != '\n' && *at != '\r'; at++)
        count += *at == ',';
    if (count > 1 && scpi->interval <= 0)
        return source_fail(source, err, TAC_E_INPUT, number, (size_t)(parsed->answer - line) + 1,
                           "%zu samples, but no SENS:SWE:TINT or SENS:ELOG:PER before said how far "
                           "apart they are",
                           count);
    if (count > left)
        return source_fail(source, err, TAC_E_LIMIT, number, 0,
                           "more than %zu samples in one answer; fetch fewer at a time", left);
    const char *at = parsed->answer;
    for (size_t i = 0; i < count; i++) {
        double value, back = scpi->interval * (double)(count - 1 - i);
        int64_t time = parsed->time - (int64_t)llround(back * 1e9); /* at most 4096 days back */
        if (time < source->last_time)
            return source_commit_error(source, time, number, 1, err);
        tac_status status = next_number(source, line, &at, number, &value, err);
        source_begin(source);
        if (!status)
            status = set_measurement(scpi, source, channel_at(scpi->channels, 0), value, time, err);
        if (!status)
            status = commit(source, time, number, err);
        if (status)
            return status;
    }
    return TAC_OK;
}

static void keep_query(struct scpi *scpi, const struct scpi_line *parsed)
{
    free(scpi->query);
    free(scpi->channels);
    scpi->query = tac_strndup(parsed->query, parsed->query_length);
    scpi->channels =
        parsed->channels ? tac_strndup(parsed->channels, parsed->channels_length) : NULL;
}

/* SENS:SWE:TINT 0.001 and SENS:ELOG:PER 0.001,(@1) give the interval of later arrays. */
static void read_command(struct scpi *scpi, const char *command)
{
    size_t head = strcspn(command, " \t\r\n");
    char *name = tac_strndup(command, head);
    double seconds;
    if ((asks_for(name, "TINT") || asks_for(name, "PER")) &&
        scan_number(command + head + strspn(command + head, " \t"), &seconds))
        scpi->interval = seconds > 0 && seconds <= 86400 ? seconds : 0;
    free(name);
}

static tac_status read_line(tac_trace_source *source, const char *line, size_t length,
                            size_t number, tac_error *err)
{
    struct scpi *scpi = source->reader;
    struct scpi_line parsed;
    if (!length || *line == '#')
        return TAC_OK;
    if (!scpi_parse(line, length, &parsed))
        return source_fail(source, err, TAC_E_INPUT, number, 1,
                           "expected a time (seconds or an ISO date) and what was said");
    if (parsed.query)
        keep_query(scpi, &parsed);
    if (parsed.command)
        read_command(scpi, parsed.command);
    if (!parsed.answer)
        return TAC_OK;
    if (!scpi->query)
        return source_fail(source, err, TAC_E_INPUT, number, (size_t)(parsed.answer - line) + 1,
                           "an answer without a question");
    bool array = asks_for(scpi->query, "ARR") || asks_for(scpi->query, "ELOG");
    tac_status status = array ? read_array(scpi, source, line, &parsed, number, err)
                              : read_channels(scpi, source, line, &parsed, number, err);
    free(scpi->query);
    scpi->query = NULL;
    return status;
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    /* An array needs room; blocks of half the size are as good. */
    return source_fill_by_line(source, TAC_TRACE_BLOCK_STATES / 2, read_line, err);
}

static tac_status open_scpi(tac_trace_source *source, tac_error *err)
{
    struct scpi *scpi = source->reader = tac_calloc(1, sizeof *scpi);
    scpi->voltage = scpi->current = scpi->power = scpi->last_power = NAN;
    return source_want_variable(source, "energy", TAC_CONTINUOUS, "J", &scpi->energy_variable, err);
}

static void close_scpi(tac_trace_source *source)
{
    struct scpi *scpi = source->reader;
    if (!scpi)
        return;
    free(scpi->query);
    free(scpi->channels);
    free(scpi);
}

const struct trace_format trace_format_scpi = {
    .id = TRACE_SCPI,
    .endings = "|.scpi|.log|",
    .sniff = sniff,
    .open = open_scpi,
    .fill = fill,
    .close = close_scpi,
};
