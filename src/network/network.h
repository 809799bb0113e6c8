/* Networks for real programs: scenarios (rate, delay, loss over time), and a link that gives a
 * program a network of its own which behaves so.
 *
 * The program's processes run in a network namespace whose only way out is the link. Every packet
 * passes through it: it waits in a queue, takes the time that the rate asks for, is delayed, and
 * may be lost; lost ones are sent again by the ends' own TCP. What cannot be made (no rights, no
 * TUN device) is TAC_E_MISSING with the remedy, and nothing is left behind. */
#pragma once

#include "tactus/error.h"
#include "tactus/watch.h"

/* The built-in scenarios' names, ends with NULL. */
const char *const *tac_scenario_names(void);

/* A recorded network as a scenario file. */
typedef struct tac_scenario_import {
    const char *name;    /* of the scenario; NULL = the file's */
    const char *columns; /* "down=NAME,up=NAME,delay=NAME,loss=NAME,time=NAME,name=NAME" where the
                            names are not the usual ones; NULL */
    double delay, loss;  /* where the file has none: seconds one way, share of packets */
} tac_scenario_import;
typedef struct tac_scenario_imported {
    char *text;  /* the scenario file; the caller's */
    char *notes; /* what was assumed or left out, lines; the caller's */
    size_t rows, segments, skipped;
    double length, mean_down, mean_up; /* seconds, bits per second */
} tac_scenario_imported;
/* CSV with a header and a row per moment: time and rate, and delay and loss where it has them.
 * TAC_E_INPUT names the line. */
tac_status tac_scenario_import_csv(const char *file, const tac_scenario_import *options,
                                   tac_scenario_imported *out, tac_error *err);
void tac_scenario_imported_free(tac_scenario_imported *imported);

/* What the link has carried one way since it began. */
typedef struct tac_network_count {
    uint64_t packets, bytes;                 /* that the sender's interface sent */
    uint64_t lost_packets, lost_bytes;       /* of these, lost on the way */
    uint64_t queue_packets, queue_bytes;     /* of these, dropped because the queue was full */
    uint64_t arrived_packets, arrived_bytes; /* at the receiver's interface */
} tac_network_count;

/* The network of a moment. */
typedef struct tac_network_state {
    const char *segment;    /* borrowed until the scenario changes */
    double down, up;        /* bits per second */
    double delay, up_delay; /* seconds one way, without jitter */
    double loss, up_loss;   /* share of packets */
    double since;           /* seconds since the scenario began */
    tac_network_count down_count, up_count;
} tac_network_state;

typedef struct tac_network tac_network;
/* Makes the namespace and starts the link. It lives until it is freed or this process ends. */
tac_status tac_network_open(const char *scenario, uint64_t seed, tac_network **out, tac_error *err);
void tac_network_free(tac_network *network); /* NULL is fine */
/* Another scenario, or (NULL) the same; its time begins at 0 and its losses with the seed. */
tac_status tac_network_begin(tac_network *network, const char *scenario, uint64_t seed,
                             tac_error *err);
/* TAC_E_DEVICE when the link has ended. */
tac_status tac_network_look(tac_network *network, tac_network_state *out, tac_error *err);
/* For a child between fork and exec: from now on this process lives in the network. False when it
 * could not enter; errno says why. */
bool tac_network_enter(const tac_network *network);
/* A TCP socket of the namespace, for talking with what runs there without using the link; -1 and
 * errno when it cannot be had. */
int tac_network_socket(const tac_network *network);
/* Runs a program (found on PATH) in the network until it ends or the watch stops it, and then ends
 * whatever it has left running there. *code is its exit code, 128 + N after signal N. */
tac_status tac_network_run(tac_network *network, const char *const argv[], tac_watch *watch,
                           int *code, tac_error *err);
/* Where programs in the network reach this host's loopback. */
#define TAC_NETWORK_HOST "198.18.77.1"
