/* Any bytes are a graph or a clear error; a graph's canonical text reads back to the same text, and survives its own
 * operations. */
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
    if (rg_regraph_parse((const char *)data, size, "fuzz", &g, &err) != RG_OK) {
        expect(g == NULL && err.status != RG_OK && err.line > 0 && err.text[0] != '\0');
        return 0;
    }
    struct rg_buf a = RG_BUF_INIT, b = RG_BUF_INIT, notes = RG_BUF_INIT;
    expect(rg_regraph_print(g, &a, &err) == RG_OK);
    expect(rg_regraph_parse(a.data, a.len, "again", &h, &err) == RG_OK);
    expect(rg_regraph_merge(h, g, &notes, &err) == RG_OK && notes.len == 0); /* idempotent */
    expect(rg_regraph_print(h, &b, &err) == RG_OK);
    expect(a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
    expect(rg_regraph_diff(g, h, &notes) == 0);
    for (int i = 0; i < rg_regraph_edges(g); i++) {
        struct rg_weight w;
        rg_regraph_weigh(g, i, &(struct rg_circumstances){"sm_90", "stencil", NULL, "poly"}, NULL, &w);
        expect(w.p_ok >= 0 && w.p_ok <= 1 && w.score == w.score);
    }
    rg_regraph_review(g, size % 2, &notes, &err);
    int before, after;
    rg_regraph_compact(h, &before, &after, &err);
    rg_buf_release(&a);
    rg_buf_release(&b);
    rg_buf_release(&notes);
    rg_regraph_free(g);
    rg_regraph_free(h);
    return 0;
}
