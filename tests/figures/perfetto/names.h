/* Names of the schema for field numbers. */
#ifndef TAC_TRACE_PERFETTO_NAMES_H
#define TAC_TRACE_PERFETTO_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Of a packet's payload and of an event of ftrace; "f123" for a number without a known name. buffer
 * of 16 bytes or more. */
const char *payload_name(uint32_t number, char *buffer, size_t size);
const char *ftrace_name(uint32_t number, char *buffer, size_t size);

#endif
