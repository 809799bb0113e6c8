/* tactus phone --adb PORT sim:APPFILE */
#include "cli/command.h"
#include "tactus/phone.h"

static void say_port(uint16_t port, void *context)
{
    (void)context;
    printf("the phone listens; reach it with: adb connect 127.0.0.1:%u\n", port);
    fflush(stdout);
}

static void say_dropped(const char *why, void *context)
{
    (void)context;
    fprintf(stderr, "tactus: %s; the connection is dropped\n", why);
}

static int phone_run_command(struct invocation *in)
{
    tac_error err;
    tac_phone_options options = {.device = {.seed = (uint64_t)option_number(in, "seed", 1),
                                            .scenario = option_text(in, "scenario"),
                                            .faults = option_text(in, "faults"),
                                            .realtime = option_flag(in, "realtime")},
                                 .port = (uint16_t)option_number(in, "adb", 5555),
                                 .exchange = option_text(in, "exchange"),
                                 .replay = option_text(in, "replay"),
                                 .android = (unsigned)option_number(in, "android", 9),
                                 .unauthorized = option_flag(in, "unauthorized"),
                                 .offline = option_flag(in, "offline"),
                                 .listening = say_port,
                                 .dropped = say_dropped};
    tac_status st = tac_phone_serve(in->args[0], &options, in->watch, &err);
    return st ? fail(in, &err) : 0;
}

static const struct option phone_options[] = {
    {.name = "adb",
     .kind = OPTION_NUMBER,
     .argument = "PORT",
     .least = 0,
     .most = 65535,
     .help = "listen here on 127.0.0.1; 0 takes any free port; default 5555"},
    {.name = "android",
     .kind = OPTION_NUMBER,
     .argument = "VERSION",
     .least = 7,
     .most = 15,
     .help = "answer in the formats of that version, 7 to 15; default 9"},
    {.name = "seed",
     .meaning = "seed of all randomness",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = INT64_MAX,
     .help = "randomness of the phone; default 1"},
    {.name = "scenario",
     .meaning = "the network by its name",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "network: pedestrian, festival, cafe, train, ideal or a file; default ideal"},
    {.name = "exchange",
     .kind = OPTION_FILE,
     .argument = "DIR",
     .help = "a folder for messages: phones that share it hear each other's \"send\""},
    {.name = "replay",
     .kind = OPTION_FILE,
     .argument = "DIR",
     .help = "answer commands with recorded outputs where the folder's replay.txt has one"},
    {.name = "realtime",
     .kind = OPTION_FLAG,
     .help = "let a second of the built-in phone last a real second"},
    {.name = "unauthorized",
     .kind = OPTION_FLAG,
     .help = "for tests: never accept the computer's key"},
    {.name = "offline", .kind = OPTION_FLAG, .help = "for tests: answer nothing"},
    {.name = "faults",
     .meaning = "faults of the built-in phone, for tests",
     .kind = OPTION_TEXT,
     .argument = "LIST",
     .help = "for tests: hang@CALL, die@CALL, offset=SECONDS, drift=SHARE"},
    {0},
};

const struct command cmd_phone = {
    .noun = "phone",
    .args = "sim:APPFILE",
    .least_args = 1,
    .most_args = 1,
    .summary = "run the built-in phone behind the adb daemon's protocol",
    .description =
        "Runs an app file (docs/app-files.md) on the built-in phone and speaks the protocol of "
        "Android's adb daemon, so that the real adb, and everything built on it, can connect: "
        "shell, push, pull, install, logcat, uiautomator, input, am, pm, dumpsys, screencap answer "
        "in Android's own formats.\n\n"
        "Time is virtual and moved by commands: sleep 60 returns at once, a minute later. Ends "
        "with Ctrl-C.",
    .example = "tactus phone --adb 5555 sim:examples/apps/player.json",
    .options = phone_options,
    .run = phone_run_command,
};
