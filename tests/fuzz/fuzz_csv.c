/* Any bytes are a table of edges or an error with its line; a graph that refused a table is as it was. */
#include <rg/regraph.h>
#include <rg/regraph_tools.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char graph[] = "{\"format\": \"regraph/1\", \"name\": \"t\", \"steps\": [{\"id\": \"a\", \"title\": \"A\", \"category\": \"memory\"},"
                            "{\"id\": \"b\", \"title\": \"B\", \"category\": \"memory\"}],"
                            "\"edges\": [{\"from\": \"@start\", \"to\": \"a\", \"prior\": 0.5}, {\"from\": \"a\", \"to\": \"b\", \"prior\": 0.5}]}";

static void expect(int holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g = NULL, *h = NULL;
    struct rg_buf a = RG_BUF_INIT, b = RG_BUF_INIT;
    expect(rg_regraph_parse(graph, sizeof graph - 1, "t", &g, &err) == RG_OK);
    expect(rg_regraph_print(g, &a, &err) == RG_OK);
    if (rg_regraph_take_csv(g, (const char *)data, size, "fuzz", &err) != RG_OK) {
        expect(err.line > 0 && err.text[0] != '\0');
        expect(rg_regraph_print(g, &b, NULL) == RG_OK && a.len == b.len && !memcmp(a.data, b.data, a.len));
    } else { /* what was taken is a graph */
        expect(rg_regraph_print(g, &b, &err) == RG_OK);
        expect(rg_regraph_parse(b.data, b.len, "again", &h, &err) == RG_OK);
    }
    rg_buf_release(&a);
    rg_buf_release(&b);
    rg_regraph_free(g);
    rg_regraph_free(h);
    return 0;
}
