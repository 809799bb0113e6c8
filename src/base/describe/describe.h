/* One description per result: a table of fields from which documents, their schema, tables and the
 * bytes between processes are made. What a table does not name exists in none of them.
 *
 * An example. The struct, and what it holds:
 *
 *     typedef struct margin { const char *text; double value; bool on_bound; } margin;
 *     struct finding {
 *         char *name;
 *         tac_answer answer;
 *         bool has_worst;
 *         double worst;
 *         int64_t when;
 *         margin *margins;
 *         size_t margin_count;
 *     };
 *
 * Its description, in the order of the document's keys:
 *
 *     static const struct field margin_fields[] = {
 *         FIELD(margin, text, .key = "expression"),
 *         FIELD(margin, value, .unit = "kB"),
 *         FIELD(margin, on_bound, .about = "equal up to rounding")};
 *     static DESCRIBE(margin, margin);
 *     static const struct field finding_fields[] = {
 *         FIELD(struct finding, name),
 *         FIELD_ENUM(struct finding, answer, tac_answer_words),
 *         FIELD(struct finding, worst, .known = IF(struct finding, has_worst)),
 *         FIELD_SECONDS(struct finding, when, .only = IF(struct finding, has_worst)),
 *         FIELD_LIST(struct finding, margins, margin_count, margin_described),
 *         HIDDEN(struct finding, has_worst)};
 *     DESCRIBE(finding, struct finding);
 *
 * and its uses:
 *
 *     json_t *document = describe_json(&finding_described, &finding);
 *     {"name":"x","answer":"true","worst":null,"margins":[{"expression":...}]}
 *
 *     describe_pack(&finding_described, &finding, &bytes);
 *     status = describe_unpack(&finding_described, bytes.text, bytes.length, &arena, &copy, err);
 *
 * A table of another file is announced by DESCRIBED(margin, margin), and its name begins
 * with its module's; one that only its file uses is `static DESCRIBE(...)`. A member of another
 * type than the macro's does not compile, nor does a list whose elements are not what its table
 * describes.
 *
 * Fields. All take (type, member, options...):
 *   FIELD           what the member's type says: a text (char *, const char *, char[N]; NULL is
 *                   "", or null with .maybe), an integer, a bool, a double (NaN and infinities are
 *                   null), a json_t * (borrowed; NULL is null; not packed); FIELDS(type, member...)
 *                   several without options, HIDDEN several that are .hidden
 *   FIELD_TEXT      only a text; FIELD_NOT a bool, shown reversed; of an enum FIELD is a number
 *   FIELD_SECONDS   int64_t of nanoseconds, shown in seconds
 *   FIELD_ENUM      enum or bool, with an array of words by value (a NULL word: null)
 *   FIELD_BIG       mpz_t, a decimal text; beyond .digits "m*2^k"; not packed
 *   FIELD_STRUCT    a struct inside, with its table; FIELD_POINTER a pointer to one, NULL is null
 *   FIELD_GROUP     (type, key, table of the same type): an object of members of this struct
 *   FIELD_LIST      (type, member, count member, table); FIELD_ARRAY (type, member, table) T[N]
 *   FIELD_TEXTS     (type, member, count member) char **; FIELD_INTEGERS, FIELD_NUMBERS likewise
 *   FIELD_NAME      (type, member, name): an index, shown as the text that
 *                   `const char *name(uint64_t index, struct field_value *with)` gives for it
 *                   (with: .context and .arena; NULL is null, with .maybe); FIELD_NAMES (type,
 *                   member, count member, name) a list of them
 *   FIELD_PICKS     (type, member, count member, pick, table): a list of indices, shown as the
 *                   structs that `const void *pick(uint64_t index, const struct field_value *with)`
 *                   finds; not packed
 *   FIELD_WORD      (key, "text") and FIELD_CONSTANT (key, 2): always the same
 * Members of members are fine: FIELD(tac_witness, interval.from) has the key "from".
 *
 * Options:
 *   .key      the name in documents where it is not the member's
 *   .hidden   not shown, only packed
 *   .only     left out unless: IF(type, member) is not 0, NULL or false; IF_NOT; IF_IS(type,
 *             member, value); IF_OTHER than a value
 *   .known    likewise, but null instead of left out
 *   .omit     left out when "", 0, false, NaN, NULL or without elements
 *   .unknown  of a text: what stands for null
 *   .each     of a list: only the elements of which that holds
 *   .with     what names and getters inside have as context: IF(type, member), a pointer
 *   .inside   likewise, but this struct
 *   .needed   describe_load fails without it
 *   .more     of a list: elements beyond the count member; not packed
 *   .splice   of STRUCT and POINTER: its fields stand here, not in an object of their own
 *   .unit, .about   for the schema
 *
 * A list whose elements' table is .keyed is an object: the table's first field, a text, is the key.
 * With .form = DESCRIBE_TUPLE an element is an array of its values, with DESCRIBE_VALUE the value
 * of its only field: DESCRIBE(x, type, .keyed = true, .form = DESCRIBE_VALUE).
 *
 * What is no member is computed: FIELD_GET_TEXT(key, get), _INTEGER, _NUMBER, _BOOL, _JSON,
 * _POINTER(key, get, table), _LIST(key, get, table), _TEXTS. `get` fills a struct field_value
 * (text, integer, number, yes, at, json; count of a list) from the struct and the context that
 * describe_json_with was given; memory for it comes from its arena. Where the field has the option
 * .omit, .absent leaves it out; with .maybe, .null makes it null. A computed JSON value is given
 * away, and .of may name the table that it follows. A list whose elements have
 * another shape than their document is a computed list of structs that have it.
 *
 * The same key may stand twice where .only excludes one of the two. A packed table describes every
 * member of its struct (tests/check_described.py), and is versioned by its own hash. */
