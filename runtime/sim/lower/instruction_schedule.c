#include "runtime/sim/lower/instruction_schedule.h"
#include <stdlib.h>
#include <string.h>

enum { GLOBAL = 1, SHARED = 2, LOCAL = 4, ALL = 7 };

/* Spaces an instruction reads and writes; order: it may not pass others of its kind. */
static void effects(const struct sim_inst *in, int *reads, int *writes, bool *order)
{
    *reads = *writes = 0;
    *order = false;
    switch (in->op) {
    case SIM_LDG:
    case SIM_LDG32:
        *reads = in->flags & SIM_F_CONSTANT ? 0 : GLOBAL;
        break;
    case SIM_STG:
    case SIM_STG32:
        *writes = GLOBAL;
        break;
    case SIM_LDS:
    case SIM_LDS32:
    case SIM_LDMATRIX:
        *reads = SHARED;
        break;
    case SIM_STS:
    case SIM_STS32:
        *writes = SHARED;
        break;
    case SIM_LDL:
        *reads = LOCAL;
        break;
    case SIM_STL:
        *writes = LOCAL;
        break;
    case SIM_LDX:
        *reads = ALL;
        break;
    case SIM_STX:
        *writes = ALL;
        break;
    case SIM_CPASYNC:
        *reads = GLOBAL, *writes = SHARED;
        break;
    case SIM_WMMALD:
        *reads = ALL, *order = true;
        break;
    case SIM_WMMAST:
        *writes = ALL, *order = true;
        break;
    case SIM_ATOM:
    case SIM_BAR:
    case SIM_WARPSYNC:
    case SIM_FENCE:
    case SIM_TRAP:
    case SIM_EXIT:
    case SIM_MARK:
    case SIM_SAVE:
    case SIM_RESTORE:
    case SIM_CALL:
    case SIM_RET:
    case SIM_PASS:
        *reads = *writes = ALL;
        *order = true;
        break;
    case SIM_SHFL:
    case SIM_VOTE:
    case SIM_MATCH:
    case SIM_REDUX:
    case SIM_ACTIVE:
    case SIM_ELECT:
    case SIM_CLOCK:
    case SIM_MMA:
    case SIM_WMMA:
        *order = true;
        break;
    default:
        break;
    }
    if (in->flags & SIM_F_ORDERED) *reads = *writes = ALL, *order = true;
}

static bool is_load(const struct sim_inst *in)
{
    return in->op == SIM_LDG || in->op == SIM_LDG32 || in->op == SIM_LDS || in->op == SIM_LDS32 || in->op == SIM_LDL ||
           in->op == SIM_LDX;
}

struct edge {
    int to, next;
};
struct node {
    int n_preds, succs, waits;
    bool hot, is_load, pending;
};
struct reg {
    int epoch, def, uses;
}; /* last definition, list of uses since */
struct graph {
    struct sim_kernel *k;
    int n;
    struct node *nodes;
    struct edge *edges;
    int n_edges, cap_edges;
    struct reg *regs;
    int epoch, at;
};

static void edge(struct graph *g, int from, int to)
{
    if (from < 0 || from == to) return;
    RG_GROW(g->edges, g->n_edges, g->cap_edges);
    g->edges[g->n_edges] = (struct edge){to, g->nodes[from].succs};
    g->nodes[from].succs = g->n_edges++;
    g->nodes[to].n_preds++;
}

static struct reg *reg_of(struct graph *g, int r)
{
    struct reg *x = &g->regs[r];
    if (x->epoch != g->epoch) *x = (struct reg){g->epoch, -1, -1};
    return x;
}

static void link_uses(void *arg, int32_t *o, bool is_def)
{
    struct graph *g = arg;
    if (is_def || *o < 0) return;
    struct reg *r = reg_of(g, *o);
    edge(g, r->def, g->at);
    RG_GROW(g->edges, g->n_edges, g->cap_edges); /* the same store holds lists of uses */
    g->edges[g->n_edges] = (struct edge){g->at, r->uses};
    r->uses = g->n_edges++;
}
static void link_defs(void *arg, int32_t *o, bool is_def)
{
    struct graph *g = arg;
    if (!is_def || *o < 0) return;
    struct reg *r = reg_of(g, *o);
    edge(g, r->def, g->at);
    for (int u = r->uses; u >= 0; u = g->edges[u].next) edge(g, g->edges[u].to, g->at);
    r->def = g->at;
    r->uses = -1;
}

