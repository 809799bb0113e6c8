/* The adb daemon of the built-in phone, byte by byte in memory: greeting, streams, flow control,
 * files, and what breaks the protocol. */
#include "device/android/wire/wire.h"
#include "fuzz/fuzz_phone.h"
#include "tactus_test.h"

typedef struct packet {
    char command[5];
    uint32_t a, b;
    const char *data;
    size_t size;
} packet;

static fuzz_phone f;
static struct phone_wire *wire;
static tac_str in, out;
static tac_error err;

static void add(const char *command, uint32_t a, uint32_t b, const char *data, size_t size)
{
    unsigned char head[24];
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)data[i];
    memcpy(head, command, 4);
    adb_put_u32(head + 4, a);
    adb_put_u32(head + 8, b);
    adb_put_u32(head + 12, (uint32_t)size);
    adb_put_u32(head + 16, sum);
    adb_put_u32(head + 20, adb_get_u32(head) ^ 0xffffffffu);
    tac_str_add_bytes(&in, (const char *)head, sizeof head);
    tac_str_add_bytes(&in, data, size);
}

/* Hands over what was added, in pieces. */
static tac_status send(size_t piece)
{
    tac_status st = TAC_OK;
    for (size_t at = 0; at < in.length && !st; at += piece)
        st = phone_wire_feed(wire, in.text + at, in.length - at < piece ? in.length - at : piece,
                             &out, &err);
    tac_str_clear(&in);
    return st;
}

/* The next packet of the answer; false at its end. */
static bool next(size_t *at, packet *p)
{
    if (out.length - *at < 24)
        return false;
    const unsigned char *head = (const unsigned char *)out.text + *at;
    uint32_t sum = 0;
    memcpy(p->command, head, 4);
    p->command[4] = '\0';
    p->a = adb_get_u32(head + 4);
    p->b = adb_get_u32(head + 8);
    p->size = adb_get_u32(head + 12);
    p->data = (const char *)head + 24;
    REQUIRE(out.length - *at - 24 >= p->size);
    for (size_t i = 0; i < p->size; i++)
        sum += (unsigned char)p->data[i];
    CHECK_EQ(adb_get_u32(head + 16), sum);
    CHECK_EQ(adb_get_u32(head + 20), adb_get_u32(head) ^ 0xffffffffu);
    *at += 24 + p->size;
    return true;
}

/* "OKAY WRTE CLSE": the commands of the answer, which is thrown away. */
static const char *answers(void)
{
    static char text[1000];
    size_t at = 0, used = 0;
    packet p;
    text[0] = '\0';
    while (next(&at, &p) && used < sizeof text - 10)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", p.command);
    CHECK_EQ(at, out.length);
    tac_str_clear(&out);
    return text;
}

static void start(bool greeted)
{
    fuzz_phone_open(&f);
    wire = phone_wire_new(&f.phone, false, false);
    if (greeted) {
        add("CNXN", 0x01000001, 1 << 20, "host::", 6);
        CHECK_EQ(send(1000), TAC_OK);
        CHECK_STR(answers(), "CNXN");
    }
}

static void stop(void)
{
    phone_wire_free(wire);
    fuzz_phone_close(&f);
    tac_str_free(&in);
    tac_str_free(&out);
}

static void open_stream(uint32_t id, const char *service)
{
    add("OPEN", id, 0, service, strlen(service) + 1);
}

