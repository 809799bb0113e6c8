/* The kernel of every small language of the project: tokens, operators and messages.
 *
 * A language is a table (struct syntax_language): how its tokens look, its operators with their
 * powers, and the functions that make its nodes. The kernel reads tokens, climbs by the powers and
 * builds the messages; it never looks into a node. The language reads its statements by itself with
 * syntax_accept, syntax_need and syntax_expression.
 *
 * Tokens point into the text; nothing is allocated but the text of a message. Reading tokens never
 * reports anything: a token that is wrong has the kind SYNTAX_BAD and is reported when something
 * else was expected. After a mistake `failed` is set: nothing more is accepted or reported until
 * syntax_recover. `struct syntax` owns nothing, so a copy of it is a place to go back to. */
#pragma once

#include "base/data/arena.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

enum syntax_kind {
    SYNTAX_END,
    SYNTAX_LINE, /* a line end or ';', where the language has `line_ends` */
    SYNTAX_WORD, /* or a name in the language's name_quote */
    SYNTAX_NUMBER,
    SYNTAX_TEXT, /* in quotes; syntax_text undoes its escapes */
    SYNTAX_MARK,
    SYNTAX_OWN, /* what the language's hook `odd` reads and calls so */
    SYNTAX_BAD
};

struct syntax_token {
    enum syntax_kind kind;
    char quote;       /* of texts and quoted names, else 0: a quoted name is never a keyword */
    bool spaced;      /* a blank or a comment stands before it */
    const char *text; /* inside the text, without quotes */
    size_t length;    /* in bytes */
    double number;    /* SYNTAX_NUMBER */
    uint32_t line, column;
    const char *flaw; /* SYNTAX_BAD: what is wrong, or NULL for a character of no token */
};

enum syntax_place {
    SYNTAX_PREFIX,
    SYNTAX_LEFT,   /* a - b - c is (a - b) - c */
    SYNTAX_RIGHT,  /* a -> b -> c is a -> (b -> c) */
    SYNTAX_SINGLE, /* a < b < c is a mistake */
    SYNTAX_POSTFIX,
    SYNTAX_WHOLE /* a prefix whose operand the hook `taken` reads: what it returns is the node */
};

struct syntax;

/* An operator, by one of its spellings: a mark ("->"), a word, or two words ("not in"). It stands
 * where operators of `power` or less are wanted, and its operands bind at least as strongly. */
struct syntax_operator {
    const char *text; /* NULL ends a table */
    int kind;         /* the language's */
    uint8_t power;    /* from 1: the loosest */
    enum syntax_place place;
    bool (*applies)(const struct syntax *s); /* NULL: always; else asked before it is taken */
};

/* A node is the language's: a pointer or an index. */
typedef union syntax_node {
    void *at;
    size_t index;
} syntax_node;

/* An operator that was met. */
struct syntax_taken {
    const struct syntax_operator *op;
    struct syntax_token at;
    syntax_node left; /* the operand before it */
    syntax_node more; /* what the hook `taken` returned */
};

/* What stands after a backslash in quotes: letters[i] means meant[i]; \uXXXX and \xXX, where
 * `numbered`, the character and the byte of that number. A letter in `refused` is a mistake. Before
 * anything else a backslash is dropped, or kept where `keeps`. */
struct syntax_escapes {
    const char *letters, *meant, *refused;
    bool numbered, keeps;
};
/* \n \t \r, \u202e, \x9b; else the backslash is dropped. */
extern const struct syntax_escapes syntax_numbered_escapes;

enum syntax_number {
    SYNTAX_SIGNED = 1,   /* -5 is one number */
    SYNTAX_EXPONENT = 2, /* 1e-3 */
    SYNTAX_POINT = 4     /* .5 */
};

