/* Messages between built-in phones: in one process and through a folder, in time, without a
 * connection, and to nobody. */
#include "phone/phone.h"
#include "sim_testing.h"
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* The phones of Alice and Bob, launched, with an exchange each (or one for both). */
struct pair {
    tac_exchange *first, *second;
    tac_device *alice, *bob;
};

static tac_device *open_chat(const char *activity, tac_exchange *exchange)
{
    char uri[4300];
    snprintf(uri, sizeof uri, "sim:%s%s", test_source("examples/apps/chat.json"), activity);
    tac_device *device = NULL;
    REQUIRE_OK(
        tac_device_open(uri, &(tac_device_options){.exchange = exchange}, &device, &sim_error));
    REQUIRE_OK(tac_device_launch(device, 0, &sim_error));
    return device;
}

static struct pair two_phones(const char *folder)
{
    struct pair p = {0};
    REQUIRE_OK(tac_exchange_open(folder, &p.first, &sim_error));
    if (folder)
        REQUIRE_OK(tac_exchange_open(folder, &p.second, &sim_error));
    p.alice = open_chat("", p.first);
    p.bob = open_chat("#Home", folder ? p.second : p.first);
    return p;
}

static void free_pair(struct pair *p)
{
    tac_device_free(p->alice);
    tac_device_free(p->bob);
    tac_exchange_free(p->first);
    tac_exchange_free(p->second);
}

/* Seconds on the virtual clock that all phones share. */
static double now_on(tac_device *device)
{
    tac_clock_reading reading;
    REQUIRE_OK(tac_device_clock(device, &reading, &sim_error));
    return (double)(reading.host_before % 1000000000000) * 1e-9;
}

/* When it was sent. */
static double write_message(tac_device *alice)
{
    CLICK(alice, "contact");
    REQUIRE_OK(gesture(alice, TAC_ACTION_TEXT, "input", "Are you there?"));
    double now = now_on(alice);
    CLICK(alice, "send");
    return now;
}

/* Whether a line with this tag and these words is in what the phone has logged since. */
static bool logged(tac_device *device, const char *tag, const char *words)
{
    tac_log_line line;
    bool more, found = false;
    while (tac_device_log(device, &line, &more, &sim_error) == TAC_OK && more)
        found |= !strcmp(line.tag, tag) && strstr(line.message, words);
    return found;
}

static void message_reaches_bob(const char *folder)
{
    struct pair p = two_phones(folder);
    tac_arrival arrival;
    double sent = write_message(p.alice), start = now_on(p.bob);
    REQUIRE_OK(tac_device_sleep(p.alice, 1, &sim_error));
    REQUIRE_OK(tac_device_wait_change(p.bob, "notification", 5, &arrival, &sim_error));
    CHECK(arrival.arrived);
    double took = start + arrival.after - sent; /* the channel's delay, and two links */
    CHECK(took > 0.4 && took < 0.7);
    const tac_ui *ui;
    uint32_t node;
    REQUIRE_OK(tac_device_snapshot(p.bob, 0, &ui, &sim_error));
    REQUIRE_OK(
        tac_ui_find(ui, &(tac_selector){.text = "Alice: Are you there?"}, &node, &sim_error));
    CHECK(node != TAC_UI_NONE);
    CHECK(probe(p.bob, "rxData") >= 900);
    CHECK(probe(p.alice, "txData") >= 900);
    CHECK(!logged(p.alice, TAC_LOG_LOST_TAG, ""));
    free_pair(&p);
}

TEST(a_message_reaches_the_other_phone_of_one_process)
{
    message_reaches_bob(NULL);
}

TEST(a_message_reaches_a_phone_that_shares_a_folder)
{
    message_reaches_bob(test_temporary("exchange"));
}

TEST(a_phone_without_a_connection_receives_when_it_is_back)
{
    struct pair p = two_phones(NULL);
    tac_arrival arrival;
    REQUIRE_OK(tac_device_system(p.bob, "connectivity-off", 0, &sim_error));
    write_message(p.alice);
    REQUIRE_OK(tac_device_sleep(p.alice, 1, &sim_error));
    REQUIRE_OK(tac_device_wait_change(p.bob, "notification", 30, &arrival, &sim_error));
    CHECK(!arrival.arrived);
    REQUIRE_OK(tac_device_system(p.bob, "connectivity-on", 0, &sim_error));
    REQUIRE_OK(tac_device_wait_change(p.bob, "notification", 5, &arrival, &sim_error));
    CHECK(arrival.arrived);
    free_pair(&p);
}

