/* Certificates come from other people: any bytes are one or a clear error, and what was read writes and reads back to
 * the same text. */
#include <rg/certificate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_certificate *c = NULL, *d = NULL;
    if (rg_certificate_parse((const char *)data, size, "fuzz", &c, &err) != RG_OK) {
        expect(!c && err.status != RG_OK && err.text[0]);
        return 0;
    }
    char *a = rg_certificate_print(c);
    expect(a && rg_certificate_parse(a, strlen(a), "again", &d, &err) == RG_OK);
    char *b = rg_certificate_print(d);
    expect(!strcmp(a, b));
    free(a);
    free(b);
    rg_certificate_free(c);
    rg_certificate_free(d);
    return 0;
}