struct syntax_language {
    /* --- tokens --- */
    const char *blanks;     /* NULL: " \t\r\n" */
    const char *line_ends;  /* of "\n;": those that end a line as a token; NULL: none */
    const char *comment;    /* up to the end of the line: "# //"; NULL: none */
    bool block_comments;    /* C's */
    const char *word_start; /* besides ASCII letters and '_' */
    const char *word_part;  /* besides those and digits */
    bool inner_dots;        /* a dot belongs to a word when a letter follows */
    bool foreign_letters;   /* bytes above 0x7f are letters */
    unsigned numbers;       /* of enum syntax_number */
    const char *quotes;     /* that texts have */
    char name_quote;        /* that names may have, or 0 */
    bool long_texts;        /* texts may go over line ends */
    bool hidden_texts;      /* texts may hold hidden characters, and bytes that are not UTF-8 */
    bool hidden_names;      /* so may names */
    const struct syntax_escapes *escapes; /* NULL: a backslash is itself */
    const char *marks;    /* besides those of the operators, with blanks between: "( ) [ ]" */
    bool byte_order_mark; /* may stand at the beginning */
    /* Asked at every token first: how many bytes it reads from `at`, 0 for none. It sets the kind,
     * which is SYNTAX_OWN, and may set text and length, which are all it read. */
    size_t (*odd)(const struct syntax *s, struct syntax_token *token, const char *at,
                  const char *end);
    /* --- expressions --- */
    const struct syntax_operator *operators;
    syntax_node (*primary)(struct syntax *s); /* what stands between operators */
    /* An operator with its operands: of prefixes and postfixes `right` is zero. */
    syntax_node (*combine)(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right);
    /* Called after an operator is taken, before its (right) operand; NULL: nothing follows it. */
    syntax_node (*taken)(struct syntax *s, const struct syntax_taken *op);
    unsigned most_depth; /* of brackets, prefixes and operators that lean to the right */
    size_t most_nodes;   /* that syntax_count_node counts since syntax_open or syntax_recover */
    const char *advice;  /* when it is too much: "name parts with 'let'"; NULL: none */
    /* --- messages --- */
    const char *end; /* NULL: "the end of the file" */
    /* Words that begin a statement, NULL at the end: syntax_recover goes on there. NULL: a
     * statement is a line. */
    const char *const *statements;
    /* Where messages go in place of diagnostics and err. */
    void (*report)(struct syntax *s, uint32_t line, uint32_t column, const char *message);
};

struct syntax {
    const struct syntax_language *language;
    void *context;    /* the language's */
    const char *file; /* for messages */
    /* Set one: the first gets every mistake, the second one, with `status`. */
    tac_diagnostics *diagnostics;
    tac_error *err;
    tac_status status;
    bool failed;
    uint32_t failed_line;
    struct syntax_token token, ahead;
    const char *last_end;    /* where the last token that was taken ended */
    const char *operand_end; /* the token after the last expression */
    unsigned depth;
    size_t nodes;
    const char *at, *end, *line_start; /* line_start: of the first line, the text's beginning */
    uint32_t line, first_column;       /* first_column: of line_start */
};

/* Reads the first two tokens. The other fields of s are set before or after. line and column are
 * those of the text's first character, from 1; the text stays while s is used. */
void syntax_open(struct syntax *s, const struct syntax_language *language, const char *text,
                 size_t size, uint32_t line, uint32_t column);
void syntax_advance(struct syntax *s);
/* The text is read again from `to` on, which is in or after the line of `from`. */
void syntax_go_on(struct syntax *s, const struct syntax_token *from, const char *to);
/* A mark or a word without quotes that is spelt so. */
bool syntax_token_is(const struct syntax_token *token, const char *word);
bool syntax_is(const struct syntax *s, const char *word); /* the present one, unless failed */
bool syntax_accept(struct syntax *s, const char *word);
/* what: NULL for the word in quotes */
bool syntax_need(struct syntax *s, const char *word, const char *what);
/* At the end of the text, or of the line where lines matter. */
bool syntax_at_end(const struct syntax *s);

/* For the hook `odd`: the bytes of the word at `at`, 0 for none, where `extra` belong to it too. */
size_t syntax_word_length(const struct syntax *s, const char *at, const char *extra);

/* The text of a token with its escapes undone; in the arena. A wrong escape is reported. */
const char *syntax_text(struct syntax *s, const struct syntax_token *token, tac_arena *arena);

/* An expression whose operators have this power or more; 0: any. Zero after a mistake. */
syntax_node syntax_expression(struct syntax *s, unsigned power);
/* For the language's function that adds a node: false, and reported, when that is one too many. */
bool syntax_count_node(struct syntax *s);

/* --- messages: the first counts, the rest is not said --- */
void syntax_fail(struct syntax *s, const struct syntax_token *at, const char *format, ...)
    TAC_PRINTF(3, 4);
void syntax_fail_at(struct syntax *s, uint32_t line, uint32_t column, const char *format, ...)
    TAC_PRINTF(4, 5);
/* "expected WHAT, found 'adn'; did you mean 'and'?": at the present token, with the operator that
 * was meant where an expression has just ended. */
void syntax_expected(struct syntax *s, const char *what);
/* The same with the nearest of these words. what: NULL for the words themselves. */
void syntax_expected_one_of(struct syntax *s, const char *what, const char *const *words,
                            size_t count);
/* Goes on after a mistake: at the end of the line, or at the next statement; `fresh_line`: one in a
 * later line than the mistake. */
void syntax_recover(struct syntax *s, bool fresh_line);
bool syntax_at_statement(const struct syntax *s);
/* For `report` of a text that stands in a line of something else: the place as its n-th byte. */
size_t syntax_character(const char *text, uint32_t line, uint32_t column);
