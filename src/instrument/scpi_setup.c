/* Setting an instrument up: who it is, which commands it takes, how fast it samples. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "instrument/scpi_dialogue.h"
#include "trace/read/scpi_line.h"
#include <math.h>
#include <string.h>
#include <time.h>

enum { MOST_QUEUED = 32 };

void scpi_expand(const struct scpi_meter *meter, const char *pattern, char *out, size_t size)
{
    snprintf(out, size, "%s", pattern);
    char *mark = strchr(out, '@');
    if (!mark)
        return;
    *mark = '\0';
    if (meter->channels[0])
        snprintf(mark, size - (size_t)(mark - out), "%s", meter->channels);
    else
        while (mark > out && strchr(", ", mark[-1]))
            *--mark = '\0';
}

tac_status scpi_tell(struct scpi_meter *meter, const char *pattern, tac_error *err)
{
    char command[96];
    scpi_expand(meter, pattern, command, sizeof command);
    return scpi_send(&meter->link, command, err);
}

tac_status scpi_errors(struct scpi_meter *meter, char *first, size_t size, tac_error *err)
{
    first[0] = '\0';
    for (int i = 0; i < MOST_QUEUED; i++) {
        long code;
        tac_status status = scpi_ask(&meter->link, "SYST:ERR?", &meter->answer, err);
        if (status != TAC_OK)
            return status;
        if (!scpi_answer_error(tac_str_text(&meter->answer), &code))
            return tac_fail(err, TAC_E_DEVICE,
                            "%s: SYST:ERR?: expected an error number, not '%.60s'", meter->uri,
                            tac_str_text(&meter->answer));
        if (!code)
            return TAC_OK;
        if (!first[0])
            snprintf(first, size, "%s", tac_str_text(&meter->answer));
    }
    return TAC_OK;
}

tac_status scpi_ask_if_known(struct scpi_meter *meter, const char *pattern, bool *answered,
                             tac_error *err)
{
    char query[96], ignored[160];
    long code;
    scpi_expand(meter, pattern, query, sizeof query);
    tac_status status = scpi_send(&meter->link, query, err);
    tac_str answer = {0};
    /* An instrument that does not know the query is silent; the next answer then is the error. */
    if (status == TAC_OK)
        status = scpi_ask(&meter->link, "SYST:ERR?", &answer, err);
    *answered = status == TAC_OK && !(strstr(tac_str_text(&answer), ",\"") &&
                                      scpi_answer_error(tac_str_text(&answer), &code));
    if (*answered)
        status = scpi_receive(&meter->link, "SYST:ERR?", &meter->answer, err);
    if (status == TAC_OK)
        status = scpi_errors(meter, ignored, sizeof ignored, err);
    if (*answered) {
        tac_str_clear(&meter->answer);
        tac_str_add_bytes(&meter->answer, tac_str_text(&answer), answer.length);
    }
    tac_str_free(&answer);
    return status;
}

static tac_status identify(struct scpi_meter *meter, tac_error *err)
{
    tac_error why;
    tac_status status = scpi_ask(&meter->link, "*IDN?", &meter->answer, &why);
    if (status != TAC_OK)
        return tac_fail(err, status, "%s; is this the instrument's SCPI socket?", why.message);
    const char *text = tac_str_text(&meter->answer), *comma = strchr(text, ',');
    if (!comma || !strchr(comma + 1, ',') || !tac_utf8_valid(text, strlen(text)))
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: *IDN? was answered with '%.60s', which does not name maker, model and "
                        "serial number; is this an SCPI instrument?",
                        meter->uri, tac_utf8_valid(text, strlen(text)) ? text : "...");
    snprintf(meter->identity, sizeof meter->identity, "%s", text);
    return scpi_send(&meter->link, "*CLS", err);
}

/* Sends all commands; *accepted tells whether the instrument took every one, first says which error
 * it had. */
