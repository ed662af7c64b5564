/* Which legal edits are worth a place among the steps that a search tries: every one costs compilations and runs. What is left out here
 * can still be asked for by name. */
#include "poly/steps/edit.h"
#include "poly/reorder/reorder.h"
#include <ctype.h>
#include <string.h>

/* The text of a program, for comparison. */
static void text_of(const struct poly_program *p, const struct poly_edits *e, struct rg_buf *out)
{
    struct rg_arena a = {0};
    struct rg_tunables t;
    struct rg_vector v;
    struct poly_values values;
    struct rg_buf plan = RG_BUF_INIT;
    rg__poly_tunables_of(p, e, &a, &t);
    rg_tunables_default(&t, &v);
    rg__poly_values_of(&t, &v, &values);
    if (rg__poly_print_program(p, &values, out, &plan, NULL) == RG_OK)
        rg_buf_str(out, plan.data);
    rg_buf_release(&plan);
    rg_arena_release(&a);
}

/* Past a comment, and past the number by which copies of one variable differ (i_2). */
static const char *skipped(const char *x)
{
    for (;;) {
        const char *y = x;
        if (x[0] == '/' && x[1] == '/')
            y = strchrnul(x, '\n');
        else if (*x == '_' && isdigit((unsigned char)x[1]))
            for (y = x + 1; isdigit((unsigned char)*y); y++) {
            }
        if (y == x)
            return x;
        x = y;
    }
}

static bool same_code(const char *x, const char *y)
{
    for (;; x++, y++) {
        x = skipped(x);
        y = skipped(y);
        if (*x != *y)
            return false;
        if (!*x)
            return true;
    }
}

/* Neighbours along the loop, against elements that lie apart. */
static int stride_score(const struct poly_scop *s, int inside, int var)
{
    const struct poly_loop *l = &s->loops[inside];
    int score = 0;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        for (int u = 0; u < s->stmts[i].n_accesses; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[i].first_access + u];
            for (int d = 0; d < a->n_subs; d++) {
                int64_t c = a->sub[d].ok ? rg__poly_linear_coef(&a->sub[d], var) : 0;
                score += c == 0 ? 0 : d + 1 == a->n_subs && (c == 1 || c == -1) ? 1 : -2;
            }
        }
    return score;
}

/* Of two loops that change places inside a thread, or a block, the one with the nearer elements belongs inside. */
static bool better_strides(const struct poly_scop *s)
{
    for (int l = 0; l < s->n_loops; l++)
        for (int in = l + 1; in < s->n_loops; in++)
            if (s->loops[in].parent == l && s->loops[l].node->edit && s->loops[in].node->edit == s->loops[l].node->edit &&
                stride_score(s, in, s->loops[in].var) > stride_score(s, in, s->loops[l].var))
                return true;
    return false;
}

static bool shares(const struct poly_scop *s, int a, int b)
{
    const struct poly_loop *x = &s->loops[a], *y = &s->loops[b];
    for (int i = x->first_stmt; i < x->first_stmt + x->n_stmts; i++)
        for (int u = 0; u < s->stmts[i].n_accesses; u++)
            for (int j = y->first_stmt; j < y->first_stmt + y->n_stmts; j++)
                for (int w = 0; w < s->stmts[j].n_accesses; w++)
                    if (s->accesses[s->stmts[i].first_access + u].array == s->accesses[s->stmts[j].first_access + w].array)
                        return true;
    return false;
}

/* Parts with loops of their own may want other shapes; parts that share nothing lose nothing. */
static bool better_apart(const struct poly_scop *s)
{
    for (int a = 0; a < s->n_loops; a++)
        for (int b = a + 1; b < s->n_loops; b++) {
            if (!rg__poly_pieces_of_one(s->loops[a].node, s->loops[b].node))
                continue;
            bool la = false, lb = false;
            for (int l = 0; l < s->n_loops; l++) {
                la = la || s->loops[l].parent == a;
                lb = lb || s->loops[l].parent == b;
            }
            if ((la && lb) || !shares(s, a, b))
                return true;
        }
    return false;
}

static bool same_launches(const struct poly_program *x, const struct poly_program *y)
{
    bool same = x->n_kernels == y->n_kernels;
    for (int k = 0; same && k < x->n_kernels; k++)
        same = x->kernels[k].n_dims == y->kernels[k].n_dims && x->kernels[k].n_host == y->kernels[k].n_host && x->kernels[k].form == y->kernels[k].form;
    return same;
}

/* Does wavefront at all nests make the kernels that it makes at one? */
static bool all_nests_do(struct poly_scop *s, const struct poly_edits *one, const char *text)
{
    struct poly_edits all = {0};
    char why[512];
    rg__poly_edits_add(&all, POLY_EDIT_WAVEFRONT, "C");
    struct poly_program *p = rg__poly_apply(s, &all, why, sizeof why);
    struct rg_buf x = RG_BUF_INIT;
    if (p)
        text_of(p, one, &x);
    bool same = p && same_code(x.data, text);
    rg_buf_release(&x);
    rg__poly_program_free(p);
    return same;
}

enum { SLOWER = 3 }; /* estimates are rough */

/* A block that takes the plan's loops over saves launches. Where far more time goes into what its threads can't share, as every one of them goes
 * through all of that, or into work that kept the whole device busy before, there is nothing to be gained. Where nothing of the plan could run in
 * parallel it takes one thread's place, and must share what that one is busy with. */
