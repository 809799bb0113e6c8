/* The document of `tactus reproduce` and reproduce.json, described; docs/reproduce.md explains it.
 */
#ifndef TAC_REPRODUCE_DESCRIBED_H
#define TAC_REPRODUCE_DESCRIBED_H

#include "base/describe/describe.h"
#include "tactus/reproduce.h"

DESCRIBED(reproduce, tac_reproduce_result);

#endif
