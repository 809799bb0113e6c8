/* Covering requirements; see requirements.c. */
#pragma once

#include "flow/cover/cover.h"

/* Fills the storage's pool with flows and the requirements each meets; *engine is a new engine in
 * which the requirements only watch. */
tac_status cover_requirements(struct tac_flow_engine *engine, struct items *items,
                              struct pool *pool, struct tac_flow_engine **watching, tac_error *err);