#pragma once

#include "base/data/arena.h"
#include "base/data/str.h"
#include "base/io/json.h"
#include "base/verdict.h"
#include <gmp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum field_kind {
    FIELD_KIND_TEXT,
    FIELD_KIND_UNSIGNED,
    FIELD_KIND_SIGNED,
    FIELD_KIND_BOOL,
    FIELD_KIND_NUMBER,
    FIELD_KIND_SECONDS,
    FIELD_KIND_ENUM,
    FIELD_KIND_BIG,
    FIELD_KIND_JSON,
    FIELD_KIND_STRUCT,
    FIELD_KIND_LIST,
    FIELD_KIND_CONSTANT /* a word, or a number where there is none */
};

/* What a computed field is; see above. */
struct field_value {
    const void *context; /* of describe_json_with */
    tac_arena *arena;    /* lives as long as the document is made */
    bool absent, null;
    union {
        const char *text;
        int64_t integer;
        double number;
        bool yes;
        json_t *json;
        const void *at;
    };
    size_t count;
};

struct field_if {
    uint32_t at, size; /* size 0: always */
    bool other, compares;
    int64_t value;
};

struct field {
    const char *member; /* NULL: computed, or constant */
    enum field_kind kind;
    bool pointed;                  /* the member is a pointer to it */
    uint32_t at, size;             /* of the member */
    uint32_t count_at, count_size; /* of a list's count; count_size 0: count_at is the count */
    const struct describe *of;     /* what a STRUCT or the elements of a LIST are */
    const char *const *words;
    size_t word_count;
    void (*get)(const void *value, struct field_value *out);
    const char *(*name)(uint64_t index, struct field_value *with);
    const void *(*pick)(uint64_t index, const struct field_value *with);
    int64_t constant;
    size_t digits, more;
    const char *key, *unit, *about, *unknown;
    struct field_if only, known, each, with;
    bool hidden, omit, maybe, splice, reversed, inside, needed;
};

enum describe_form { DESCRIBE_OBJECT, DESCRIBE_TUPLE, DESCRIBE_VALUE };

