/* The document of `tactus demo`, described. */
#pragma once

#include "base/describe/describe.h"
#include "demo/demo.h"

DESCRIBED(demo_story, tac_demo_story);
