/* libxml2 with caps, no network, no external entities, and errors with lines. See xml.h.
 *
 * Every byte passes the guard (xml_guard.h) first: a document type declaration is refused before it
 * is parsed, and so is what is too long or too deep. Interaction models, requirement files and UI
 * hierarchies have no document type, so nothing is lost and nothing can expand. */
#include "base/io/xml.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/io/input.h"
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <string.h>

enum { DEFAULT_DEPTH = 256, MOST_ELEMENTS = 1000000 /* of a document in memory */ };
static const size_t default_size = (size_t)1 << 30;
static const int parse_options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA |
                                 XML_PARSE_HUGE; /* size and depth are capped here instead */

struct tac_xml_reader {
    char *name;
    tac_input *input;
    size_t size, max_size, max_depth;
    tac_xml_guard guard;
    xmlTextReaderPtr raw;
    xmlSchemaPtr schema;
    tac_diagnostics *diagnostics;
    tac_error failure; /* the first thing that makes the document unusable */
};

static void note_failure_at(tac_xml_reader *reader, tac_status status, size_t line, size_t column,
                            const char *text)
{
    if (reader->failure.status != TAC_OK)
        return;
    tac_fail_at(&reader->failure, status, reader->name, line, column, "%s", text);
}

static void note_failure(tac_xml_reader *reader, tac_status status, size_t line, const char *text)
{
    note_failure_at(reader, status, line, 0, text);
}

/* After a refusal the parser shall stop at once. Told of an error, or of the end, libxml2 2.9 tries
 * what it has of an open tag again for every 512 bytes; so it is given what ends whichever token is
 * open and is not well formed then. What it says about that comes after the first failure and is
 * not heard. */
static int stop_parser(char *buffer, int size)
{
    static const char end[] = "\"'>-->?>]]>\x01<";
    if (size < (int)sizeof end)
        return -1; /* nothing is open yet */
    memcpy(buffer, end, sizeof end - 1);
    return sizeof end - 1;
}

static int read_bytes(void *context, char *buffer, int size)
{
    tac_xml_reader *reader = context;
    size_t got = 0;
    tac_error err;
    tac_status status = tac_input_read(reader->input, buffer, (size_t)size, &got, &err);
    reader->size += got;
    if (status == TAC_OK && reader->size > reader->max_size)
        status = tac_fail_at(&err, TAC_E_LIMIT, reader->name, 0, 0,
                             "larger than the limit of %zu bytes", reader->max_size);
    if (status == TAC_OK && tac_input_expands(reader->input, reader->size, (uint64_t)32 << 20, 50))
        status =
            tac_fail_at(&err, TAC_E_LIMIT, reader->name, 0, 0,
                        "expands to over 50 times its compressed size, which is over the limit "
                        "for files of over 32 MiB");
    if (status == TAC_OK)
        status = tac_xml_guard_feed(&reader->guard, buffer, got, &err);
    if (status == TAC_OK)
        return (int)got;
    if (reader->failure.status != TAC_OK)
        return -1;
    reader->failure = err;
    return stop_parser(buffer, size);
}

/* libxml2 2.9.14 calls structured handlers with a non-const error; later versions with a const. */
#if LIBXML_VERSION >= 21200
typedef const xmlError *problem_pointer;
#else
typedef xmlErrorPtr problem_pointer;
#endif

static void on_problem(void *context, problem_pointer problem)
{
    tac_xml_reader *reader = context;
    const char *text = problem->message ? problem->message : "not well formed";
    size_t line = problem->line > 0 ? (size_t)problem->line : 0;
    if (problem->domain == XML_FROM_SCHEMASV) {
        if (line == 0 || line == 65535)
            line = tac_xml_line(reader);
        tac_diagnostics_add(reader->diagnostics, TAC_ERROR, reader->name, line, 0, "%.*s",
                            (int)strcspn(text, "\n"), text);
    } else if (problem->level >= XML_ERR_ERROR && problem->domain != XML_FROM_IO) {
        bool placed = problem->domain == XML_FROM_PARSER && problem->int2 > 0;
        char *message = reader->input && !reader->size ? tac_strdup("the file is empty")
                                                       : tac_format("not well-formed XML: %.*s",
                                                                    (int)strcspn(text, "\n"), text);
        note_failure_at(reader, TAC_E_INPUT, line, placed ? (size_t)problem->int2 : 0, message);
        free(message);
    }
}

static void keep_quiet(void *context, problem_pointer problem)
{
    (void)context;
    (void)problem;
}

static tac_status load_schema(const char *xsd, size_t size, xmlSchemaPtr *out, tac_error *err)
{
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewMemParserCtxt(xsd, (int)size);
    if (parser)
        xmlSchemaSetParserStructuredErrors(parser, keep_quiet, NULL);
    *out = parser ? xmlSchemaParse(parser) : NULL;
    xmlSchemaFreeParserCtxt(parser);
    return *out ? TAC_OK : tac_fail(err, TAC_E_INTERNAL, "an embedded schema does not load");
}

