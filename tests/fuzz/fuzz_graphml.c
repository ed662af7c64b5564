/* Any bytes are GraphML of a graph or a clear error; what is read goes out and comes back byte for byte. */
#include <rg/regraph.h>
#include <rg/regraph_tools.h>
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
    struct rg_regraph *g = NULL, *h = NULL;
    if (rg_regraph_from_graphml((const char *)data, size, "fuzz", &g, &err) != RG_OK) {
        expect(g == NULL && err.text[0] != '\0');
        return 0;
    }
    struct rg_buf a = RG_BUF_INIT, b = RG_BUF_INIT, xml = RG_BUF_INIT;
    expect(rg_regraph_print(g, &a, &err) == RG_OK);
    expect(rg_regraph_graphml(g, &xml, &err) == RG_OK);
    expect(rg_regraph_from_graphml(xml.data, xml.len, "again", &h, &err) == RG_OK);
    expect(rg_regraph_print(h, &b, &err) == RG_OK);
    expect(a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
    rg_buf_release(&a);
    rg_buf_release(&b);
    rg_buf_release(&xml);
    rg_regraph_free(g);
    rg_regraph_free(h);
    return 0;
}
