/* scan.block in print. Over the grid, three kernels: a warp has a piece of the iterations and goes through it in steps
 * of neighbouring ones, part buffers hold first what each piece does, then the values it starts from. In a block's or a
 * team's kernel: the loop in such steps. */
#include "poly/cuda/print.h"
#include "poly/kernel/recurrence.h"
#include <string.h>

static const struct poly_scan *the_scan(const struct poly_print *pr)
{
    return pr->k->scans[0];
}

static const char *part_name(struct poly_print *pr, int row, int col)
{
    return rg__poly_fresh(pr, "part%d_%.100s", pr->k->scan_first, rg__poly_run_member(pr, the_scan(pr), row, col));
}

const char *rg__poly_scan_grid(struct poly_print *pr)
{
    return rg__poly_printf(pr, "max(1, min(%lld, ceil_div(%s, %lld)))", (long long)pr->v.grid,
                           rg__poly_dim_count(pr, pr->k->reduce_loop, true), (long long)(pr->v.block * pr->v.items));
}

/* fn for every member of a run; those with col < 0 come to hold the values that pieces start from. */
static void each_part(struct poly_print *pr, void (*fn)(struct poly_print *pr, int row, int col, void *arg), void *arg)
{
    const struct poly_scan *sc = the_scan(pr);
    for (int i = 0; i < sc->n; i++)
        for (int c = 0; c <= POLY_MAX_CARRIED; c++)
            if (c == POLY_MAX_CARRIED || rg__poly_run_has(sc, i, c)) fn(pr, i, c < POLY_MAX_CARRIED ? c : -1, arg);
}

static void scratch_line(struct poly_print *pr, int row, int col, void *plan)
{
    rg_buf_printf(plan, "scratch %s %s[%lld];\n", rg_scalar_c(rg__poly_run_type(the_scan(pr), row)),
                  part_name(pr, row, col), (long long)(pr->v.grid * (pr->v.block / 32)));
}

void rg__poly_scan_scratch(struct poly_print *pr, struct rg_buf *plan)
{
    if (pr->k->form == POLY_SCAN_TOTALS) each_part(pr, scratch_line, plan);
}

struct arguments {
    struct rg_buf *decl, *pass;
    int *n;
};

static void argument(struct poly_print *pr, int row, int col, void *arg)
{
    struct arguments *a = arg;
    bool apply = pr->k->form == POLY_SCAN_APPLY;
    if (apply && col >= 0) return;
    rg_buf_printf(a->decl, "%s%s%s *%s", *a->n ? ", " : "", apply ? "const " : "",
                  rg_scalar_cuda(rg__poly_run_type(the_scan(pr), row)), part_name(pr, row, col));
    rg_buf_printf(a->pass, "%s%s", *a->n ? ", " : "", part_name(pr, row, col));
    ++*a->n;
}

void rg__poly_scan_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass, int *n)
{
    if (pr->k->form < POLY_SCAN_TOTALS) return;
    struct arguments a = {decl, pass, n};
    each_part(pr, argument, &a);
    if (pr->k->form == POLY_SCAN_OFFSETS) {
        rg_buf_printf(decl, ", int %s", rg__poly_fresh(pr, "parts"));
        rg_buf_printf(pass, ", %s * %lld", rg__poly_scan_grid(pr), (long long)(pr->v.block / 32));
        ++*n;
    }
}

/* ---- what all of them say ---- */

/* The number of iterations. */
static void count_line(struct poly_print *pr, const struct poly_loop *l)
{
    bool up = l->step > 0;
    long long m = up ? l->step : -l->step;
    const char *lo = rg__poly_signed(pr, l->id, rg__poly_operand(pr, l->node->kid[0])), *hi = rg__poly_limit(pr, l->id);
    const char *n =
        up ? rg__poly_printf(pr, "(long long)%s - %s", hi, lo) : rg__poly_printf(pr, "(long long)%s - %s", lo, hi);
    if (up && !strcmp(lo, "0")) n = hi;
    if (m > 1) n = rg__poly_printf(pr, "(%s + %lld) / %lld", n, m - 1, m);
    rg__poly_line(pr, "const long long %s = %s %c %s ? %s : 0;", rg__poly_fresh(pr, "count"), hi, up ? '>' : '<', lo,
                  n);
}

/* The loop's variable in iteration number `at`. */
static void variable(struct poly_print *pr, const struct poly_loop *l, const char *at)
{
    const char *type = rg__poly_index_type(pr, l->var), *lo = rg__poly_addend(pr, l->node->kid[0]);
    const char *off = l->step == 1 || l->step == -1
                          ? at
                          : rg__poly_printf(pr, "%s * %lld", at, (long long)(l->step > 0 ? l->step : -l->step));
    if (l->step > 0 && !strcmp(lo, "0"))
        rg__poly_line(pr, "const %s %s = (%s)%s;", type, l->name, type,
                      strchr(off, ' ') && off[0] != '(' ? rg__poly_printf(pr, "(%s)", off) : off);
    else if (!strcmp(at, "0"))
        rg__poly_line(pr, "const %s %s = %s;", type, l->name, lo);
    else
        rg__poly_line(pr, "const %s %s = (%s)(%s %c %s);", type, l->name, type, lo, l->step > 0 ? '+' : '-', off);
}

