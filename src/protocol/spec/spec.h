/* Lifestate rule files: syntax trees of a set of files read together.
 *
 *   specs : (spec | named) (';' specs)?
 *   spec  : SPEC regexp ('|-' | '|+') atom [ALIASES cid=[cid,...], ...]
 *   named : REGEXP Name(v,...) = [ regexp ]
 *   cycle : LIFECYCLE cid,... = [ type name(type,...), ... ]     an addition of ours
 *   regexp: atom | regexp[*] | regexp;regexp | regexp&regexp | regexp|regexp | !atom | (regexp)
 *   atom  : [param =] [CI|CB] [ENTRY|EXIT] [ [param] ] rettype pkg.Cls.method(param : type,...)
 *         | TRUE | FALSE | Name(param,...) | (atom)
 *   param : var | TRUE | FALSE | NULL | int | float | "str" | #
 *
 * Precedence, low to high: ';', then '&' and '|' (equal, left), then '[*]', then '!'. */
#pragma once

#include "base/data/map.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "protocol/recording/recording.h"
#include "tactus/error.h"

/* Larger rules (named expressions put in place) are refused; recursion depth follows from it. */
#define SPEC_MAX_NODES 5000
#define SPEC_MAX_DEPTH 500
#define SPEC_MAX_CALLBACKS 64 /* of one life cycle */
#define SPEC_MAX_FILE ((size_t)64 << 20)

enum node_kind {
    NODE_ATOM,  /* left: index in atoms */
    NODE_TRUE,  /* any one message */
    NODE_FALSE, /* nothing */
    NODE_NAME,  /* left: index in uses */
    NODE_SEQ,
    NODE_AND,
    NODE_OR,
    NODE_NOT, /* left */
    NODE_STAR /* left */
};

/* How many of left and right are nodes. */
static inline unsigned node_operands(enum node_kind kind)
{
    switch (kind) {
    case NODE_ATOM:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NAME:
        return 0;
    case NODE_NOT:
    case NODE_STAR:
        return 1;
    case NODE_SEQ:
    case NODE_AND:
    case NODE_OR:
        return 2;
    }
    return 0;
}

struct spec_node {
    enum node_kind kind;
    uint32_t left, right;
    uint32_t line, column;
};

enum param_kind { PARAM_ANY, PARAM_VARIABLE, PARAM_NULL, PARAM_CONSTANT };

struct spec_param {
    enum param_kind kind;
    uint32_t name; /* variable or constant text, in set.names */
};

struct spec_atom {
    enum direction direction;
    bool has_result; /* "param =" was written */
    struct spec_param result;
    uint32_t return_type, method, types; /* names: "void", "pkg.Cls.m", "int,int" */
    uint32_t first_param, param_count;   /* in set.params; the receiver comes first */
};

/* A use Name(p,...) of a named expression. */
struct spec_use {
    uint32_t name;
    uint32_t first_param, param_count;
};

struct spec_named {
    uint32_t name;
    uint32_t first_param, param_count; /* variables */
    uint32_t body, file, line, column;
    bool replaced; /* a later definition counts */
    bool used;
};

struct spec_alias {
    uint32_t from;
    uint32_t first_to, to_count; /* in set.alias_names */
};

struct spec_rule {
    bool permits;          /* '|+' */
    uint32_t body, target; /* nodes */
    uint32_t file, line, column;
    uint32_t first_alias, alias_count;
};

/* The framework makes these callbacks on every object of these classes, in the order that the rules
 * give them, whether or not the app overrides them. */
struct spec_lifecycle {
    uint32_t first_class, class_count;   /* in set.lifecycle_names */
    uint32_t first_method, method_count; /* in set.lifecycle_methods */
    uint32_t file, line;
};

struct spec_method {
    uint32_t return_type, name, types; /* names: "void", "onAttach", "android.app.Activity" */
};

#define SPEC_HASH_SIZE 65

struct spec_set {
    tac_names names;
    TAC_VEC(char *) files;
    TAC_VEC(struct spec_node) nodes;
    TAC_VEC(struct spec_atom) atoms;
    TAC_VEC(struct spec_param) params;
    TAC_VEC(struct spec_use) uses;
    TAC_VEC(struct spec_named) named;
    TAC_VEC(struct spec_alias) aliases;
    TAC_VEC(uint32_t) alias_names;
    TAC_VEC(struct spec_rule) rules;
    TAC_VEC(struct spec_lifecycle) lifecycles;
    TAC_VEC(uint32_t) lifecycle_names;
    TAC_VEC(struct spec_method) lifecycle_methods;
    char hash[SPEC_HASH_SIZE];   /* SHA-256 over the files' contents in order, in hexadecimal */
    tac_diagnostics diagnostics; /* warnings while reading; errors make loading fail */
    char *left_out; /* the first tokens that belong to no rule, "FILE:LINE: ..."; NULL: none */
};

/* Adds a file, or text under a name, to the set. Problems go to set->diagnostics; the status is
 * other than TAC_OK only when the file cannot be read at all. */
tac_status spec_add_file(struct spec_set *set, const char *path, tac_error *err);
void spec_add_text(struct spec_set *set, const char *name, const char *text, size_t size);
/* After the last file: resolves names. Fails with the first error of the diagnostics. */
tac_status spec_finish(struct spec_set *set, tac_error *err);
/* The file names of a list: one per line, relative to root (NULL: the parent of the list's folder).
 */
tac_status spec_add_list(struct spec_set *set, const char *list, const char *root, tac_error *err);
void spec_free(struct spec_set *set);

/* A rule with its named expressions put in place: nodes and params of its own. A variable that is
 * free in a named expression is shared by its name with the rest of the rule. */
struct spec_inline {
    TAC_VEC(struct spec_node) nodes;
    TAC_VEC(struct spec_atom) atoms;
    TAC_VEC(struct spec_param) params;
    uint32_t body, target;
};
tac_status spec_inline_rule(const struct spec_set *set, const struct spec_rule *rule,
                            struct spec_inline *out, tac_error *err);
void spec_inline_free(struct spec_inline *rule);

/* Does the alias stand for the atom's method, its class or its return type? */
bool spec_alias_touches(const struct spec_set *set, const struct spec_alias *alias,
                        const struct spec_atom *atom);
/* The rule's alias that stands for the name or its class part: the first that does, or TAC_NONE. */
uint32_t spec_alias_of(const struct spec_set *set, const struct spec_rule *rule, uint32_t name);
/* "ret pkg.Cls.m(type,type)"; choice[i] (may be NULL) picks a name for the rule's i-th alias. */
void spec_signature(const struct spec_set *set, const struct spec_atom *atom,
                    const struct spec_rule *rule, const uint32_t *choice, tac_str *out);
/* Text of a rule in the rule files' notation, on one line. */
void spec_rule_text(const struct spec_set *set, const struct spec_rule *rule, tac_str *out);

/* Lint beyond what reading finds; adds warnings to set->diagnostics. */
void spec_lint(struct spec_set *set);