TEST(a_command_is_answered_packet_by_packet)
{
    for (size_t piece = 1; piece <= 64; piece *= 4) {
        start(true);
        open_stream(7, "shell,v2,raw:echo hello; exit 3");
        CHECK_EQ(send(piece), TAC_OK);
        size_t at = 0;
        packet p;
        REQUIRE(next(&at, &p));
        CHECK_STR(p.command, "OKAY");
        uint32_t local = p.a;
        CHECK_EQ(p.b, 7);
        REQUIRE(next(&at, &p));
        CHECK_STR(p.command, "WRTE");
        struct adb_packets shell = {.output = &(tac_str){0}, .most = 1000};
        CHECK_EQ(adb_packets_feed(&shell, "test", p.data, p.size, &err), TAC_OK);
        CHECK_STR(tac_str_text(shell.output), "hello\n");
        CHECK(shell.exited);
        CHECK_EQ(shell.exit_code, 3);
        tac_str_free(shell.output);
        CHECK(!next(&at, &p)); /* the end waits for the OKAY */
        tac_str_clear(&out);
        add("OKAY", 7, local, "", 0);
        CHECK_EQ(send(piece), TAC_OK);
        CHECK_STR(answers(), "CLSE");
        stop();
    }
}

TEST(what_is_out_of_order_is_passed_over)
{
    start(false);
    open_stream(1, "shell:date"); /* before the greeting */
    add("WRTE", 1, 1, "x", 1);
    add("OKAY", 1, 1, "", 0);
    add("CLSE", 1, 1, "", 0);
    add("ABCD", 1, 1, "", 0);
    CHECK_EQ(send(10), TAC_OK);
    CHECK_STR(answers(), "");
    add("CNXN", 0x01000001, 1 << 20, "host::", 6);
    open_stream(0, "shell:date"); /* no stream has the number 0 */
    open_stream(2, "nothing:x");
    open_stream(3, "without colon");
    add("WRTE", 9, 9, "x", 1);
    add("CLSE", 9, 9, "", 0);
    CHECK_EQ(send(10), TAC_OK);
    CHECK_STR(answers(), "CNXN CLSE CLSE");
    open_stream(4, "sync:");
    CHECK_EQ(send(10), TAC_OK);
    CHECK_STR(answers(), "OKAY");
    add("CLSE", 99, 3, "", 0); /* the right stream, another's number */
    add("CLSE", 4, 3, "", 0);
    add("CLSE", 4, 3, "", 0);
    CHECK_EQ(send(10), TAC_OK);
    CHECK_STR(answers(), "CLSE");
    stop();
}

TEST(there_are_sixty_four_streams_and_a_greeting_closes_them)
{
    start(true);
    for (uint32_t i = 1; i <= 65; i++)
        open_stream(i, "sync:");
    CHECK_EQ(send(100), TAC_OK);
    size_t at = 0, opened = 0, refused = 0;
    packet p;
    while (next(&at, &p)) {
        opened += !strcmp(p.command, "OKAY");
        refused += !strcmp(p.command, "CLSE");
    }
    CHECK_EQ(opened, 64);
    CHECK_EQ(refused, 1);
    tac_str_clear(&out);
    add("CNXN", 0x01000001, 1 << 20, "host::", 6);
    open_stream(66, "sync:");
    CHECK_EQ(send(100), TAC_OK);
    CHECK_STR(answers(), "CNXN OKAY");
    stop();
}

static void check_broken(const char *message)
{
    CHECK_EQ(send(7), TAC_E_DEVICE);
    CHECK_STR(err.message, message);
    stop();
}

TEST(whoever_breaks_the_protocol_is_told_how)
{
    start(true);
    add("OPEN", 1, 0, "x", 1);
    in.text[20] ^= 1;
    check_broken("phone: what connected does not speak adb: the command 4e45504f has the inverse "
                 "b1baafb1");
    start(true);
    add("OPEN", 1, 0, "x", 1);
    adb_put_u32((unsigned char *)in.text + 12, (1 << 20) + 1);
    check_broken("phone: a packet of 1048577 bytes; at most 1048576 are taken");
    start(false);
    add("CNXN", 0x01000000, 0, "host::", 6);
    in.text[16] ^= 1;
    check_broken("phone: a packet of 6 bytes whose sum is 562, not 563 as its head says");
    start(true); /* both ends leave the sum out */
    open_stream(1, "shell:echo x");
    adb_put_u32((unsigned char *)in.text + 16, 0);
    CHECK_EQ(send(7), TAC_OK);
    CHECK_STR(answers(), "OKAY WRTE");
    stop();
}

