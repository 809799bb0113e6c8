/* Short words for tests that drive the built-in phone. */
#ifndef SIM_TESTING_H
#define SIM_TESTING_H

#include "device/device.h"
#include "tactus_test.h"

static tac_error sim_error;

/* Fails the test with the error's text unless the call went well. */
#define REQUIRE_OK(call)                                                                           \
    do {                                                                                           \
        if ((call) != TAC_OK) {                                                                    \
            test_fail(__FILE__, __LINE__, "%s: %s", #call, sim_error.message);                     \
            longjmp(test_leave, 1);                                                                \
        }                                                                                          \
    } while (0)

__attribute__((unused)) static tac_device *phone_of(const char *app, const char *scenario,
                                                    uint64_t seed)
{
    char uri[1024], name[512];
    snprintf(name, sizeof name, "examples/apps/%s", app);
    snprintf(uri, sizeof uri, "sim:%s", strchr(app, '/') ? app : test_source(name));
    tac_device_options options = {.scenario = scenario, .seed = seed};
    tac_device *device = NULL;
    REQUIRE_OK(tac_device_open(uri, &options, &device, &sim_error));
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    return device;
}

__attribute__((unused)) static tac_status gesture(tac_device *device, tac_action_kind kind,
                                                  const char *id, const char *value)
{
    tac_device_info info;
    char full[256], xpath[320];
    tac_device_describe(device, &info, &sim_error);
    snprintf(full, sizeof full, "%s:id/%s", info.package, id ? id : "");
    snprintf(xpath, sizeof xpath, "//node[@resource-id='%s']", full);
    tac_gesture g = {.kind = kind, .target = {.xpath = id ? xpath : NULL}, .value = value};
    tac_status st = tac_device_perform(device, &g, 0, &sim_error);
    return st ? st : tac_device_settle(device, 0, &sim_error);
}

#define CLICK(device, id) REQUIRE_OK(gesture(device, TAC_ACTION_CLICK, id, NULL))
#define BACK(device) REQUIRE_OK(gesture(device, TAC_ACTION_BACK, NULL, NULL))

/* A reading of one probe. */
__attribute__((unused)) static double probe(tac_device *device, const char *name)
{
    size_t count;
    const tac_probe *probes = tac_device_probes(device, &count);
    double values[32];
    int64_t time;
    if (count > 32 || tac_device_measure(device, 0, values, &time, &sim_error))
        return NAN;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(probes[i].name, name))
            return values[i];
    return NAN;
}

/* "activity" of the foreground, "" when the app is not in front. */
__attribute__((unused)) static const char *activity_of(tac_device *device)
{
    tac_foreground f;
    tac_device_info info;
    if (tac_device_foreground(device, 0, &f, &sim_error) ||
        tac_device_describe(device, &info, &sim_error) || strcmp(f.package, info.package) != 0)
        return "";
    return f.activity;
}

#endif
