/* A progress line on standard error, and the signals that end a command.
 *
 * The line appears after a second, only on a terminal, at most five times a second: what, done of
 * total, rate, time left. The first SIGINT, SIGTERM or SIGHUP asks the work to stop and keep what
 * is finished; the second ends the program. So does time: work that has not heard of the stop
 * within HEARING seconds (it waits for a file, a device, another program), or has not ended
 * PATIENCE seconds after it heard. However the program ends, the temporary files of unfinished
 * outputs are removed. */
#include "base/data/text.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/frame.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { HEARING = 1, HEARING_OF_DEVICES = 10, PATIENCE = 10 };

static volatile sig_atomic_t interrupted, heard, hearing = HEARING;

static struct {
    tac_watch watch;
    bool on_terminal, shown;
    double started, last_shown;
    const char *what;
} terminal;

static void on_stop(int signal_number)
{
    bool go_on = signal_number == SIGALRM ? heard == 1 : !interrupted;
    if (!go_on) {
        tac_output_remove_temporaries();
        _exit(tac_exit_code(TAC_E_INTERRUPTED, TAC_INCONCLUSIVE));
    }
    alarm((unsigned)(interrupted ? PATIENCE : hearing));
    if (interrupted)
        heard = 2; /* the next alarm ends */
    interrupted = 1;
}

/* Signals that end the program at once: what they leave behind is removed first. */
static void on_end(int signal_number)
{
    tac_output_remove_temporaries();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void show(const char *what, uint64_t done, uint64_t total, double now)
{
    char count[32], all[32], rate[32];
    FILE *out = terminal_stream();
    double elapsed = now - terminal.started, speed = (double)done / elapsed;
    tac_print(out, "\r\033[K%s %s", what, tac_thousands(done, count, sizeof count));
    if (total)
        tac_print(out, " of %s", tac_thousands(total, all, sizeof all));
    tac_print(out, ", %s/s", tac_thousands((uint64_t)speed, rate, sizeof rate));
    if (total > done && speed > 0)
        tac_print(out, ", %.0f s left", (double)(total - done) / speed);
    fflush(out);
    terminal.shown = true;
    terminal.last_shown = now;
}

static bool tick(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)self;
    if (interrupted) {
        heard = heard ? heard : 1;
        return false;
    }
    if (!terminal.on_terminal)
        return true;
    double now = tac_now();
    if (!terminal.what || strcmp(terminal.what, what)) {
        terminal.what = what;
        terminal.started = now;
    } else if (now - terminal.started > 1 && now - terminal.last_shown > 0.2) {
        show(what, done, total, now);
    }
    return true;
}

tac_watch *terminal_watch_start(bool drives_devices)
{
    hearing = drives_devices ? HEARING_OF_DEVICES : HEARING;
    terminal.watch.tick = tick;
    terminal.on_terminal = isatty(STDERR_FILENO);
    static const int stops[] = {SIGINT, SIGTERM, SIGALRM, SIGHUP};
    static const int ends[] = {SIGPIPE, SIGQUIT, SIGABRT, SIGXCPU};
    struct sigaction stop = {.sa_handler = on_stop}, end = {.sa_handler = on_end}, old;
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        sigaction(stops[i], NULL, &old);
        if (stops[i] != SIGHUP || old.sa_handler != SIG_IGN) /* nohup stays in force */
            sigaction(stops[i], &stop, NULL);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        sigaction(ends[i], NULL, &old);
        if (old.sa_handler == SIG_DFL)
            sigaction(ends[i], &end, NULL);
    }
    return &terminal.watch;
}

bool terminal_interrupted(void)
{
    return interrupted;
}

void terminal_watch_end(void)
{
    if (terminal.shown)
        fputs("\r\033[K", terminal_stream());
    terminal.shown = false;
}
