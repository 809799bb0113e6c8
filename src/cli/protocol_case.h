/* What the cases of protocol rules are made of, whether predicted or replayed: methods, places of
 * rules, steps, commands to be pasted. Texts that are returned are the list's. */
#pragma once

#include "base/data/str.h"
#include "cli/pipeline.h"
#include "tactus/protocol_result.h"

/* "android.os.AsyncTask.execute" of "[CI] [ENTRY] [t] T android.os.AsyncTask.execute(...)". */
const char *case_method(struct pipeline *to, const char *message);
/* "FILE:LINE" as a place of the entry added last. */
void case_place_rule(struct pipeline *to, const char *rule);
/* The name of the rule's file, without its line, which changes with every edit. */
const char *case_rule_file(struct pipeline *to, const char *rule);
/* A line for an event, numbered from 1. */
void case_add_step(tac_str *out, size_t number, const char *event);
/* The rule that disallows what the witness ends in; "" where none does. */
const char *case_rule(const tac_protocol_witness *witness);
/* An option with its quoted value, or the value alone where the option is ""; nothing for NULL. */
void case_add_word(tac_str *out, const char *option, const char *value);
/* The rule of the method's cases. */
void case_declare(struct pipeline *to, const char *id, const char *method);