static tac_status try_commands(struct scpi_meter *meter, const char *const *patterns,
                               bool *accepted, char *first, size_t size, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; patterns[i] && status == TAC_OK; i++)
        status = scpi_tell(meter, patterns[i], err);
    if (status == TAC_OK)
        status = scpi_errors(meter, first, size, err);
    *accepted = status == TAC_OK && !first[0];
    return status;
}

static tac_status choose_format(struct scpi_meter *meter, tac_error *err)
{
    static const char *const binary[] = {"FORM REAL", "FORM:BORD NORM", NULL};
    char ignored[160], data[32] = "ASC";
    bool accepted, answered;
    meter->format = (struct scpi_format){.size = 4};
    tac_status status = try_commands(meter, binary, &accepted, ignored, sizeof ignored, err);
    if (status == TAC_OK)
        status = scpi_ask_if_known(meter, "FORM?", &answered, err);
    if (status == TAC_OK && answered)
        snprintf(data, sizeof data, "%s", tac_str_text(&meter->answer));
    if (status == TAC_OK)
        status = scpi_ask_if_known(meter, "FORM:BORD?", &answered, err);
    if (status == TAC_OK &&
        !scpi_answer_format(data, answered ? tac_str_text(&meter->answer) : "NORM", &meter->format))
        return tac_fail(err, TAC_E_DEVICE, "%s: FORM? was answered with '%s'; expected ASC or REAL",
                        meter->uri, data);
    return status;
}

/* Instruments round the period to what their converter can do: take what they say. */
static tac_status ask_period(struct scpi_meter *meter, const char *query, tac_error *err)
{
    bool answered;
    meter->period = SCPI_PERIOD;
    tac_status status = scpi_ask_if_known(meter, query, &answered, err);
    if (status != TAC_OK || !answered)
        return status;
    double period;
    if (!scpi_number(tac_str_text(&meter->answer), &period) || !(period > 1e-5 && period < 1))
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: %s was answered with '%.40s', which is not a sampling period",
                        meter->uri, query, tac_str_text(&meter->answer));
    meter->period = period;
    return TAC_OK;
}

static tac_status set_up_log(struct scpi_meter *meter, bool *accepted, char *first, size_t size,
                             tac_error *err)
{
    static const char *const needed[] = {"ABOR:ELOG @", "SENS:ELOG:FUNC:CURR ON,@",
                                         "SENS:ELOG:PER 0.001,@", "TRIG:ELOG:SOUR IMM,@", NULL};
    static const char *const voltage[] = {"SENS:ELOG:FUNC:VOLT ON,@", NULL};
    static const char *const lean[] = {"SENS:ELOG:FUNC:CURR:MINM OFF,@",
                                       "SENS:ELOG:FUNC:VOLT:MINM OFF,@", NULL};
    char ignored[160];
    bool without;
    meter->mode = SCPI_LOG;
    tac_status status = try_commands(meter, needed, accepted, first, size, err);
    if (status != TAC_OK || !*accepted)
        return status;
    status = try_commands(meter, voltage, &meter->both, ignored, sizeof ignored, err);
    if (status == TAC_OK)
        status = try_commands(meter, lean, &without, ignored, sizeof ignored, err);
    return status == TAC_OK ? ask_period(meter, "SENS:ELOG:PER? @", err) : status;
}

static tac_status set_up_sweeps(struct scpi_meter *meter, bool *accepted, char *first, size_t size,
                                tac_error *err)
{
    static const char *const needed[] = {"SENS:SWE:POIN 500,@", "SENS:SWE:TINT 0.001,@", NULL};
    static const char *const functions[] = {"SENS:FUNC:CURR ON,@", "SENS:FUNC:VOLT ON,@", NULL};
    char ignored[160];
    bool taken;
    meter->mode = SCPI_SWEEPS;
    meter->both = true; /* the first sweep shows */
    tac_status status = try_commands(meter, needed, accepted, first, size, err);
    if (status != TAC_OK || !*accepted)
        return status;
    status = try_commands(meter, functions, &taken, ignored, sizeof ignored, err);
    return status == TAC_OK ? ask_period(meter, "SENS:SWE:TINT? @", err) : status;
}