static void push(int *heap, int *n, int v)
{
    int i = (*n)++;
    while (i > 0 && heap[(i - 1) / 2] > v) heap[i] = heap[(i - 1) / 2], i = (i - 1) / 2;
    heap[i] = v;
}
static int pop(int *heap, int *n)
{
    int top = heap[0], v = heap[--*n], i = 0;
    for (int c; (c = 2 * i + 1) < *n; i = c) {
        if (c + 1 < *n && heap[c + 1] < heap[c]) c++;
        if (heap[c] >= v) break;
        heap[i] = heap[c];
    }
    heap[i] = v;
    return top;
}

void rg__sim_schedule(struct sim_kernel *k, int from, int to, const bool *dead, int n_regs, int in_flight)
{
    int *live = rg_xmalloc(sizeof *live * (size_t)(to - from + 1)), n = 0, loads = 0;
    for (int i = from; i < to; i++)
        if (!dead[i]) {
            live[n++] = i;
            loads += is_load(&k->code[i]);
        }
    if (loads < 2 || n < 4) {
        free(live);
        return;
    }
    struct graph g = {.k = k, .n = n, .epoch = 1};
    g.nodes = rg_xcalloc((size_t)n, sizeof *g.nodes);
    g.regs = rg_xcalloc((size_t)n_regs + 1, sizeof *g.regs);
    int last_write[3] = {-1, -1, -1}, last_order = -1;
    int *readers = rg_xmalloc(sizeof *readers * (size_t)n * 3), n_readers[3] = {0, 0, 0};
    for (int i = 0; i < n; i++) g.nodes[i].succs = -1;
    for (int i = 0; i < n; i++) {
        struct sim_inst *in = &k->code[live[i]];
        int reads, writes;
        bool order;
        g.at = i;
        rg__sim_visit(k, in, link_uses, &g);
        rg__sim_visit(k, in, link_defs, &g);
        effects(in, &reads, &writes, &order);
        for (int s = 0; s < 3; s++) {
            if ((reads | writes) >> s & 1) edge(&g, last_write[s], i);
            if (writes >> s & 1) {
                for (int j = 0; j < n_readers[s]; j++) edge(&g, readers[s * n + j], i);
                n_readers[s] = 0;
                last_write[s] = i;
            } else if (reads >> s & 1)
                readers[s * n + n_readers[s]++] = i;
        }
        if (order) {
            edge(&g, last_order, i);
            last_order = i;
        }
        g.nodes[i].is_load = is_load(in);
    }
    /* The last instruction stays last. */
    int op = k->code[live[n - 1]].op;
    if (op == SIM_BRA || op == SIM_BRAP || op == SIM_EXIT || op == SIM_TRAP || op == SIM_CALL || op == SIM_RET)
        for (int i = 0; i < n - 1; i++) edge(&g, i, n - 1);
    /* Hot: loads and what their addresses are made of. */
    for (int i = n - 1; i >= 0; i--) {
        g.nodes[i].hot = g.nodes[i].is_load;
        for (int e = g.nodes[i].succs; e >= 0 && !g.nodes[i].hot; e = g.edges[e].next)
            if (i != n - 1 && g.edges[e].to != n - 1 && g.nodes[g.edges[e].to].hot) g.nodes[i].hot = true;
    }
    int *heaps = rg_xmalloc(sizeof *heaps * (size_t)n * 2), n_hot = 0, n_cold = 0, *hot = heaps, *cold = heaps + n,
        waiting = 0;
    struct sim_inst *order = rg_xmalloc(sizeof *order * (size_t)n);
    for (int i = 0; i < n; i++)
        if (!g.nodes[i].n_preds) g.nodes[i].hot ? push(hot, &n_hot, i) : push(cold, &n_cold, i);
    for (int done = 0; done < n; done++) {
        bool take_hot = n_hot && (!n_cold || waiting < in_flight);
        int i = take_hot ? pop(hot, &n_hot) : pop(cold, &n_cold);
        struct node *x = &g.nodes[i];
        order[done] = k->code[live[i]];
        if (x->is_load) waiting += order[done].y, x->pending = true;
        for (int e = x->succs; e >= 0; e = g.edges[e].next) {
            struct node *y = &g.nodes[g.edges[e].to];
            if (--y->n_preds == 0) y->hot ? push(hot, &n_hot, g.edges[e].to) : push(cold, &n_cold, g.edges[e].to);
            if (x->is_load) y->waits++;
        }
        if (x->waits) { /* the loads before it have been used */
            waiting -= x->waits * 1;
            if (waiting < 0) waiting = 0;
        }
    }
    for (int i = 0; i < n; i++) k->code[live[i]] = order[i];
    free(order);
    free(heaps);
    free(readers);
    free(g.nodes);
    free(g.edges);
    free(g.regs);
    free(live);
}