/* Carried elements as they are in front of the loop. */
static void load_elements(struct poly_print *pr, const struct poly_scan *sc)
{
    const struct poly_loop *l = &pr->s->loops[sc->loop];
    const char *count = rg__poly_fresh(pr, "count");
    for (int i = 0; i < sc->n; i++) {
        const struct poly_carried *c = &sc->at[i];
        if (c->var >= 0) continue;
        const char *name = rg__poly_carried_name(pr, sc, i);
        rg__poly_line(pr, "%s %s = 0;", rg__poly_carried_type(pr, sc, i), name);
        if (c->kind == POLY_CARRIED_CHAIN && !c->lag) continue;
        rg__poly_open_brace(pr, "if (%s > 0)", count);
        if (c->kind == POLY_CARRIED_CHAIN) variable(pr, l, "0");
        const char *exists = "";
        for (int d = 0; c->kind == POLY_CARRIED_CHAIN && !c->certain && d < c->in->n; d++) {
            const char *sub = rg__poly_operand(pr, c->in->kid[d]);
            exists = rg__poly_printf(pr, "%s%s%s >= 0 && (long long)%s < %s", exists, d ? " && " : "", sub, sub,
                                     rg__poly_extent(pr, c->array, d));
        }
        rg__poly_line(pr, "%s%s = %s;", *exists ? rg__poly_printf(pr, "if (%s) ", exists) : "", name,
                      rg__poly_text(pr, c->in));
        rg__poly_close_brace(pr);
    }
}

static void store_elements(struct poly_print *pr, const struct poly_scan *sc)
{
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].kind == POLY_CARRIED_ELEMENT) {
            pr->array_written[sc->at[i].array] = true;
            rg__poly_line(pr, "if (%s && %s > 0) %s = %s;", rg__poly_lone(pr), rg__poly_fresh(pr, "count"),
                          rg__poly_text(pr, sc->at[i].in), rg__poly_carried_name(pr, sc, i));
        }
}

struct walk { /* through iterations first to last, LANES * ITEMS at a time */
    const struct poly_scan *sc;
    const struct poly_loop *l;
    const char *lane, *lanes, *mask, *first, *last, *base;
};

static void open_steps(struct poly_print *pr, const struct walk *w)
{
    const char *stride = pr->v.items > 1 ? rg__poly_printf(pr, "%s * \1ITEMS", w->lanes) : w->lanes;
    rg__poly_unroll_line(pr, 0);
    rg__poly_open_brace(pr, "for (long long %s = %s; %s < %s; %s += %s)", w->base, w->first, w->base, w->last, w->base,
                        stride);
}

/* This thread's iterations of the step. */
static void open_items(struct poly_print *pr, const struct walk *w)
{
    const char *at = rg__poly_fresh(pr, "at"), *q = rg__poly_fresh(pr, "q");
    if (pr->v.items > 1) {
        rg__poly_line(pr, "#pragma unroll");
        rg__poly_open_brace(pr, "for (int %s = 0; %s < \1ITEMS; %s++)", q, q, q);
        rg__poly_line(pr, "const long long %s = %s + %s * \1ITEMS + %s;", at, w->base, w->lane, q);
        rg__poly_open_brace(pr, "if (%s < %s)", at, w->last);
    } else {
        rg__poly_open_brace(pr, "if (%s + %s < %s)", w->base, w->lane, w->last);
        at = rg__poly_printf(pr, "(%s + %s)", w->base, w->lane);
    }
    variable(pr, w->l, at);
}

static void close_items(struct poly_print *pr)
{
    rg__poly_close_brace(pr);
    if (pr->v.items > 1) rg__poly_close_brace(pr);
}

static void own_run(struct poly_print *pr, const struct walk *w, const char *mine)
{
    const char *run = rg__poly_run_name(pr, w->sc);
    rg__poly_line(pr, "%s %s = %s_none();", run, mine, run);
    open_items(pr, w);
    rg__poly_run_part(pr, w->sc, mine);
    close_items(pr);
}

