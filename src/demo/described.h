/* The document of `tactus demo`, described. */
#ifndef TAC_DEMO_DESCRIBED_H
#define TAC_DEMO_DESCRIBED_H

#include "base/describe/describe.h"
#include "tactus/demo.h"

DESCRIBED(demo_story, tac_demo_story);

#endif
