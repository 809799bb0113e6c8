/* What every public header stands in: C linkage for C++ programs, and the mark of what the shared
 * library exports. Nothing but what these headers declare is visible outside the library. */
#ifndef TACTUS_API_H
#define TACTUS_API_H

#if defined(__cplusplus)
#define TAC_LINKAGE_BEGIN extern "C" {
#define TAC_LINKAGE_END }
#else
#define TAC_LINKAGE_BEGIN
#define TAC_LINKAGE_END
#endif

#if defined(__GNUC__)
#define TAC_BEGIN_DECLARATIONS TAC_LINKAGE_BEGIN _Pragma("GCC visibility push(default)")
#define TAC_END_DECLARATIONS _Pragma("GCC visibility pop") TAC_LINKAGE_END
#else
#define TAC_BEGIN_DECLARATIONS TAC_LINKAGE_BEGIN
#define TAC_END_DECLARATIONS TAC_LINKAGE_END
#endif

#endif
