/* Keys of Android by their names and numbers, and what browsers call them. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is pressed: a character (`character` is the text, code that of its key, or 0 where no key
 * has it), or a key without one (`character` NULL). */
struct android_key {
    const char *character; /* borrowed from the name that was asked for */
    uint32_t code;
};

/* One character is that character ("5" too); a browser's name ("Enter", "ArrowLeft"); Android's
 * name, with or without KEYCODE_; Android's number, of two digits or more. TAC_E_INPUT: there is no
 * such key. TAC_E_USAGE: there is, but a phone cannot press it (modifiers). */
tac_status android_key_read(const char *name, struct android_key *out, tac_error *err);
bool android_key_exists(const char *name); /* it can be read */
/* Android's name without KEYCODE_; NULL where the number has none. */
const char *android_key_name(uint32_t code);
/* The number of Android's name, with or without KEYCODE_; 0 when there is none. */
uint32_t android_key_code(const char *name);
const char *const *android_key_names(size_t *count); /* all of Android's; static */
