/* tactus phone --adb PORT sim:APPFILE */
#include "cli/command.h"
#include "phone/phone.h"

static void say_port(uint16_t port, void *context)
{
    (void)context;
    printf("the phone listens; reach it with: adb connect 127.0.0.1:%u\n", port);
    fflush(stdout);
}

static void say_dropped(const char *why, void *context)
{
    (void)context;
    complain("%s; the connection is dropped", why);
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
    NUMBER("adb", "PORT", 0, 65535,
           "listen here on 127.0.0.1; 0 takes any free port; default 5555"),
    NUMBER("android", "VERSION", 7, 15,
           "answer in the formats of that version, 7 to 15; default 9"),
    NUMBER("seed", "N", 1, INT64_MAX, "randomness of the phone; default 1",
           .meaning = "seed of all randomness"),
    TEXT("scenario", "NAME",
         "network: pedestrian, festival, cafe, train, ideal or a file; default ideal",
         .meaning = "the network by its name"),
    PATH("exchange", "DIR",
         "a folder for messages: phones that share it hear each other's \"send\""),
    PATH("replay", "DIR",
         "answer commands with recorded outputs where the folder's replay.txt has one"),
    FLAG("realtime", "let a second of the built-in phone last a real second"),
    FLAG("unauthorized", "for tests: never accept the computer's key"),
    FLAG("offline", "for tests: answer nothing"),
    TEXT("faults", "LIST", "for tests: hang@CALL, die@CALL, offset=SECONDS, drift=SHARE",
         .meaning = "faults of the built-in phone, for tests"),
    {0},
};

const struct command cmd_phone = {
    .noun = "phone",
    .group = GROUP_TEST,
    .args = "sim:APPFILE",
    .summary = "run the built-in phone behind the adb daemon's protocol",
    .description = "Runs an app file (docs/app-files.md) on the built-in phone and speaks the "
                   "protocol of Android's adb daemon, so that the real adb, and everything built "
                   "on it, can connect: shell, push, pull, install, logcat, uiautomator, input, "
                   "am, pm, dumpsys, screencap answer in Android's own formats.\n\n"
                   "Time is virtual and moved by commands: sleep 60 returns at once, a minute "
                   "later. Ends with Ctrl-C.",
    .example = "tactus phone --adb 5555 sim:examples/apps/player.json",
    .options = phone_options,
    .run = phone_run_command,
};