TEST(a_sender_without_a_connection_sends_when_it_is_back)
{
    struct pair p = two_phones(NULL);
    tac_arrival arrival;
    REQUIRE_OK(tac_device_system(p.alice, "connectivity-off", 0, &sim_error));
    write_message(p.alice);
    REQUIRE_OK(tac_device_sleep(p.alice, 5, &sim_error));
    REQUIRE_OK(tac_device_wait_change(p.bob, NULL, 5, &arrival, &sim_error));
    CHECK(!arrival.arrived);
    REQUIRE_OK(tac_device_system(p.alice, "connectivity-on", 0, &sim_error));
    REQUIRE_OK(tac_device_sleep(p.alice, 1, &sim_error));
    REQUIRE_OK(tac_device_wait_change(p.bob, NULL, 5, &arrival, &sim_error));
    CHECK(arrival.arrived);
    free_pair(&p);
}

TEST(a_message_to_nobody_is_said)
{
    tac_device *alice = open_chat("", NULL);
    write_message(alice);
    REQUIRE_OK(tac_device_sleep(alice, 1, &sim_error));
    CHECK(logged(alice, TAC_LOG_LOST_TAG, "no other phone is there"));
    tac_device_free(alice);
}

TEST(a_peer_that_was_killed_is_said)
{
    const char *folder = test_temporary("killed");
    char path[4300];
    tac_exchange *own = NULL, *other = NULL;
    REQUIRE_OK(tac_exchange_open(folder, &own, &sim_error));
    REQUIRE_OK(tac_exchange_open(folder, &other, &sim_error));
    /* A kill closes the socket and leaves its name behind: as if a name of ours were moved. */
    snprintf(path, sizeof path, "%s/%ld-1.phone", folder, (long)getpid());
    char left[4300];
    snprintf(left, sizeof left, "%s/1-0.phone", folder);
    CHECK_EQ(rename(path, left), 0);
    tac_exchange_free(other);
    tac_device *alice = open_chat("", own);
    write_message(alice);
    REQUIRE_OK(tac_device_sleep(alice, 1, &sim_error));
    CHECK(logged(alice, TAC_LOG_LOST_TAG, "the phone 1-0.phone is gone"));
    CHECK(access(left, F_OK) != 0);
    tac_device_free(alice);
    tac_exchange_free(own);
}

/* What anybody might put into the folder's sockets. */
TEST(a_datagram_that_is_no_message_is_nobodys)
{
    static const char *const datagrams[] = {
        "",
        "{",
        "[]",
        "null",
        "\xff\xfe",
        "{\"channel\":\"message\"}",
        "{\"channel\":\"message\",\"text\":\"x\",\"sent\":\"now\"}",
        "{\"channel\":5,\"text\":\"x\",\"sent\":0}",
        "{\"channel\":\"nothing\",\"text\":\"x\",\"sent\":0}"};
    const char *folder = test_temporary("garbage");
    struct pair p = two_phones(folder);
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s/%ld-1.phone", folder, (long)getpid());
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    for (size_t i = 0; i < sizeof datagrams / sizeof *datagrams; i++) {
        CHECK(sendto(fd, datagrams[i], strlen(datagrams[i]), 0, (struct sockaddr *)&at,
                     sizeof at) >= 0);
        REQUIRE_OK(tac_device_sleep(p.bob, 0.1, &sim_error)); /* takes it */
    }
    static const char huge[60000] = {'{'};
    CHECK(sendto(fd, huge, sizeof huge, 0, (struct sockaddr *)&at, sizeof at) >= 0);
    close(fd);
    tac_arrival arrival;
    REQUIRE_OK(tac_device_wait_change(p.bob, NULL, 5, &arrival, &sim_error));
    CHECK(!arrival.arrived);
    write_message(p.alice);
    REQUIRE_OK(tac_device_sleep(p.alice, 1, &sim_error));
    REQUIRE_OK(tac_device_wait_change(p.bob, NULL, 5, &arrival, &sim_error));
    CHECK(arrival.arrived);
    free_pair(&p);
}

TEST(an_app_that_is_not_running_loses_the_message)
{
    struct pair p = two_phones(NULL);
    REQUIRE_OK(tac_device_close(p.bob, 0, &sim_error));
    write_message(p.alice);
    REQUIRE_OK(tac_device_sleep(p.alice, 1, &sim_error));
    REQUIRE_OK(tac_device_sleep(p.bob, 10, &sim_error));
    CHECK(logged(p.bob, TAC_LOG_LOST_TAG, "the app is not running"));
    free_pair(&p);
}

TEST(a_path_that_is_too_long_is_refused)
{
    char path[300];
    snprintf(path, sizeof path, "%s", test_temporary("long"));
    CHECK_EQ(mkdir(path, 0777), 0);
    size_t used = strlen(path);
    for (; used < 120; used += 2)
        memcpy(path + used, "/.", 3);
    tac_exchange *exchange = NULL;
    CHECK_EQ(tac_exchange_open(path, &exchange, &sim_error), TAC_E_USAGE);
    CHECK_CONTAINS(sim_error.message, "choose a shorter one");
}