/* The steps' iterations themselves; the carried values are moved on. */
static void apply_steps(struct poly_print *pr, const struct walk *w, const struct poly_knode *body)
{
    const struct poly_scan *sc = w->sc;
    const char *run = rg__poly_run_name(pr, sc), *mine = rg__poly_fresh(pr, "mine"), *all = rg__poly_fresh(pr, "all");
    open_steps(pr, w);
    if (sc->applied) rg__poly_twice_open(pr, sc);
    own_run(pr, w, mine);
    if (!w->mask) {
        rg__poly_line(pr, "%s %s;", run, all);
        rg__poly_line(pr, "%s = %s_in_front<\1BLOCK>(%s, %s);", mine, run, mine, all);
    } else {
        rg__poly_line(pr, "%s = %s_through<%s>(%s, %s);", mine, run, w->lanes, mine, w->mask);
        rg__poly_line(pr, "const %s %s = %s_of<%s>(%s, %s, %s - 1);", run, all, run, w->lanes, mine, w->mask, w->lanes);
        if (sc->applied) rg__poly_line(pr, "%s = %s_left<%s>(%s, %s);", mine, run, w->lanes, mine, w->mask);
    }
    if (sc->applied) {
        for (int i = 0; i < sc->n; i++)
            rg__poly_line(pr, "%s %s = %s;", rg__poly_carried_type(pr, sc, i), rg__poly_carried_now(pr, sc, i),
                          rg__poly_carried_name(pr, sc, i));
        rg__poly_line(pr, "%s", rg__poly_run_after(pr, sc, mine, true));
        open_items(pr, w);
        rg__poly_run_body(pr, sc, body, pr->v.items > 1);
        close_items(pr);
    }
    pr->n_twice = 0;
    rg__poly_line(pr, "%s", rg__poly_run_after(pr, sc, all, false));
    rg__poly_close_brace(pr);
}

/* ---- by a block or a team ---- */

void rg__poly_scan_loop(struct poly_print *pr, const struct poly_scan *sc, const struct poly_knode *k)
{
    bool warp = pr->k->team == POLY_TEAM_WARP;
    struct walk w = {sc,
                     &pr->s->loops[sc->loop],
                     rg__poly_lane(pr),
                     rg__poly_team_size(pr),
                     warp ? rg__poly_fresh(pr, "team") : NULL,
                     "0",
                     rg__poly_fresh(pr, "count"),
                     rg__poly_fresh(pr, "base")};
    rg_buf_indent(&pr->out, pr->indent++);
    rg_buf_str(&pr->out, "{\n");
    count_line(pr, w.l);
    load_elements(pr, sc);
    apply_steps(pr, &w, k->kid[0]);
    store_elements(pr, sc);
    rg__poly_close_brace(pr);
}

/* ---- over the grid ---- */

static void pieces(struct poly_print *pr, const struct walk *w)
{
    const char *count = rg__poly_fresh(pr, "count"), *warp = rg__poly_fresh(pr, "warp"),
               *all = rg__poly_fresh(pr, "warps"), *each = rg__poly_fresh(pr, "each");
    const char *step = pr->v.items > 1 ? "(32 * \1ITEMS)" : "32";
    count_line(pr, w->l);
    rg__poly_line(pr, "const int %s = threadIdx.x %% 32;", w->lane);
    rg__poly_line(pr,
                  "const long long %s = (long long)blockIdx.x * (\1BLOCK / 32) + threadIdx.x / 32, %s = (long "
                  "long)gridDim.x * (\1BLOCK / 32);",
                  warp, all);
    rg__poly_line(pr,
                  "const long long %s = ((%s + %s - 1) / %s + %s - 1) / %s * %s; // iterations of a piece, whole steps",
                  each, count, all, all, step, step, step);
    rg__poly_line(pr, "const long long %s = %s * %s < %s ? %s * %s : %s;", w->first, warp, each, count, warp, each,
                  count);
    rg__poly_line(pr, "const long long %s = %s + %s < %s ? %s + %s : %s;", w->last, w->first, each, count, w->first,
                  each, count);
}

struct moving {
    const char *run, *index;
    bool store;
};

static void move_part(struct poly_print *pr, int row, int col, void *arg)
{
    const struct moving *m = arg;
    const char *member = rg__poly_printf(pr, "%s.%s", m->run, rg__poly_run_member(pr, the_scan(pr), row, col));
    const char *part = rg__poly_printf(pr, "%s[%s]", part_name(pr, row, col), m->index);
    rg__poly_line(pr, "%s = %s;", m->store ? part : member, m->store ? member : part);
}