/* --- files --- */

static void request(tac_str *text, const char *id, const char *body)
{
    unsigned char length[4];
    adb_put_u32(length, (uint32_t)strlen(body));
    tac_str_add(text, id);
    tac_str_add_bytes(text, (const char *)length, 4);
    tac_str_add(text, body);
}

/* The answers to requests on a stream of its own. */
static void converse(const tac_str *requests, tac_str *answer)
{
    struct phone_sync sync = {0};
    CHECK(phone_sync_feed(&f.phone, &sync, requests->text, requests->length, answer));
    phone_sync_free(&sync);
}

TEST(files_are_listed_in_both_generations)
{
    start(false);
    tac_str requests = {0}, answer = {0};
    request(&requests, "SEND", "/sdcard/a/one,33188");
    request(&requests, "DATA", "12345");
    tac_str_add_bytes(&requests, "DONE\0\0\0\0", 8);
    request(&requests, "SEND", "/sdcard/a/b/two,33188");
    tac_str_add_bytes(&requests, "DONE\0\0\0\0", 8);
    converse(&requests, &answer);
    CHECK(answer.length == 16 && !memcmp(answer.text, "OKAY\0\0\0\0OKAY", 12));
    tac_str_clear(&requests);
    tac_str_clear(&answer);
    request(&requests, "LIST", "/sdcard/a");
    converse(&requests, &answer);
    /* two entries of 20 bytes and a name, and the end */
    REQUIRE(answer.length == 20 + 3 + 20 + 1 + 20);
    const unsigned char *at = (const unsigned char *)answer.text;
    CHECK(!memcmp(at, "DENT", 4) && !memcmp(at + 20, "one", 3));
    CHECK_EQ(adb_get_u32(at + 4), 0100644);
    CHECK_EQ(adb_get_u32(at + 8), 5);
    CHECK(!memcmp(at + 23, "DENT", 4) && at[43] == 'b');
    CHECK_EQ(adb_get_u32(at + 27), 0040755);
    CHECK(!memcmp(at + 44, "DONE", 4));
    tac_str_clear(&requests);
    tac_str_clear(&answer);
    request(&requests, "LIS2", "/sdcard/a/");
    request(&requests, "STA2", "/sdcard/a/one");
    request(&requests, "STA2", "/none");
    request(&requests, "STAT", "/none");
    converse(&requests, &answer);
    REQUIRE(answer.length == 76 + 3 + 76 + 1 + 76 + 72 + 72 + 16);
    at = (const unsigned char *)answer.text;
    CHECK(!memcmp(at, "DNT2", 4) && !memcmp(at + 76, "one", 3));
    CHECK(!memcmp(at + 156, "DONE", 4));
    CHECK(!memcmp(at + 232, "STA2", 4));
    CHECK_EQ(adb_get_u32(at + 236), 0);
    CHECK_EQ(adb_get_u32(at + 272), 5);
    CHECK_EQ(adb_get_u32(at + 308), 2); /* no such file */
    CHECK_EQ(adb_get_u32(at + 380), 0);
    tac_str_free(&requests);
    tac_str_free(&answer);
    stop();
}

TEST(sync_refuses_in_words)
{
    static const struct {
        const char *id, *body, *why;
    } cases[] = {{"RECV", "/none", "open failed: No such file or directory"},
                 {"ABCD", "x", "unknown command"}};
    start(false);
    for (size_t i = 0; i < 2; i++) {
        tac_str requests = {0}, answer = {0};
        struct phone_sync sync = {0};
        struct adb_file file = {0};
        request(&requests, cases[i].id, cases[i].body);
        phone_sync_feed(&f.phone, &sync, requests.text, requests.length, &answer);
        CHECK_EQ(adb_file_feed(&file, "pull", answer.text, answer.length, &err), TAC_E_DEVICE);
        char wanted[100];
        snprintf(wanted, sizeof wanted, "pull: the device says: %s", cases[i].why);
        CHECK_STR(err.message, wanted);
        phone_sync_free(&sync);
        adb_file_free(&file);
        tac_str_free(&requests);
        tac_str_free(&answer);
    }
    stop();
}

