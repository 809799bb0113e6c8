/* Addresses of web apps: what a person types, what stands for the app, what belongs to it. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "device/web/webdriver.h"
#include "tactus_test.h"
#include <unistd.h>

static tac_error address_error;

static const char *completed(const char *text)
{
    static char kept[4200];
    char *out = NULL;
    if (address_complete(text, &out, &address_error))
        return "refused";
    snprintf(kept, sizeof kept, "%s", out);
    free(out);
    return kept;
}

TEST(what_a_person_types_becomes_an_address)
{
    CHECK_STR(completed("http://127.0.0.1:8000/a?b#c"), "http://127.0.0.1:8000/a?b#c");
    CHECK_STR(completed("https://example.org"), "https://example.org");
    CHECK_STR(completed("127.0.0.1:8000/shop"), "http://127.0.0.1:8000/shop");
    CHECK_STR(completed("localhost:3000"), "http://localhost:3000");
    CHECK_STR(completed("file:///tmp/a.html"), "file:///tmp/a.html");
    CHECK_STR(completed("ftp://example.org/"), "refused");
    CHECK_CONTAINS(address_error.message, "http://");
    CHECK_STR(completed("/no/such/page.html"), "refused");
    CHECK_CONTAINS(address_error.message, "does not exist");
    CHECK_STR(completed("./none.html"), "refused");
}

TEST(the_path_of_a_page_becomes_a_file_address_with_its_blanks_written_out)
{
    const char *path = test_write("a page & more.html", "<p>");
    const char *out = completed(path);
    CHECK(!strncmp(out, "file:///", 8));
    CHECK_CONTAINS(out, "a%20page%20%26%20more.html");
}

static void check_parts(const char *url, const char *host, const char *folder, const char *origin)
{
    char *found[] = {address_host(url), address_folder(url), address_origin(url)};
    CHECK_STR(found[0], host);
    CHECK_STR(found[1], folder);
    CHECK_STR(found[2], origin);
    for (size_t i = 0; i < 3; i++)
        free(found[i]);
}

TEST(an_address_has_a_host_a_folder_and_an_origin)
{
    check_parts("http://127.0.0.1:8000/shop/index.html?x=/y", "127.0.0.1:8000", "/shop/",
                "http://127.0.0.1:8000");
    check_parts("http://127.0.0.1:8000", "127.0.0.1:8000", "/", "http://127.0.0.1:8000");
    check_parts("https://example.org?q=a/b", "example.org", "/", "https://example.org");
    check_parts("https://example.org/#/active", "example.org", "/", "https://example.org");
    check_parts("file:///home/me/app/todo.html", "todo.html", "/home/me/app/",
                "file:///home/me/app/");
    check_parts("file:///home/me/app/", "file", "/home/me/app/", "file:///home/me/app/");
}

TEST(what_belongs_to_the_app_begins_as_it_does_and_ends_a_part)
{
    CHECK(address_within("http://a:80/x", "http://a:80"));
    CHECK(address_within("http://a:80", "http://a:80"));
    CHECK(address_within("http://a:80?q", "http://a:80"));
    CHECK(address_within("http://a:80/shop/cart", "http://a:80/shop/"));
    CHECK(!address_within("http://a:8000/x", "http://a:80"));
    CHECK(!address_within("http://a.evil.org/", "http://a"));
    CHECK(!address_within("https://a:80/x", "http://a:80"));
    CHECK(!address_within("http://a:80/shopping", "http://a:80/shop"));
    CHECK(!address_within("http://a:80/x", ""));
}

/* The slow way: cut the address at every end of a part and compare. */
static bool within_slowly(const char *url, const char *start)
{
    size_t length = strlen(url);
    for (size_t end = 0; end <= length; end++) {
        bool part = end == length || strchr("/?#", url[end]) || (end && url[end - 1] == '/');
        if (part && end && strlen(start) == end && !memcmp(url, start, end))
            return true;
    }
    return false;
}

TEST(belonging_is_as_the_slow_way_says_on_random_addresses)
{
    tac_random random;
    tac_random_seed(&random, 7);
    size_t inside = 0;
    for (int i = 0; i < 20000; i++) {
        char text[2][12];
        for (int k = 0; k < 2; k++) {
            size_t length = tac_random_below(&random, 7);
            for (size_t n = 0; n < length; n++)
                text[k][n] = "ab/?#"[tac_random_below(&random, 5)];
            text[k][length] = '\0';
        }
        CHECK_EQ(address_within(text[0], text[1]), within_slowly(text[0], text[1]));
        inside += address_within(text[0], text[1]);
    }
    CHECK(inside > 100);
}
