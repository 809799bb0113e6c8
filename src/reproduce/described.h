/* The document of `tactus reproduce` and reproduce.json, described; docs/reproduce.md explains it.
 */
#pragma once

#include "base/describe/describe.h"
#include "reproduce/reproduce.h"

DESCRIBED(reproduce, tac_reproduce_result);
