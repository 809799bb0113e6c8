/* What comes from the adb server and from a device, as readers of bytes: each takes its input in
 * any pieces, knows when it is complete, and does no input or output itself. */
#pragma once

#include "base/data/str.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

uint32_t adb_get_u32(const unsigned char *at);
void adb_put_u32(unsigned char *at, uint32_t value);

/* --- answer.c: an answer of the server --- */
struct adb_answer {
    bool text;   /* set by the caller: an OKAY is followed by a text */
    bool failed; /* FAIL; body says why */
    tac_str body;
    /* while it is being read */
    int part;
    char head[4];
    size_t have, left;
};
size_t adb_answer_wants(const struct adb_answer *answer); /* bytes of the next part; 0 = complete */
tac_status adb_answer_feed(struct adb_answer *answer, const char *step, const char *bytes,
                           size_t size, tac_error *err);

/* One device of "host:devices" ("SERIAL<TAB>STATE") or "host:devices-l" (columns). */
struct adb_entry {
    char serial[128], state[160], model[64]; /* model "" when it is not said */
};
size_t adb_read_devices(const char *text, size_t size, struct adb_entry *out, size_t most);

/* --- packets.c: shell v2 --- */
enum { ADB_MOST_OUTPUT = 64 << 20 };
struct adb_packets {
    tac_str *output; /* standard output and standard error; NULL = throw away */
    size_t most;     /* bytes in *output */
    bool exited;     /* the last packet has come */
    int exit_code;
    unsigned char head[5];
    size_t have;
    uint32_t left;
};
/* TAC_E_LIMIT: more than `most` bytes of output. */
tac_status adb_packets_feed(struct adb_packets *packets, const char *step, const char *bytes,
                            size_t size, tac_error *err);

/* --- file.c: the answers of the sync service to one SEND or RECV --- */
enum { ADB_MOST_CHUNK = 64 * 1024, ADB_MOST_REASON = 4096 };
struct adb_file {
    tac_str data; /* what DATA carried; the caller takes it away */
    bool done;    /* OKAY (of a SEND) or DONE (of a RECV) */
    tac_str reason;
    unsigned char head[8];
    size_t have;
    uint32_t left;
    bool failing;
};
/* FAIL becomes an error with the device's words. */
tac_status adb_file_feed(struct adb_file *file, const char *step, const char *bytes, size_t size,
                         tac_error *err);
void adb_file_free(struct adb_file *file);