struct describe {
    const char *name; /* "property_witness" */
    size_t size;      /* of the struct */
    const struct field *fields;
    size_t count;
    enum describe_form form;
    bool keyed;
    const char *about;
};

#define DESCRIBE(what, type, ...)                                                                  \
    const struct describe what##_described = {.name = #what,                                       \
                                              .size = sizeof(type),                                \
                                              .fields = what##_fields,                             \
                                              .count =                                             \
                                                  sizeof what##_fields / sizeof *what##_fields,    \
                                              __VA_ARGS__};                                        \
    typedef type what##_described_type
#define DESCRIBED(what, type)                                                                      \
    extern const struct describe what##_described;                                                 \
    typedef type what##_described_type

/* --- How the macros check: _Generic has no branch for a member of another type --- */

/* clang-format off */
#define MEMBER_(type, member) (&((type *)0)->member)
#define FIELD_(type, name_, kind_, check, ...) { .member = #name_, .kind = (kind_),                \
    .at = offsetof(type, name_) + 0 * sizeof(check), .size = sizeof(((type *)0)->name_), __VA_ARGS__ }
#define INTEGER_KINDS_                                                                             \
    unsigned char *: FIELD_KIND_UNSIGNED, unsigned short *: FIELD_KIND_UNSIGNED,                   \
    unsigned *: FIELD_KIND_UNSIGNED, unsigned long *: FIELD_KIND_UNSIGNED,                         \
    unsigned long long *: FIELD_KIND_UNSIGNED, signed char *: FIELD_KIND_SIGNED,                   \
    short *: FIELD_KIND_SIGNED, int *: FIELD_KIND_SIGNED, long *: FIELD_KIND_SIGNED,               \
    long long *: FIELD_KIND_SIGNED
#define INTEGER_KIND_(pointer) _Generic((pointer), INTEGER_KINDS_)
#define IS_(pointer, wanted) _Generic((pointer), wanted *: 1)
#define POINTS_TO_(pointer, wanted) _Generic((pointer), wanted **: 1, const wanted **: 1)
#define COUNTED_(type, member)                                                                     \
    .count_at = offsetof(type, member) + 0 * sizeof(INTEGER_KIND_(MEMBER_(type, member))),         \
    .count_size = sizeof(((type *)0)->member)
#define PLAIN_KIND_(type, name) _Generic(MEMBER_(type, name), char **: FIELD_KIND_TEXT,            \
    const char **: FIELD_KIND_TEXT, char (*)[sizeof(((type *)0)->name)]: FIELD_KIND_TEXT,          \
    json_t **: FIELD_KIND_JSON, const json_t **: FIELD_KIND_JSON, bool *: FIELD_KIND_BOOL,         \
    double *: FIELD_KIND_NUMBER, INTEGER_KINDS_)
#define IS_POINTER_(type, name) _Generic(MEMBER_(type, name), char **: 1, const char **: 1,        \
    json_t **: 1, const json_t **: 1, default: 0)
#define IS_TEXT_(type, name) _Generic(MEMBER_(type, name), char **: 1, const char **: 1,           \
    char (*)[sizeof(((type *)0)->name)]: 1)
#define IS_TEXTS_(list)                                                                            \
    _Generic((list), char **: 1, const char **: 1, char *const *: 1, const char *const *: 1)
#define IS_INDICES_(list) _Generic((list), uint32_t *: 1, const uint32_t *: 1)
#define ELEMENT_(list) _Generic((list), uint32_t *: &element_u32_described, const uint32_t *: &element_u32_described, \
    uint64_t *: &element_u64_described, const uint64_t *: &element_u64_described)

#define FIELD(type, name, ...)                                                                     \
    FIELD_(type, name, PLAIN_KIND_(type, name), char, .pointed = IS_POINTER_(type, name),          \
           __VA_ARGS__)
#define FIELDS(type, ...) EACH_(FIELD, type, __VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6,  \
    5, 4, 3, 2, 1)
#define HIDDEN(type, ...) EACH_(HIDDEN_, type, __VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,   \
    6, 5, 4, 3, 2, 1)
