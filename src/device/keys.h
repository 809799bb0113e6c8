/* Names of keys. Which there are depends on the device: browsers know characters, Enter and its
 * like, with modifiers before them (web_keys.c); phones know these without modifiers, and Android's
 * own names, with or without KEYCODE_, and numbers (android_keys.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool web_key_exists(const char *name); /* "a", "Enter", "Control+Shift+ArrowLeft" */
/* The code point of a key, NULL when there is none of that name; a single character is itself. */
const char *web_key_code(const char *name);
/* The code of the modifier before the first '+', which is passed over; NULL: none stands there. */
const char *web_chord_modifier(const char **name);

/* Whether any device knows it. */
bool device_key_exists(const char *name);
/* The name that was probably meant, "" when none is close; returns out. */
const char *device_key_closest(const char *name, char *out, size_t size);

/* All names; static. */
const char *const *web_key_names(size_t *count);
const char *const *web_modifier_names(size_t *count);
