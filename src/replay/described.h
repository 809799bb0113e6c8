/* The documents of recordings, replays and hunts, described. */
#pragma once

#include "base/describe/describe.h"
#include "replay/hunt.h"

struct replay_records {
    const tac_record_facts *facts;
    size_t count;
};
DESCRIBED(replay_records, struct replay_records);
DESCRIBED(replay, tac_replay);
DESCRIBED(hunt, tac_hunt);
