/* What the agent writes and the program that started it reads: one file in shared memory, so that
 * everything that was told survives whatever happens to the virtual machine.
 *
 *   header (one page) | chunk | chunk | ...
 *
 * A chunk belongs to one thread at a time, which appends records to it and then publishes their
 * length (release); a reader takes what is published (acquire). No lock is taken between threads;
 * `sequence` orders the records of all. Records are 8-aligned and never cross chunks. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define RAW_MAGIC "TACJVM1"
enum { RAW_HEADER = 4096, RAW_CHUNK = 65536, RAW_MAX_TEXT = 32768 };
#define RAW_MAX_CHUNKS 131072u /* 8 GiB */

enum raw_kind {
    RAW_MESSAGE = 1, /* text: a message of a recording as a JSON object */
    RAW_ENTER,       /* of the method `probe` */
    RAW_LEAVE,
    RAW_METHOD,  /* text: the name of the method `probe` */
    RAW_UNSEEN,  /* text: what cannot be seen */
    RAW_FAILURE, /* text: {"type", "message", "stack"} of an exception that nobody caught */
    RAW_NOTE,    /* text */
    /* What is told often is told in short; what the numbers mean was told before. */
    RAW_HEAD,   /* text: the part of a message that says which method, of the type `probe` */
    RAW_TYPE,   /* text: the part of a value that says the class, of the class `probe` */
    RAW_PLACE,  /* text: the part of a message that says who calls, of the probe `probe` */
    RAW_CALLIN, /* struct raw_callin and its values, receiver first: a call made by `probe` */
    RAW_RETURN  /* of the innermost call-in of the thread: its result, or nothing */
};

enum raw_value_kind { RAW_NULL = 1, RAW_INTEGER, RAW_REAL, RAW_TEXT, RAW_OBJECT };
struct raw_value_head {
    uint32_t kind;
    uint32_t more; /* of an object: its class; of a text: the bytes that follow, padded to 8 */
    union {
        int64_t integer; /* or the object's number */
        double real;
    };
};
struct raw_callin {
    uint32_t type, count;
};

struct raw_record {
    uint32_t size; /* of all of it, a multiple of 8 */
    uint16_t kind;
    uint16_t ui; /* 1 on AWT's event thread */
    uint64_t sequence;
    uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
    uint32_t thread, probe;
    uint32_t text_size, unused;
    char text[];
};

struct raw_header {
    char magic[8];
    _Atomic uint32_t attached; /* the agent is in a virtual machine: its process */
    _Atomic uint32_t chunks;
    _Atomic uint64_t sequence;
    _Atomic uint64_t lost; /* records without room */
    _Atomic uint32_t classes, rewritten, methods, calls, left_alone;
    _Atomic uint32_t ended;             /* the virtual machine ended in order */
    _Atomic uint32_t awt;               /* AWT's event thread was seen */
    uint64_t real_time, monotonic_time; /* the same moment by both clocks */
};

struct raw_chunk {
    _Atomic uint32_t used; /* bytes of records that are whole */
    uint32_t unused;
    char bytes[RAW_CHUNK - 8];
};