#define HIDDEN_(type, name) FIELD(type, name, .hidden = true)
#define EACH_(f, t, a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, count, ...)                    \
    EACH_##count##_(f, t, a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q)
#define EACH_1_(f, t, a, ...) f(t, a)
#define EACH_2_(f, t, a, ...) f(t, a), EACH_1_(f, t, __VA_ARGS__)
#define EACH_3_(f, t, a, ...) f(t, a), EACH_2_(f, t, __VA_ARGS__)
#define EACH_4_(f, t, a, ...) f(t, a), EACH_3_(f, t, __VA_ARGS__)
#define EACH_5_(f, t, a, ...) f(t, a), EACH_4_(f, t, __VA_ARGS__)
#define EACH_6_(f, t, a, ...) f(t, a), EACH_5_(f, t, __VA_ARGS__)
#define EACH_7_(f, t, a, ...) f(t, a), EACH_6_(f, t, __VA_ARGS__)
#define EACH_8_(f, t, a, ...) f(t, a), EACH_7_(f, t, __VA_ARGS__)
#define EACH_9_(f, t, a, ...) f(t, a), EACH_8_(f, t, __VA_ARGS__)
#define EACH_10_(f, t, a, ...) f(t, a), EACH_9_(f, t, __VA_ARGS__)
#define EACH_11_(f, t, a, ...) f(t, a), EACH_10_(f, t, __VA_ARGS__)
#define EACH_12_(f, t, a, ...) f(t, a), EACH_11_(f, t, __VA_ARGS__)
#define EACH_13_(f, t, a, ...) f(t, a), EACH_12_(f, t, __VA_ARGS__)
#define EACH_14_(f, t, a, ...) f(t, a), EACH_13_(f, t, __VA_ARGS__)
#define EACH_15_(f, t, a, ...) f(t, a), EACH_14_(f, t, __VA_ARGS__)
#define EACH_16_(f, t, a, ...) f(t, a), EACH_15_(f, t, __VA_ARGS__)
#define FIELD_TEXT(type, name, ...)                                                                \
    FIELD_(type, name, FIELD_KIND_TEXT, (char)IS_TEXT_(type, name),                                \
           .pointed = IS_POINTER_(type, name), __VA_ARGS__)
#define FIELD_NOT(type, name, ...)                                                                 \
    FIELD_(type, name, FIELD_KIND_BOOL, IS_(MEMBER_(type, name), bool), .reversed = true,          \
           __VA_ARGS__)
#define FIELD_SECONDS(type, name, ...)                                                             \
    FIELD_(type, name, FIELD_KIND_SECONDS, IS_(MEMBER_(type, name), int64_t), __VA_ARGS__)
#define FIELD_ENUM(type, name, list, ...)                                                          \
    FIELD_(type, name, FIELD_KIND_ENUM,                                                            \
           _Generic(MEMBER_(type, name), unsigned *: 1, int *: 1, bool *: 1),                      \
           .words = (list), .word_count = sizeof(list) / sizeof *(list), __VA_ARGS__)
#define FIELD_BIG(type, name, ...)                                                                 \
    FIELD_(type, name, FIELD_KIND_BIG, IS_(MEMBER_(type, name), mpz_t), __VA_ARGS__)