/* Log before sweeps, with a channel list before none; an instrument that takes nothing of all that
 * is the wrong one. */
static tac_status choose_mode(struct scpi_meter *meter, tac_error *err)
{
    char list[sizeof meter->channels], first[160] = "", last[160];
    snprintf(list, sizeof list, "(@%u)", meter->address.channel ? meter->address.channel : 1);
    for (int attempt = 0; attempt < 4; attempt++) {
        bool accepted, with_list = attempt % 2 == 0;
        if (!with_list && meter->address.channel)
            continue; /* a channel was asked for */
        snprintf(meter->channels, sizeof meter->channels, "%s", with_list ? list : "");
        tac_status status = attempt < 2 ? set_up_log(meter, &accepted, last, sizeof last, err)
                                        : set_up_sweeps(meter, &accepted, last, sizeof last, err);
        if (status != TAC_OK || accepted)
            return status;
        if (attempt == 2)
            snprintf(first, sizeof first, "%s", last);
    }
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: %s takes no setup for sampling (SENS:SWE:POIN: %s); a power analyser or "
                    "source-measure unit with a digitiser is needed",
                    meter->uri, meter->identity, first);
}

/* The instrument's date and time of day, in whole seconds: good for noticing that it is wrong. */
static tac_status compare_wall_clocks(struct scpi_meter *meter, tac_error *err)
{
    struct tm date = {.tm_isdst = -1};
    bool answered;
    meter->wall_offset = NAN;
    tac_status status = scpi_ask_if_known(meter, "SYST:DATE?", &answered, err);
    if (status != TAC_OK || !answered ||
        sscanf(tac_str_text(&meter->answer), "%4d,%2d,%2d", &date.tm_year, &date.tm_mon,
               &date.tm_mday) != 3)
        return status;
    status = scpi_ask_if_known(meter, "SYST:TIME?", &answered, err);
    if (status != TAC_OK || !answered ||
        sscanf(tac_str_text(&meter->answer), "%2d,%2d,%2d", &date.tm_hour, &date.tm_min,
               &date.tm_sec) != 3)
        return status;
    int64_t host = tac_clock(CLOCK_REALTIME);
    date.tm_year -= 1900;
    date.tm_mon -= 1;
    time_t local = mktime(&date); /* such clocks show local time */
    if (local != (time_t)-1)
        meter->wall_offset = (double)local + 0.5 - (double)host * 1e-9;
    return TAC_OK;
}

tac_status scpi_meter_open(struct scpi_meter *meter, const char *uri, double deadline,
                           tac_error *err)
{
    *meter = (struct scpi_meter){.link.fd = -1};
    tac_status status = scpi_address_parse(uri, &meter->address, err);
    if (status != TAC_OK)
        return status;
    meter->uri = tac_strdup(uri);
    status = scpi_link_open(&meter->link, meter->uri, &meter->address, deadline, err);
    if (status == TAC_OK)
        status = identify(meter, err);
    if (status == TAC_OK)
        status = choose_format(meter, err);
    if (status == TAC_OK)
        status = choose_mode(meter, err);
    if (status == TAC_OK)
        status = compare_wall_clocks(meter, err);
    if (status != TAC_OK)
        scpi_meter_close(meter);
    else if (meter->mode == SCPI_SWEEPS)
        meter->link.deadline += SCPI_SWEEP_POINTS * meter->period; /* an array takes its time */
    return status;
}

void scpi_meter_close(struct scpi_meter *meter)
{
    scpi_link_close(&meter->link);
    tac_str_free(&meter->answer);
    tac_vec_free(&meter->currents);
    tac_vec_free(&meter->voltages);
    free(meter->uri);
    meter->uri = NULL;
}
