/* libxml2 with caps, no network, no external entities, and errors with lines.
 *
 * A streaming reader (for large files, with optional XSD validation while reading) and a DOM load
 * (for small ones). Both read through tac_input, so .gz, .xz and "-" work. */
#pragma once

#include "base/data/str.h"
#include "base/io/xml_guard.h"
#include "tactus/error.h"
#include <libxml/tree.h>
#include <libxml/xmlreader.h>
#include <stdbool.h>

typedef struct tac_xml_limits {
    size_t max_size;  /* bytes, decompressed; 0 = 1 GiB */
    size_t max_depth; /* elements; 0 = 256 */
} tac_xml_limits;

typedef struct tac_xml_reader tac_xml_reader;

/* xsd: the schema's text (embedded in the program), or NULL. Schema errors are added to
 * `diagnostics` with their lines and reading goes on; a document that is not well formed is an
 * error of tac_xml_next. */
tac_status tac_xml_open(const char *path, const tac_xml_limits *limits, const char *xsd,
                        size_t xsd_size, tac_diagnostics *diagnostics, tac_xml_reader **out,
                        tac_error *err);
/* Advances to the next node; *more false at the end. Entities are never expanded. */
tac_status tac_xml_next(tac_xml_reader *reader, bool *more, tac_error *err);
/* The libxml2 reader, for xmlTextReaderConstLocalName and friends. Borrowed. */
xmlTextReaderPtr tac_xml_raw(tac_xml_reader *reader);
size_t tac_xml_line(tac_xml_reader *reader);
const char *tac_xml_name(tac_xml_reader *reader); /* local name of the current node; borrowed */
/* An attribute's value, or NULL; borrowed, valid until the next node. */
const char *tac_xml_attribute(tac_xml_reader *reader, const char *name);
void tac_xml_close(tac_xml_reader *reader);

/* A whole document of at most a million elements; the caller's (xmlFreeDoc). Lines are exact up to
 * 65535 and beyond (XML_PARSE_BIG_LINES). */
tac_status tac_xml_load(const char *path, const tac_xml_limits *limits, xmlDocPtr *out,
                        tac_error *err);
tac_status tac_xml_parse(const char *name, const char *text, size_t size,
                         const tac_xml_limits *limits, xmlDocPtr *out, tac_error *err);
/* The same, and where the tags stand (a text of one byte for '<'); also of what is not well formed.
 */
tac_status tac_xml_parse_tags(const char *name, const char *text, size_t size,
                              void (*on_tag)(void *context, const tac_xml_tag *tag), void *context,
                              xmlDocPtr *out, tac_error *err);
/* Validates a loaded document against an embedded schema; findings with lines. */
tac_status tac_xml_validate(xmlDocPtr doc, const char *name, const char *xsd, size_t xsd_size,
                            tac_diagnostics *diagnostics, tac_error *err);

/* Appends text with & < > " ' and control characters escaped for attributes and content. */
void tac_xml_escape(tac_str *out, const char *text);
