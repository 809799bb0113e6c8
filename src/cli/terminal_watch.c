/* A progress line on standard error, and Ctrl-C.
 *
 * The line appears after a second, only on a terminal, at most five times a second: what, done of
 * total, rate, time left. The first Ctrl-C asks the work to stop and keep what is finished; the
 * second ends the program. */
#include "base/data/text.h"
#include "cli/frame.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static struct {
    tac_watch watch;
    bool on_terminal, shown;
    double started, last_shown;
    const char *what;
} terminal;

static void on_interrupt(int signal_number)
{
    interrupted = 1;
    signal(signal_number, SIG_DFL);
}

static void show(const char *what, uint64_t done, uint64_t total, double now)
{
    char count[32], all[32], rate[32];
    double elapsed = now - terminal.started, speed = (double)done / elapsed;
    fprintf(stderr, "\r\033[K%s %s", what, tac_thousands(done, count, sizeof count));
    if (total)
        fprintf(stderr, " of %s", tac_thousands(total, all, sizeof all));
    fprintf(stderr, ", %s/s", tac_thousands((uint64_t)speed, rate, sizeof rate));
    if (total > done && speed > 0)
        fprintf(stderr, ", %.0f s left", (double)(total - done) / speed);
    fflush(stderr);
    terminal.shown = true;
    terminal.last_shown = now;
}

static bool tick(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)self;
    if (interrupted)
        return false;
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

tac_watch *terminal_watch_start(void)
{
    terminal.watch.tick = tick;
    terminal.on_terminal = isatty(STDERR_FILENO);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    return &terminal.watch;
}

void terminal_watch_end(void)
{
    if (terminal.shown)
        fputs("\r\033[K", stderr);
    terminal.shown = false;
}
