/* A program with functions that are called as some inside the library are. Both keep their own. */
#include <stdio.h>
#include <string.h>
#include <tactus/property.h>
#include <tactus/version.h>

int unit_parse(const char *text);
int interval_end(int at);

int unit_parse(const char *text)
{
    return (int)strlen(text);
}

int interval_end(int at)
{
    return at + 1;
}

int main(void)
{
    static const char text[] = "unit rxData kB\nproperty p: forall [a, b] diff(rxData) < 5 kB\n";
    tac_diagnostics findings = {0};
    tac_properties *properties = NULL;
    tac_error err;
    if (tac_property_parse("own", text, strlen(text), &findings, &properties, &err) != TAC_OK)
        return 1;
    printf("%d %d %zu %s\n", unit_parse("kB"), interval_end(1), tac_property_count(properties),
           strcmp(tac_version(), TACTUS_VERSION) ? "another version" : "same version");
    tac_property_free(properties);
    tac_diagnostics_free(&findings);
    return 0;
}