#define FIELD_STRUCT(type, name, table, ...)                                                       \
    FIELD_(type, name, FIELD_KIND_STRUCT, IS_(MEMBER_(type, name), table##_type), .of = &(table),  \
           __VA_ARGS__)
#define FIELD_GROUP(type, name, table, ...) { .key = (name), .kind = FIELD_KIND_STRUCT,            \
    .at = 0 * sizeof(IS_((type *)0, table##_type)), .of = &(table), __VA_ARGS__ }
#define FIELD_POINTER(type, name, table, ...)                                                      \
    FIELD_(type, name, FIELD_KIND_STRUCT, POINTS_TO_(MEMBER_(type, name), table##_type),           \
           .pointed = true, .of = &(table), __VA_ARGS__)
#define FIELD_LIST(type, name, number, table, ...)                                                 \
    FIELD_(type, name, FIELD_KIND_LIST, POINTS_TO_(MEMBER_(type, name), table##_type),             \
           .pointed = true, .of = &(table), COUNTED_(type, number), __VA_ARGS__)
#define FIELD_ARRAY(type, name, table, ...)                                                        \
    FIELD_(type, name, FIELD_KIND_LIST, IS_(&((type *)0)->name[0], table##_type), .of = &(table),  \
           .count_at = sizeof(((type *)0)->name) / sizeof(table##_type), __VA_ARGS__)
#define FIELD_TEXTS(type, name, number, ...)                                                       \
    FIELD_(type, name, FIELD_KIND_LIST, IS_TEXTS_(((type *)0)->name), .pointed = true,             \
           .of = &element_text_described, COUNTED_(type, number), __VA_ARGS__)
#define FIELD_INTEGERS(type, name, number, ...)                                                    \
    FIELD_(type, name, FIELD_KIND_LIST, char, .pointed = true, .of = ELEMENT_(((type *)0)->name),  \
           COUNTED_(type, number), __VA_ARGS__)
#define FIELD_NUMBERS(type, name, number, ...)                                                     \
    FIELD_(type, name, FIELD_KIND_LIST, POINTS_TO_(MEMBER_(type, name), double), .pointed = true,  \
           .of = &element_number_described, COUNTED_(type, number), __VA_ARGS__)
#define FIELD_NAME(type, index, names, ...)                                                        \
    FIELD_(type, index, INTEGER_KIND_(MEMBER_(type, index)), char, .name = (names), __VA_ARGS__)
#define FIELD_NAMES(type, list, number, names, ...)                                                \
    FIELD_INTEGERS(type, list, number, .name = (names), __VA_ARGS__)
#define FIELD_PICKS(type, list, number, picks, table, ...)                                         \
    FIELD_(type, list, FIELD_KIND_LIST, IS_INDICES_(((type *)0)->list), .pointed = true,           \
           .pick = (picks), .of = &(table), COUNTED_(type, number), __VA_ARGS__)
#define FIELD_WORD(name, text, ...) { .key = (name), .kind = FIELD_KIND_CONSTANT,                  \
    .words = &(const char *const){text}, __VA_ARGS__ }
#define FIELD_CONSTANT(name, number, ...) { .key = (name), .kind = FIELD_KIND_CONSTANT,            \
    .constant = (number), __VA_ARGS__ }

#define FIELD_GET_(name, kind_, points, get_, ...) { .key = (name), .kind = FIELD_KIND_##kind_,    \
    .pointed = (points), .get = (get_), .size = sizeof(int64_t), __VA_ARGS__ }
#define FIELD_GET_TEXT(name, get, ...) FIELD_GET_(name, TEXT, true, get, __VA_ARGS__)
#define FIELD_GET_INTEGER(name, get, ...) FIELD_GET_(name, SIGNED, false, get, __VA_ARGS__)
#define FIELD_GET_NUMBER(name, get, ...) FIELD_GET_(name, NUMBER, false, get, __VA_ARGS__)
#define FIELD_GET_BOOL(name, get, ...) FIELD_GET_(name, BOOL, false, get, __VA_ARGS__)
#define FIELD_GET_JSON(name, get, ...) FIELD_GET_(name, JSON, true, get, __VA_ARGS__)
#define FIELD_GET_POINTER(name, get, table, ...)                                                   \
    FIELD_GET_(name, STRUCT, true, get, .of = &(table), __VA_ARGS__)
#define FIELD_GET_LIST(name, get, table, ...)                                                      \
    FIELD_GET_(name, LIST, true, get, .of = &(table), __VA_ARGS__)
#define FIELD_GET_TEXTS(name, get, ...) FIELD_GET_LIST(name, get, element_text_described, __VA_ARGS__)

/* A computed field's function: FIELD_GETTER(is_equal, struct x, out->yes = it->count == 0). */
#define FIELD_GETTER(get, type, ...)                                                               \
    static void get(const void *value_, struct field_value *out)                                   \
    {                                                                                              \
        const type *it = value_;                                                                   \
        (void)it;                                                                                  \
        __VA_ARGS__;                                                                               \
    }

#define IF_(type, name, ...) { .at = offsetof(type, name), .size = sizeof(((type *)0)->name),      \
    __VA_ARGS__ }
#define IF(type, name) IF_(type, name, .other = false)
#define IF_NOT(type, name) IF_(type, name, .other = true)
#define IF_IS(type, name, wanted) IF_(type, name, .compares = true, .value = (wanted))
#define IF_OTHER(type, name, wanted)                                                               \
    IF_(type, name, .compares = true, .value = (wanted), .other = true)
/* clang-format on */

/* Words that many tables have. */
extern const char *const tac_answer_words[TAC_PRESUMABLY_VIOLATED + 1];
DESCRIBED(diagnostic, tac_diagnostic);   /* with its severity */
DESCRIBED(diagnostics, tac_diagnostics); /* its errors and its warnings */
DESCRIBED(analysis_verdict, tac_verdict);
extern const struct describe element_text_described, element_number_described,
    element_u32_described, element_u64_described;

/* The document of a struct; the caller's. context: for computed fields. */
json_t *describe_json(const struct describe *what, const void *value);
json_t *describe_json_with(const struct describe *what, const void *value, const void *context);
/* The list of `count` structs; of one whose table is keyed the object. */
json_t *describe_list_json(const struct describe *what, const void *list, size_t count);
/* The same document as text and a newline, for large ones: of its lists one element exists at a
 * time. */
tac_status describe_write(const struct describe *what, const void *value, const void *context,
                          FILE *out, tac_error *err);

/* A document, of this or another version, back into a struct: what it lacks, or has of another
 * type, stays as it is (a text is never NULL but with .maybe; what points is in the arena). Not:
 * names, what is computed. */
void describe_read(const struct describe *what, const json_t *document, tac_arena *arena,
                   void *value);

/* The same of a file that somebody may have edited: a value of another type or beyond the member's
 * is an error with its place, and so is one that is missing where the field is .needed. Fields
 * whose .only does not hold are passed over. */
tac_status describe_load(const struct describe *what, const tac_json *file, tac_arena *arena,
                         void *value, tac_error *err);

/* The JSON Schema (draft 2020-12) of the documents that the tables give, one or the other; the
 * caller's. */
json_t *describe_schema(const struct describe *const *whats, size_t count, const char *title);

/* CSV (RFC 4180): the line of keys; a line of values, unknown ones empty. Only for texts, numbers,
 * enums and what is spliced. */
void describe_csv_head(const struct describe *what, FILE *out);
void describe_csv_row(const struct describe *what, const void *value, FILE *out);

/* Appends all that the table names as bytes for another process of this program, or another run of
 * it. */
void describe_pack(const struct describe *what, const void *value, tac_str *out);
/* What was packed with the same table; all that *value points to is in the arena. Other bytes are
 * refused with TAC_E_INPUT: nothing is read past `size`, and memory is a small multiple of it. */
tac_status describe_unpack(const struct describe *what, const char *data, size_t size,
                           tac_arena *arena, void *value, tac_error *err);
/* A copy whose memory is in the arena. */
void describe_keep(const struct describe *what, const void *value, tac_arena *arena, void *copy);

/* --- For the parts of this folder --- */

/* A field's value; of what is pointed to, there. got: what a computed one gives. */
struct field_seen {
    const void *at;
    size_t count;
};
struct field_seen field_look(const struct field *field, const void *value, struct field_value *got);
bool field_is_empty(const struct field *field, const struct field_seen *seen);
bool field_if_holds(const struct field_if *condition, const void *value);
const char *field_key(const struct field *field);
uint64_t field_unsigned(const void *at, size_t size);
int64_t field_signed(const void *at, size_t size);
double field_seconds(const void *at);
