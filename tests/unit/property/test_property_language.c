#include "property_support.h"
#include "tactus_test.h"
TEST(placeholder)
{
    char *e = errors_of("property a: first [p,q] diff(x) < 1");
    CHECK_STR(e, "");
    free(e);
}
