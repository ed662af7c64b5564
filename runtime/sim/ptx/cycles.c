/* Which functions of a module call themselves, directly or by way of others: strongly connected components of the
 * direct calls (Tarjan), with a stack of its own because the text is foreign. */
#include "runtime/device.h"
#include "runtime/sim/ptx/ptx.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

struct graph {
    int n, n_edges, cap_edges;
    struct ptx_func **by_name; /* with a body */
    int *first, *to;           /* of function i: to[first[i]..first[i + 1]) */
};

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct ptx_func *const *)a)->name, (*(struct ptx_func *const *)b)->name);
}

static int find(const struct graph *g, const char *name)
{
    int lo = 0, hi = g->n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2, c = strcmp(g->by_name[mid]->name, name);
        if (!c) return mid;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

bool rg__ptx_is_call(const struct ptx_inst *in)
{
    return !strncmp(in->op, "call", 4) && (in->op[4] == 0 || in->op[4] == '.');
}

static void make(struct graph *g, const struct ptx_module *m)
{
    g->by_name = rg_xmalloc(sizeof(void *) * ((size_t)m->n_funcs + 1));
    for (int i = 0; i < m->n_funcs; i++)
        if (m->funcs[i]->has_body) g->by_name[g->n++] = m->funcs[i];
    qsort(g->by_name, (size_t)g->n, sizeof *g->by_name, by_name);
    g->first = rg_xmalloc(sizeof(int) * ((size_t)g->n + 1));
    for (int i = 0; i < g->n; i++) {
        const struct ptx_func *f = g->by_name[i];
        g->first[i] = g->n_edges;
        for (int k = 0; k < f->n_insts; k++) {
            const struct ptx_inst *in = &f->insts[k];
            for (int o = 0; o < in->n && rg__ptx_is_call(in); o++) {
                int to = in->o[o].kind == PTX_O_FUNC ? find(g, in->o[o].name) : -1;
                if (to < 0) continue;
                RG_GROW(g->to, g->n_edges, g->cap_edges);
                g->to[g->n_edges++] = to;
            }
        }
    }
    g->first[g->n] = g->n_edges;
}

void rg__ptx_mark_recursive(struct ptx_module *m)
{
    struct graph g;
    memset(&g, 0, sizeof g);
    make(&g, m);
    size_t n = (size_t)g.n + 1;
    int *number = rg_xcalloc(n * 5, sizeof *number), *low = number + n, *path = low + n, *next = path + n,
        *open = next + n;
    int count = 0, n_open = 0;
    bool *on = rg_xcalloc(n, sizeof *on);
    for (int root = 0; root < g.n; root++) {
        if (number[root]) continue;
        int depth = 0;
        path[0] = root;
        number[root] = 0;
        for (;;) {
            int v = path[depth];
            if (!number[v]) {
                number[v] = low[v] = ++count;
                next[v] = g.first[v];
                open[n_open++] = v;
                on[v] = true;
            }
            if (next[v] < g.first[v + 1]) {
                int t = g.to[next[v]++];
                if (t == v) g.by_name[v]->recursive = true;
                if (!number[t])
                    path[++depth] = t;
                else if (on[t] && number[t] < low[v])
                    low[v] = number[t];
                continue;
            }
            if (low[v] == number[v]) {
                bool several = open[n_open - 1] != v;
                for (int w = -1; w != v;) {
                    w = open[--n_open];
                    on[w] = false;
                    if (several) g.by_name[w]->recursive = true;
                }
            }
            if (!depth) break;
            int up = path[--depth];
            if (low[v] < low[up]) low[up] = low[v];
        }
    }
    free(g.by_name);
    free(g.first);
    free(g.to);
    free(number);
    free(on);
}

bool rg_ptx_recursive(const char *text, size_t len)
{
    bool calls = false, recursive = false;
    for (const char *p = text, *end = text + len; !calls && (p = memmem(p, (size_t)(end - p), "call", 4));
         p += 4) /* "call.uni (x), f, (y);": no comment, no name */
        calls = p > text && (p[-1] == '\t' || p[-1] == ' ' || p[-1] == '\n') &&
                (p[4] == '.' || p[4] == ' ' || p[4] == '\t');
    struct ptx_module *m = NULL;
    if (!calls || rg__ptx_parse(text, len, &m, NULL)) return false;
    for (int i = 0; i < m->n_funcs; i++) recursive = recursive || m->funcs[i]->recursive;
    rg__ptx_free(m);
    return recursive;
}
