/* A phone with a small app that has everything a command can touch: a field, a list, media, a
 * fetch, a timer, a second activity, a crash. */
#ifndef FUZZ_PHONE_H
#define FUZZ_PHONE_H

#include "phone/adbd/daemon.h"
#include <stdlib.h>

static const char fuzz_phone_app[] =
    "{\"tactus-app\":1,\"name\":\"F\",\"code\":\"f\",\"package\":\"com.ex\",\"variables\":{\"n\":0}"
    ","
    "\"streams\":{\"song\":{\"seconds\":60,\"kbps\":96,\"chunk\":65536,\"timeout\":8}},"
    "\"activities\":{\"A\":{\"screens\":{\"s\":{\"widgets\":["
    "{\"class\":\"EditText\",\"id\":\"name\",\"text\":\"x\"},"
    "{\"class\":\"Button\",\"id\":\"go\",\"text\":\"Go\",\"click\":[{\"fetch\":4000},{\"open\":"
    "\"B\"}]},"
    "{\"class\":\"Button\",\"id\":\"wait\",\"text\":\"W\",\"click\":[{\"after\":1,\"fire\":\"t-\"}]"
    "},"
    "{\"class\":\"Button\",\"id\":\"play\",\"text\":\"P\","
    "\"click\":[{\"media\":\"start\",\"stream\":\"song\"}]}]}}},"
    "\"B\":{\"screens\":{\"s\":{\"widgets\":[{\"class\":\"ListView\",\"id\":\"l\",\"children\":["
    "{\"id\":\"item\",\"text\":\"i\",\"repeat\":3,\"click\":[{\"finish\":true}]}]}]}}}},"
    "\"crashes\":[{\"name\":\"c\",\"when\":{\"contiguous\":[\"go\",\"back\",\"wait\"]},"
    "\"exception\":\"java.lang.Error\",\"message\":\"m\",\"stack\":[\"com.ex.A.b(A.java:1)\"]}]}";

typedef struct fuzz_phone {
    struct phone phone;
    tac_device device;
} fuzz_phone;

static inline void fuzz_phone_open(fuzz_phone *f)
{
    struct sim_app *app = NULL;
    tac_error err;
    *f = (fuzz_phone){.device = {.driver = &sim_driver, .deadline = 2}};
    if (sim_app_parse("fuzz", fuzz_phone_app, sizeof fuzz_phone_app - 1, &app, &err) ||
        sim_attach(&f->device, app, "fuzz", &(tac_device_options){.seed = 1}, &err)) {
        abort();
    }
    f->phone.android = PHONE_ANDROID;
    f->phone.device = &f->device;
    f->phone.sim = sim_of(&f->device);
}

static inline void fuzz_phone_close(fuzz_phone *f)
{
    phone_free(&f->phone);
    sim_driver.free(&f->device);
}

#endif
