/* What the files of the recorder share: where its values are kept.
 *
 * Variables are the event, some per member, the probes, what is observed. All but the event and the
 * probes are kept as places: those of the members, then the observables, numbers by their text;
 * typed, target and abandoned stand behind them. */
#pragma once

#include "run/recorder.h"

enum { EVENT, FIRST_PARTY };
enum { ACTIVITY, PLACE, MORE }; /* of a member; MORE: the first that not every run has */
enum { CHOSEN = 3 };

/* recorder_variables.c */
size_t recorder_first_probe(const struct run_recorder *recorder);
size_t recorder_first_observed(const struct run_recorder *recorder);
size_t recorder_place_count(const struct run_recorder *recorder);
bool recorder_is_number(const struct run_recorder *recorder, size_t observed);
/* Of a number that is kept by its text. */
double recorder_number_at(const struct run_recorder *recorder, uint32_t symbol);
/* Which variables each member has besides where it is. */
void recorder_place_parties(struct run_recorder *recorder, const struct run_team *team);
void recorder_declare(struct run_recorder *recorder, const struct recorder_options *options);
/* Neither what is observed nor an action may have the name of what the run itself records. */
tac_status recorder_refuse_taken_names(const struct run_recorder *recorder,
                                       const struct recorder_options *options, tac_error *err);

/* recorder.c: all states so far, from the first on. */
void recorder_start_timeline(const struct run_recorder *recorder, struct timeline *states);
struct record_list recorder_list(const struct run_recorder *recorder);