tac_status tac_xml_open(const char *path, const tac_xml_limits *limits, const char *xsd,
                        size_t xsd_size, tac_diagnostics *diagnostics, tac_xml_reader **out,
                        tac_error *err)
{
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status != TAC_OK)
        return status;
    tac_xml_reader *reader = tac_calloc(1, sizeof *reader);
    reader->input = input;
    reader->name = tac_strdup(tac_input_name(input));
    reader->max_size = limits && limits->max_size ? limits->max_size : default_size;
    reader->max_depth = limits && limits->max_depth ? limits->max_depth : DEFAULT_DEPTH;
    reader->diagnostics = diagnostics;
    reader->guard = (tac_xml_guard){.name = reader->name, .max_depth = reader->max_depth};
    reader->raw = xmlReaderForIO(read_bytes, NULL, reader, reader->name, NULL, parse_options);
    if (!reader->raw) {
        status = reader->failure.status != TAC_OK
                     ? reader->failure.status
                     : tac_fail(&reader->failure, TAC_E_INTERNAL, "cannot start the XML reader");
        *err = reader->failure;
    } else {
        xmlTextReaderSetStructuredErrorHandler(reader->raw, on_problem, reader);
        if (xsd)
            status = load_schema(xsd, xsd_size, &reader->schema, err);
        if (status == TAC_OK && reader->schema &&
            xmlTextReaderSetSchema(reader->raw, reader->schema))
            status = tac_fail(err, TAC_E_INTERNAL, "cannot attach the schema");
    }
    if (status == TAC_OK)
        *out = reader;
    else
        tac_xml_close(reader);
    return status;
}

tac_status tac_xml_next(tac_xml_reader *reader, bool *more, tac_error *err)
{
    /* A reader with a schema loses its own error handler (xmlSchemaSAXPlug leaves it out). */
    xmlSetStructuredErrorFunc(reader, (xmlStructuredErrorFunc)on_problem);
    int result = xmlTextReaderRead(reader->raw);
    xmlSetStructuredErrorFunc(NULL, NULL);
    if (result == 1 && xmlTextReaderDepth(reader->raw) > (int)reader->max_depth)
        note_failure(reader, TAC_E_LIMIT, tac_xml_line(reader), "elements are nested too deeply");
    assert(result != 1 || /* the guard let none through */
           xmlTextReaderNodeType(reader->raw) != XML_READER_TYPE_DOCUMENT_TYPE);
    if (result < 0)
        note_failure(reader, TAC_E_INPUT, tac_xml_line(reader), "not well-formed XML");
    if (reader->failure.status != TAC_OK) {
        if (err)
            *err = reader->failure;
        return reader->failure.status;
    }
    *more = result == 1;
    return TAC_OK;
}

xmlTextReaderPtr tac_xml_raw(tac_xml_reader *reader)
{
    return reader->raw;
}

static size_t newlines(const xmlChar *text)
{
    size_t count = 0;
    for (; text && *text; text++)
        count += *text == '\n';
    return count;
}

/* The parser runs a chunk ahead of the reader, so its own line is no use. A node holds its line in
 * 16 bits; past that only text nodes know theirs (where they end), so an element asks the text that
 * follows its start tag. An element whose text is not yet parsed is where the parser stands. */
size_t tac_xml_line(tac_xml_reader *reader)
{
    xmlNodePtr node = xmlTextReaderCurrentNode(reader->raw);
    if (node && node->line < UINT16_MAX)
        return node->line;
    xmlNodePtr after = node && node->children ? node->children : node ? node->next : NULL;
    if (after && after->type == XML_TEXT_NODE) {
        long line = xmlGetLineNo(after) - (long)newlines(after->content);
        if (line > 0)
            return (size_t)line;
    }
    int line = xmlTextReaderGetParserLineNumber(reader->raw);
    return line > 0 ? (size_t)line : 0;
}

const char *tac_xml_name(tac_xml_reader *reader)
{
    const xmlChar *name = xmlTextReaderConstLocalName(reader->raw);
    return name ? (const char *)name : "";
}

const char *tac_xml_attribute(tac_xml_reader *reader, const char *name)
{
    xmlNodePtr node = xmlTextReaderCurrentNode(reader->raw);
    for (xmlAttrPtr attribute = node ? node->properties : NULL; attribute;
         attribute = attribute->next) {
        if (attribute->ns || strcmp((const char *)attribute->name, name))
            continue;
        xmlNodePtr value = attribute->children;
        if (!value)
            return "";
        if (!value->next && value->type == XML_TEXT_NODE)
            return (const char *)value->content;
    }
    return NULL;
}

void tac_xml_close(tac_xml_reader *reader)
{
    if (!reader)
        return;
    xmlFreeTextReader(reader->raw);
    if (reader->schema)
        xmlSchemaFree(reader->schema);
    tac_input_close(reader->input);
    free(reader->name);
    free(reader);
}