static const char *block_saves_little(struct poly_scop *s, const struct poly_edits *before_edits, const struct poly_program *p)
{
    char ignored[512];
    struct poly_edits alone = {0};
    struct poly_program *before = rg__poly_apply(s, before_edits, ignored, sizeof ignored);
    bool one_thread = !before;
    if (one_thread) {
        rg__poly_edits_add(&alone, POLY_EDIT_SEQUENTIAL, "C");
        before = rg__poly_apply(s, &alone, ignored, sizeof ignored);
    }
    if (!before)
        return NULL;
    double saved = rg__poly_launch_time(before) - rg__poly_launch_time(p), was = rg__poly_program_time(before), lone, shared;
    rg__poly_resident_time(p, &lone, &shared);
    rg__poly_program_free(before);
    if (one_thread)
        return 2 * lone > was ? "by estimate its threads can't share most of the work: one thread alone is as fast" : NULL;
    if (lone > SLOWER * saved)
        return "by estimate what its threads can't share takes longer than all the launches that it saves";
    if (shared > SLOWER * saved && shared > was)
        return "by estimate one multiprocessor needs far longer for all that work than the launches that it saves take";
    return NULL;
}

bool rg__poly_worth_offering(struct poly_scop *s, const struct poly_edits *parent, const struct poly_edits *e, enum poly_edit_kind kind,
                             const struct poly_program *p, char *why, size_t size)
{
    struct poly_edits mapped = *parent;
    char ignored[512];
    if (kind == POLY_EDIT_READONLY) {
        snprintf(why, size, "what a kernel only reads is const __restrict__ from the start: the compiler takes the read-only path by itself");
        return false;
    }
    if (kind == POLY_EDIT_UNROLL && rg__poly_copies_most(p, false) < 2) {
        snprintf(why, size, "the bodies of its loops are too long to be repeated: compilers would take seconds for them");
        return false;
    }
    if (!parent->n)
        rg__poly_edits_add(&mapped, POLY_EDIT_PARALLELIZE, "C");
    const char *little = kind == POLY_EDIT_RESIDENT_BLOCK ? block_saves_little(s, &mapped, p) : NULL;
    if (little) {
        snprintf(why, size, "%s", little);
        return false;
    }
    if (!rg__poly_reorders(kind))
        return true;
    struct rg_buf x = RG_BUF_INIT, y = RG_BUF_INIT;
    bool whole = kind == POLY_EDIT_WAVEFRONT && !strcmp(e->items[0].site, "C"), ok = false;
    text_of(p, e, &y);
    if (kind == POLY_EDIT_WAVEFRONT && !whole && all_nests_do(s, e, y.data)) {
        snprintf(why, size, "wavefront@C comes to the same kernels");
        rg_buf_release(&y);
        return false;
    }
    struct poly_program *before = rg__poly_apply(s, &mapped, ignored, sizeof ignored);
    if (!before) {
        rg_buf_release(&y);
        return true;
    }
    text_of(before, &mapped, &x);
    double factor = kind == POLY_EDIT_WAVEFRONT && !whole ? 1 : SLOWER;
    if (same_code(x.data, y.data))
        snprintf(why, size, "it would change nothing in the kernels");
    else if (rg__poly_program_time(p) > factor * rg__poly_program_time(before))
        snprintf(why, size, factor > 1 ? "by estimate it is more than three times slower" : "by estimate the order of the file is faster");
    else if (kind == POLY_EDIT_INTERCHANGE && same_launches(before, p) && !better_strides(p->scop))
        snprintf(why, size, "the loop inside has the nearer elements already");
    else if (kind == POLY_EDIT_FISSION && !better_apart(p->scop))
        snprintf(why, size, "its parts share arrays, and not each has a loop of its own: apart they would only be read twice");
    else
        ok = true;
    rg_buf_release(&x);
    rg_buf_release(&y);
    rg__poly_program_free(before);
    return ok;
}

/* A resident kernel's barriers are not estimated, a scan's order is its own: of those nothing is said. */
bool rg__poly_front_is_faster(struct poly_scop *s, const struct poly_edits *parent, const struct poly_edits *e, enum poly_edit_kind kind,
                              const struct poly_program *p, char *why, size_t size)
{
    struct poly_edits front = {0};
    char ignored[512];
    if (parent->n || (kind != POLY_EDIT_PARALLELIZE && kind != POLY_EDIT_REDUCE_BLOCK))
        return false;
    rg__poly_edits_add(&front, POLY_EDIT_WAVEFRONT, "C");
    struct poly_program *other = rg__poly_apply(s, &front, ignored, sizeof ignored);
    if (!other)
        return false;
    struct rg_buf x = RG_BUF_INIT, y = RG_BUF_INIT;
    text_of(p, e, &x);
    text_of(other, &front, &y);
    double own = rg__poly_program_time(p), fronts = rg__poly_program_time(other);
    bool faster = !same_code(x.data, y.data) && own > SLOWER * fronts;
    if (faster)
        snprintf(why, size, "by estimate wavefront@C, which leaves the order of the file, is %.0f times faster", own / fronts);
    rg_buf_release(&x);
    rg_buf_release(&y);
    rg__poly_program_free(other);
    return faster;
}
