/* The forms of frames that have a file of their own. Each takes one trimmed line; true: it is a
 * frame, its name is in `hold`. */
#pragma once

#include "mining/crash/crash.h"

/* native_frame.c: "#00 pc 1a2b libfoo.so (symbol+12)", "#0 0x1a in symbol file.c:3"; Dart's
 * machine, "pc 0x1 fp 0x2 symbol()"; minidumps, "1  libfoo.so!symbol [file.c : 3 + 0x5]". */
bool native_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
bool vm_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
bool stackwalk_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
/* apple_frame.c: "1   App   0x0001 -[Class method:] + 12". */
bool apple_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
/* script_frame.c: "#0  Class.method (package:app/file.dart:1:2)",
 * "package:app/file.dart 1:2  Class.method", "File "a.py", line 1, in f",
 * "Class.Method () (at Assets/Class.cs:1)". */
bool dart_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
bool terse_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
bool python_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);
bool unity_frame(const char *line, size_t length, struct stack_frame *frame, tac_str *hold);

/* Whether an image is one of Apple's systems, by its name. */
bool is_apple_image(const char *name, size_t length);
/* Symbols of libraries that are linked into the app's own: the C++ runtime, crash handlers. */
bool is_library_symbol(const char *symbol, const char *end);
const char *skip_blanks(const char *at, const char *end);
/* Behind "0x1f2e" or, without the 0x, behind the digits; at itself when there is no number. */
const char *skip_hex(const char *at, const char *end);
/* The number behind the last colon, 0 when there is none. */
uint32_t frame_line_number(const char *place, const char *end);
/* "/app.js:12:5" of "at f (https://host/app.js:12:5)" and "f@https://host/app.js:12:5"; NULL when
 * the line does not say so. */
const char *script_place(const char *line, size_t length, tac_arena *arena);
