/* Any bytes are a journal or a clear error; the rows of one that is read are rows that a graph takes. */
#include "engine/journal.h"
#include <rg/regraph.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char graph[] = "{\"format\":\"regraph/1\",\"name\":\"f\",\"steps\":["
                            "{\"id\":\"a\",\"title\":\"t\",\"category\":\"locality\"},{\"id\":\"b\",\"title\":\"t\","
                            "\"category\":\"locality\"}],"
                            "\"edges\":[{\"from\":\"@start\",\"to\":\"a\",\"prior\":0.5,\"confidence\":1},"
                            "{\"from\":\"a\",\"to\":\"b\",\"prior\":0.5,\"confidence\":1}]}";

static void expect(int holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rg_regraph *g;
    if (!g) expect(rg_regraph_parse(graph, sizeof graph - 1, "graph", &g, NULL) == RG_OK);
    struct rg_error err = RG_ERROR_INIT;
    struct rg_search_row *rows = NULL;
    int n = 0;
    if (rg__journal_evidence_text((const char *)data, size, "fuzz", g, &rows, &n, &err) != RG_OK) {
        expect(n == 0 && rows == NULL && err.text[0]);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        const struct rg_evidence *e = &rows[i].row;
        int64_t failed = 0;
        for (int o = 0; o < RG_N_OUTCOMES; o++) failed += e->fail[o];
        expect(rows[i].edge >= 0 && rows[i].edge < rg_regraph_edges(g));
        expect(e->n > 0 && e->ok + failed == e->n && e->sumsq >= 0);
        expect((e->ok == 0) == (e->max == INT64_MIN));
    }
    rg_search_rows_free(rows, n);
    return 0;
}