/* ---- merging ---- */

struct defined {
    const int32_t *bases;
    int n;
    uint64_t hit;
};
static void check_def(void *arg, int32_t *o, bool is_def)
{
    struct defined *d = arg;
    for (int i = 0; is_def && i < d->n; i++)
        if (d->bases[i] == *o) d->hit |= (uint64_t)1 << i;
}

void rg__sim_merge_shared(struct sim_kernel *k, int from, int to, const bool *dead, int *leader)
{
    enum { OPEN = 48 };
    struct open {
        int32_t base;
        int64_t chunk, origin;
        int op, n, members[4];
    } open[OPEN];
    int32_t bases[OPEN];
    int n = 0;
    for (int i = from; i <= to; i++) {
        struct sim_inst *in = i < to ? &k->code[i] : NULL;
        if (in && dead[i]) continue;
        int reads = ALL, writes = ALL;
        bool order;
        if (in) effects(in, &reads, &writes, &order);
        struct defined d = {bases, n, 0};
        for (int j = 0; j < n; j++) bases[j] = open[j].base;
        if (in) rg__sim_visit(k, in, check_def, &d);
        bool mine = in && (in->op == SIM_LDS32 || in->op == SIM_STS32);
        for (int j = 0; j < n;) { /* who can grow no more is settled */
            bool conflict = open[j].op == SIM_LDS32
                                ? (writes & SHARED) != 0
                                : ((reads | writes) & SHARED) != 0 && !(mine && in->op == SIM_STS32);
            bool full = n == OPEN && mine;
            if (!conflict && !(d.hit >> j & 1) && !full) {
                j++;
                continue;
            }
            int size = open[j].n == 4 ? 4 : 0;
            for (int a = 0; a < open[j].n && size != 4; a++) /* pairs: the two words of one half */
                for (int b = a + 1; b < open[j].n; b++)
                    if (k->code[open[j].members[b]].imm - k->code[open[j].members[a]].imm == 4 &&
                        ((k->code[open[j].members[a]].imm - open[j].origin) & 7) == 0) {
                        k->code[open[j].members[a]].group = 2;
                        leader[open[j].members[b]] = open[j].members[a];
                    }
            if (size == 4) {
                k->code[open[j].members[0]].group = 4;
                for (int a = 1; a < 4; a++) leader[open[j].members[a]] = open[j].members[0];
            }
            open[j] = open[--n];
            d.hit = d.hit >> n & 1 ? d.hit | (uint64_t)1 << j : d.hit & ~((uint64_t)1 << j);
        }
        if (!mine) continue;
        /* Chunks of 16 bytes are counted from the lowest offset of this base. */
        int64_t origin = in->imm;
        for (int q = from; q < to; q++)
            if (!dead[q] && k->code[q].op == in->op && k->code[q].a == in->a && k->code[q].imm < origin)
                origin = k->code[q].imm;
        int64_t chunk = (in->imm - origin) >> 4;
        int j = 0;
        while (j < n && !(open[j].base == in->a && open[j].chunk == chunk && open[j].op == in->op && open[j].n < 4))
            j++;
        if (j == n) {
            /* its first member must be the lowest: the address checked at run time is that one's */
            open[n++] = (struct open){in->a, chunk, origin, in->op, 1, {i, -1, -1, -1}};
        } else if (in->imm > k->code[open[j].members[open[j].n - 1]].imm)
            open[j].members[open[j].n++] = i;
    }
}
