/* The compiler of what runs for a moment, in a shell's words: SPIN's verifiers are 20,000 lines,
 * which TinyCC compiles in a twentieth of the time of others. */
#ifndef TACTUS_QUICK_CC_H
#define TACTUS_QUICK_CC_H

#define QUICK_CC "$(command -v tcc || echo cc -O0)"

#endif
