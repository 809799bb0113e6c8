/* The border in front of the XML parser: every byte passes here before libxml2 sees it.
 *
 * The one tokenizer, which knows no more than where tags, comments, processing instructions and
 * CDATA sections begin and end; who changes a text in place asks it for the tags. It refuses a
 * document type declaration (so that no entity exists that could expand), an encoding in which
 * markup could hide, and whatever is longer or deeper than the budget, in time linear in the bytes
 * and in constant memory. What it lets through may still not be XML: that is the parser's to say.
 */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    TAC_XML_TAG = 1 << 20,      /* bytes of a tag with its attributes */
    TAC_XML_ATTRIBUTES = 256,   /* per tag */
    TAC_XML_REMARKS = 16 << 20, /* each counts as at least 64; bytes of comments and processing
                                   instructions, all together */
    TAC_XML_TEXT = 64 << 20     /* bytes of text between two tags */
};

/* A tag of an element: bytes [from, to), beginning in a line and ending in one, from 1. */
typedef struct tac_xml_tag {
    bool end;
    size_t from, to, line, last_line;
} tac_xml_tag;

typedef struct tac_xml_guard {
    const char *name; /* for messages; borrowed */
    size_t max_depth;
    size_t max_elements; /* for readers that keep the whole document; 0 = any number */
    void (*on_tag)(void *context, const tac_xml_tag *tag); /* of each, in their order, or NULL */
    void *context;
    /* The rest is private; zeroed before the first byte. */
    int state, after; /* what stands at the next character; what a quotation ends in */
    unsigned width;   /* bytes per unit: 0 = not known yet, 1, 2 */
    bool big_endian, half, root, slash;
    bool begun, declaring;        /* a token has been seen; this one is the XML declaration */
    unsigned char first[4], kept; /* the first bytes; the first byte of a unit */
    size_t first_count;
    uint64_t line, length, remarks, depth, attributes, elements;
    size_t at, tag_from, tag_line; /* bytes read; where the last '<' stands */
    char match[8];                 /* the last characters of a token, lower case not changed */
    char declaration[256];
    size_t declared;
} tac_xml_guard;

/* TAC_E_INPUT or TAC_E_LIMIT with the line; after that the guard refuses everything. */
tac_status tac_xml_guard_feed(tac_xml_guard *guard, const char *data, size_t size, tac_error *err);
