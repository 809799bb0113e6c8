/* Conditions in the brackets of an XPath, answered on a node of the tree. */
#ifndef TAC_DEVICE_OWN_TEST_H
#define TAC_DEVICE_OWN_TEST_H

#include "tactus/device.h"

enum { OWN_TEST_PARTS = 32, OWN_TEST_DEPTH = 16 };

/* A condition and its parts, the parts of an operator before it. */
struct own_test {
    struct own_part {
        enum own_operator {
            OWN_OR,
            OWN_AND,
            OWN_NOT,
            OWN_EQUAL,
            OWN_DIFFERS,
            OWN_CONTAINS,
            OWN_STARTS,
            OWN_ALWAYS
        } kind;
        uint8_t left, right; /* operators: parts; NOT has no right one */
        uint8_t levels;      /* how far below the node the attribute stands */
        uint8_t field;
        const char *value; /* in the XPath */
        size_t length;
    } parts[OWN_TEST_PARTS];
    size_t count;
};

/* Reads the condition at *at, behind "[", and goes behind its "]"; false: it is of another kind. */
bool own_test_read(const char **at, struct own_test *out);
bool own_test_holds(const struct own_test *test, const tac_ui *ui, uint32_t node);

#endif