/* Depth over a finished tree, without recursion. */
static bool depth_is_fine(xmlNodePtr root, size_t max_depth)
{
    size_t depth = 1;
    for (xmlNodePtr node = root; node;) {
        if (depth > max_depth)
            return false;
        if (node->type == XML_ELEMENT_NODE && node->children) {
            node = node->children;
            depth++;
            continue;
        }
        while (node && node != root && !node->next) {
            node = node->parent;
            depth--;
        }
        node = node && node != root ? node->next : NULL;
    }
    return true;
}

static tac_status parse(tac_xml_guard *guard, const char *text, size_t size, xmlDocPtr *out,
                        tac_error *err)
{
    const char *name = guard->name;
    size_t max_depth = guard->max_depth;
    tac_xml_reader reader = {.name = (char *)(uintptr_t)name};
    if (size > INT32_MAX)
        return tac_fail_at(err, TAC_E_LIMIT, name, 0, 0, "larger than the limit of 2 GiB");
    guard->max_elements = MOST_ELEMENTS;
    tac_status status = tac_xml_guard_feed(guard, text, size, err);
    if (status != TAC_OK)
        return status;
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    if (!parser)
        tac_out_of_memory(size);
    xmlSetStructuredErrorFunc(&reader, (xmlStructuredErrorFunc)on_problem);
    /* Without XML_PARSE_HUGE libxml2's own limits hold too, with 256 levels. Above that the guard's
     * are the only ones: libxml2 reads and frees a document without recursion. */
    int options = max_depth > DEFAULT_DEPTH ? parse_options : parse_options & ~XML_PARSE_HUGE;
    xmlDocPtr doc = xmlCtxtReadMemory(parser, text, (int)size, name, NULL, options);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlFreeParserCtxt(parser);
    assert(!doc || !doc->intSubset); /* the guard let no document type declaration through */
    if (doc && reader.failure.status == TAC_OK &&
        !depth_is_fine(xmlDocGetRootElement(doc), max_depth))
        note_failure(&reader, TAC_E_LIMIT, 0, "elements are nested too deeply");
    if (!doc)
        note_failure(&reader, TAC_E_INPUT, 0, "not well-formed XML");
    if (reader.failure.status != TAC_OK) {
        xmlFreeDoc(doc);
        if (err)
            *err = reader.failure;
        return reader.failure.status;
    }
    *out = doc;
    return TAC_OK;
}

tac_status tac_xml_parse(const char *name, const char *text, size_t size,
                         const tac_xml_limits *limits, xmlDocPtr *out, tac_error *err)
{
    tac_xml_guard guard = {
        .name = name, .max_depth = limits && limits->max_depth ? limits->max_depth : DEFAULT_DEPTH};
    return parse(&guard, text, size, out, err);
}

tac_status tac_xml_parse_tags(const char *name, const char *text, size_t size,
                              void (*on_tag)(void *context, const tac_xml_tag *tag), void *context,
                              xmlDocPtr *out, tac_error *err)
{
    tac_xml_guard guard = {
        .name = name, .max_depth = DEFAULT_DEPTH, .on_tag = on_tag, .context = context};
    return parse(&guard, text, size, out, err);
}

tac_status tac_xml_load(const char *path, const tac_xml_limits *limits, xmlDocPtr *out,
                        tac_error *err)
{
    char *text;
    size_t size;
    size_t max_size = limits && limits->max_size ? limits->max_size : default_size;
    tac_status status = tac_input_slurp(path, max_size, &text, &size, err);
    if (status != TAC_OK)
        return status;
    status = tac_xml_parse(strcmp(path, "-") ? path : "<stdin>", text, size, limits, out, err);
    free(text);
    return status;
}

tac_status tac_xml_validate(xmlDocPtr doc, const char *name, const char *xsd, size_t xsd_size,
                            tac_diagnostics *diagnostics, tac_error *err)
{
    xmlSchemaPtr schema;
    tac_status status = load_schema(xsd, xsd_size, &schema, err);
    if (status != TAC_OK)
        return status;
    size_t errors_before = diagnostics->errors;
    tac_xml_reader reader = {.name = (char *)(uintptr_t)name, .diagnostics = diagnostics};
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
    if (!context)
        tac_out_of_memory(0);
    xmlSchemaSetValidStructuredErrors(context, (xmlStructuredErrorFunc)on_problem, &reader);
    int result = xmlSchemaValidateDoc(context, doc);
    xmlSchemaFreeValidCtxt(context);
    xmlSchemaFree(schema);
    if (result < 0)
        return tac_fail(err, TAC_E_INTERNAL, "schema validation failed to run");
    if (diagnostics->errors > errors_before)
        return tac_diagnostics_fail(diagnostics, err);
    return TAC_OK;
}

void tac_xml_escape(tac_str *out, const char *text)
{
    tac_quote_html(out, text);
}
