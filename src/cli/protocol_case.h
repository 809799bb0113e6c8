/* What the cases of protocol rules are made of, whether predicted or replayed: methods, places of
 * rules, steps, commands to be pasted. Texts that are returned as char * are the caller's. */
#ifndef TAC_CLI_PROTOCOL_CASE_H
#define TAC_CLI_PROTOCOL_CASE_H

#include "base/data/str.h"
#include "cli/pipeline.h"

/* "" where there is none; the object's. */
const char *case_text(const json_t *object, const char *key);
/* "android.os.AsyncTask.execute" of "[CI] [ENTRY] [t] T android.os.AsyncTask.execute(...)". */
char *case_method(const char *message);
/* "FILE:LINE" as a place of the entry added last. */
void case_place_rule(struct pipeline *to, const char *rule);
/* The name of the rule's file, without its line, which changes with every edit. */
char *case_rule_file(const char *rule);
/* A numbered line per event. */
void case_add_steps(tac_str *out, const json_t *steps);
/* An option with its quoted value, or the value alone where the option is ""; nothing for NULL. */
void case_add_word(tac_str *out, const char *option, const char *value);
/* The rule of the method's cases. */
void case_declare(struct pipeline *to, const char *id, const char *method);

#endif