static void totals(struct poly_print *pr, const struct walk *w)
{
    const struct poly_scan *sc = w->sc;
    const char *run = rg__poly_run_name(pr, sc), *mine = rg__poly_fresh(pr, "mine"), *all = rg__poly_fresh(pr, "all");
    pieces(pr, w);
    rg__poly_line(pr, "%s %s = %s_none();", run, all, run);
    open_steps(pr, w);
    if (sc->ordered) {
        own_run(pr, w, mine);
        rg__poly_line(pr, "%s = %s_through<32>(%s, %s);", mine, run, mine, w->mask);
        rg__poly_line(pr, "%s = %s_then(%s, %s_of<32>(%s, %s, 31));", all, run, all, run, mine, w->mask);
    } else { /* any grouping will do */
        open_items(pr, w);
        rg__poly_run_part(pr, sc, all);
        close_items(pr);
    }
    rg__poly_close_brace(pr);
    if (!sc->ordered) rg__poly_line(pr, "%s = %s_through<32>(%s, %s);", all, run, all, w->mask);
    rg__poly_open_brace(pr, "if (%s == 31)", w->lane);
    each_part(pr, move_part, &(struct moving){all, rg__poly_fresh(pr, "warp"), true});
    rg__poly_close_brace(pr);
}

static void offsets(struct poly_print *pr, const struct walk *w)
{
    const struct poly_scan *sc = w->sc;
    const char *run = rg__poly_run_name(pr, sc), *mine = rg__poly_fresh(pr, "mine"), *all = rg__poly_fresh(pr, "all"),
               *own = rg__poly_fresh(pr, "own");
    const char *b = rg__poly_fresh(pr, "b"), *parts = rg__poly_fresh(pr, "parts"), *from = rg__poly_fresh(pr, "from"),
               *to = rg__poly_fresh(pr, "to");
    struct moving load = {own, b, false};
    const struct poly_knode *around = pr->k->body;
    rg__poly_block_items(pr, around->kid, pr->k->n_before);
    count_line(pr, w->l);
    load_elements(pr, sc);
    rg__poly_line(pr,
                  "const int %s = (int)((long long)%s * threadIdx.x / \1BLOCK), %s = (int)((long long)%s * "
                  "(threadIdx.x + 1) / \1BLOCK);",
                  from, parts, to, parts);
    rg__poly_line(pr, "%s %s = %s_none(), %s, %s;", run, mine, run, own, all);
    rg__poly_open_brace(pr, "for (int %s = %s; %s < %s; %s++)", b, from, b, to, b);
    each_part(pr, move_part, &load);
    rg__poly_line(pr, "%s = %s_then(%s, %s);", mine, run, mine, own);
    rg__poly_close_brace(pr);
    rg__poly_line(pr, "%s = %s_in_front<\1BLOCK>(%s, %s);", mine, run, mine, all);
    if (sc->applied) {
        rg__poly_open_brace(pr, "for (int %s = %s; %s < %s; %s++)", b, from, b, to, b);
        each_part(pr, move_part, &load);
        for (int i = 0; i < sc->n; i++)
            rg__poly_line(pr, "%s %s = %s;", rg__poly_carried_type(pr, sc, i), rg__poly_fresh(pr, "start%d", i),
                          rg__poly_carried_name(pr, sc, i));
        const char *call = rg__poly_printf(pr, "%s_after(%s", run, mine);
        for (int i = 0; i < sc->n; i++) call = rg__poly_printf(pr, "%s, %s", call, rg__poly_fresh(pr, "start%d", i));
        rg__poly_line(pr, "%s);", call);
        for (int i = 0; i < sc->n; i++)
            rg__poly_line(pr, "%s[%s] = %s;", part_name(pr, i, -1), b, rg__poly_fresh(pr, "start%d", i));
        rg__poly_line(pr, "%s = %s_then(%s, %s);", mine, run, mine, own);
        rg__poly_close_brace(pr);
    }
    rg__poly_line(pr, "%s", rg__poly_run_after(pr, sc, all, false));
    store_elements(pr, sc);
    rg__poly_block_items(pr, around->kid + pr->k->n_before, around->n - pr->k->n_before);
}

static void apply(struct poly_print *pr, const struct walk *w)
{
    const struct poly_scan *sc = w->sc;
    pieces(pr, w);
    for (int i = 0; i < sc->n; i++)
        rg__poly_line(pr, "%s %s = %s[%s];", rg__poly_carried_type(pr, sc, i), rg__poly_carried_name(pr, sc, i),
                      part_name(pr, i, -1), rg__poly_fresh(pr, "warp"));
    apply_steps(pr, w, pr->k->body->kid[0]->kid[0]);
}

void rg__poly_scan_body(struct poly_print *pr)
{
    const struct poly_scan *sc = the_scan(pr);
    struct walk w = {sc,
                     &pr->s->loops[sc->loop],
                     rg__poly_fresh(pr, "lane"),
                     "32",
                     "0xffffffffu",
                     rg__poly_fresh(pr, "first"),
                     rg__poly_fresh(pr, "last"),
                     rg__poly_fresh(pr, "base")};
    if (pr->k->form == POLY_SCAN_TOTALS)
        totals(pr, &w);
    else if (pr->k->form == POLY_SCAN_OFFSETS)
        offsets(pr, &w);
    else
        apply(pr, &w);
}