/* --- what the client reads --- */

TEST(answers_of_the_server_and_their_errors)
{
    static const struct {
        const char *bytes, *message; /* NULL: fine */
    } cases[] = {
        {"OKAY0003abc", NULL},
        {"FAIL0003abc", NULL},
        {"HTTP/1.1", "host: what answers is not an adb server (neither OKAY nor FAIL)"},
        {"OKAY00g0", "host: the adb server's answer has no length (four hexadecimal digits)"}};
    for (size_t i = 0; i < 4; i++) {
        struct adb_answer answer = {.text = true};
        tac_status st = TAC_OK;
        for (const char *c = cases[i].bytes; *c && !st; c++)
            st = adb_answer_feed(&answer, "host", c, 1, &err);
        if (cases[i].message) {
            CHECK_EQ(st, TAC_E_DEVICE);
            CHECK_STR(err.message, cases[i].message);
        } else {
            CHECK_EQ(adb_answer_wants(&answer), 0);
            CHECK_STR(tac_str_text(&answer.body), "abc");
            CHECK_EQ(answer.failed, i == 1);
        }
        tac_str_free(&answer.body);
    }
}

TEST(packets_of_the_shell_and_their_caps)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        {"\x05\x01\0\0\0x", 6, "x: the device broke the shell protocol: a packet of kind 5"},
        {"\x03\0\0\0\0", 5, "x: the device broke the shell protocol: an exit code of 0 bytes"},
        {"\x03\x02\0\0\0xx", 7, "x: the device broke the shell protocol: an exit code of 2 bytes"}};
    for (size_t i = 0; i < 3; i++) {
        struct adb_packets packets = {.output = &out, .most = 1 << 20};
        CHECK_EQ(adb_packets_feed(&packets, "x", cases[i].bytes, cases[i].size, &err),
                 TAC_E_DEVICE);
        CHECK_STR(err.message, cases[i].message);
    }
    struct adb_packets packets = {.output = &out, .most = 2 << 20};
    unsigned char head[5] = {1};
    adb_put_u32(head + 1, 3 << 20);
    char *data = calloc(3 << 20, 1);
    CHECK_EQ(adb_packets_feed(&packets, "x", (char *)head, 5, &err), TAC_OK);
    CHECK_EQ(adb_packets_feed(&packets, "x", data, 1 << 20, &err), TAC_OK);
    CHECK_EQ(adb_packets_feed(&packets, "x", data, 2 << 20, &err), TAC_E_LIMIT);
    CHECK_STR(err.message, "x: more than 2 MiB of output");
    free(data);
    tac_str_free(&out);
}

TEST(lists_of_devices_in_both_layouts)
{
    static const char list[] =
        "R58M123                device usb:1-2 product:beyond1 model:SM_G973F device:beyond1 "
        "transport_id:4\n"
        "0123456789ABCDEF       no permissions (user in plugdev group); see "
        "[http://developer.android.com/tools/device.html] usb:1-3 transport_id:5\n"
        "192.168.1.7:5555\toffline\r\n\n";
    struct adb_entry e[4];
    REQUIRE(adb_read_devices(list, strlen(list), e, 4) == 3);
    CHECK_STR(e[0].serial, "R58M123");
    CHECK_STR(e[0].state, "device");
    CHECK_STR(e[0].model, "SM_G973F");
    CHECK_CONTAINS(e[1].state, "no permissions (user in plugdev group); see [http://");
    CHECK_STR(e[2].serial, "192.168.1.7:5555");
    CHECK_STR(e[2].state, "offline");
}
