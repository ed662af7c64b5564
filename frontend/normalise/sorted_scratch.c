/* Scratch that every iteration of a loop fills and sorts: a row is copied, sorted, and asked for its median. A grid
 * sorts the rows of a matrix at once, where a loop that shares the scratch sorts one after the other. So it gets a row
 * for each iteration, or, where data say how much is sorted or rows are few elements, is the iteration's own, which its
 * thread sorts. */
#include "frontend/normalise/sorted_scratch.h"
#include "ir/ctree_sort.h"

enum {
    LEAST = 32,      /* elements that are worth a block */
    ROW_WORTH = 512, /* comparisons of one thread that take as long as the launches for a row */
    MOST_DIMS = 3
};
#define MOST_BYTES ((int64_t)1 << 30)

/* How much of the array is sorted is known in front of the loop, and that it is. */
static bool sorts_alike(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    struct rg_csort sort;
    if (!n || rg__c_is_expr(n) || !rg__c_mentions_array(n, array)) return true;
    if (rg_c_sort_of(n, &sort)) return rg_c_affine(t, sort.loop->kid[0]) && rg_c_affine(t, sort.loop->kid[1]);
    if (n->kind == RG_C_IF && rg__mentions_sort(n, array) && !rg_c_affine(t, n->kid[0])) return false;
    if ((n->kind == RG_C_WHILE || n->kind == RG_C_FOR || n->kind == RG_C_DO) && rg__mentions_sort(n, array))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!sorts_alike(t, n->kid[i], array)) return false;
    return true;
}

bool rg__mentions_sort(const struct rg_cnode *n, int array)
{
    struct rg_csort sort;
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_LOOP && rg_c_sort_of(n, &sort)) return rg__c_mentions_array(n, array);
    for (int i = 0; i < n->n; i++)
        if (rg__mentions_sort(n->kid[i], array)) return true;
    return false;
}

/* Is it named by its elements alone? */
static bool by_elements(const struct rg_cnode *n, int array)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM) return false;
    if (n->array == array && (n->kind == RG_C_VAR || (n->kind == RG_C_INDEX && n->pointer))) return false;
    if (n->kind == RG_C_DECL && n->array == array) return false;
    for (int i = 0; i < n->n; i++)
        if (!by_elements(n->kid[i], array)) return false;
    return true;
}

static void give_row(struct rg_ctree *t, struct rg_cnode *n, int array, int var)
{
    if (!n) return;
    for (int i = 0; i < n->n; i++) give_row(t, n->kid[i], array, var);
    if (n->kind != RG_C_INDEX || n->array != array) return;
    struct rg_cnode **kids = rg_arena_alloc(&t->arena, sizeof *kids * ((size_t)n->n + 1));
    kids[0] = rg__c_var(t, var);
    for (int i = 0; i < n->n; i++) kids[i + 1] = n->kid[i];
    n->kid = kids;
    n->n++;
}

/* Elements of the array, and iterations, at a size; false: nobody knows. */
static bool measured(const struct rg_ctree *t, const struct rg_problem *p, const struct rg_sizes *size, int array,
                     const struct rg_expr *end, int64_t *elements, int64_t *rows)
{
    const struct rg_carray *x = &t->arrays[array];
    struct rg_problem_env env;
    int64_t n;
    rg_problem_env_init(&env, p, size);
    *elements = 1;
    for (int d = 0; d < x->n_dims; d++) {
        if (!x->dims[d] || rg_expr_eval(x->dims[d], &env.env, &n, NULL) != RG_OK || n < 0 || n > MOST_BYTES)
            return false;
        *elements *= n;
        if (*elements > MOST_BYTES) return false;
    }
    return rg_expr_eval(end, &env.env, rows, NULL) == RG_OK;
}

enum rg__scratch_home rg__sorted_scratch(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *loop,
                                         int array)
{
    struct rg_carray *x = &t->arrays[array];
    const struct rg_cnode *end = rg__c_strip_int_casts(rg__c_copy(t, loop->kid[1]));
    const struct rg_expr *trips =
        loop->n == 3 && loop->step == 1 && rg__c_of_params(t, end) ? rg__c_to_expr(t, end, &t->arena) : NULL;
    int64_t first, n, rows, levels = 1;
    if (!trips || !rg__c_number(rg__c_strip_int_casts(loop->kid[0]), &first) || first < 0) return RG__SCRATCH_STAYS;
    bool matrix = x->n_dims < MOST_DIMS && sorts_alike(t, loop->kid[2], array) && by_elements(loop->kid[2], array);
    bool own = p->n_sizes > 0;
    int64_t bytes = x->elem == RG_STRUCT ? p->structs[x->struct_index].bytes : (int64_t)rg_scalar_bytes(x->elem);
    for (int i = 0; i < p->n_sizes; i++) {
        if (!measured(t, p, &p->sizes[i], array, trips, &n, &rows)) return RG__SCRATCH_STAYS;
        matrix = matrix && (rows <= 0 || n <= MOST_BYTES / bytes / rows);
        if (i) continue;
        for (int64_t k = n; k > 1; k /= 2) levels++;
        own = rows * ROW_WORTH >= n * levels;
        matrix = matrix && !(own && n < LEAST);
    }
    if (!matrix) return own ? RG__SCRATCH_OWN : RG__SCRATCH_STAYS;
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims * ((size_t)x->n_dims + 1));
    dims[0] = trips;
    for (int d = 0; d < x->n_dims; d++) dims[d + 1] = x->dims[d];
    x->dims = dims;
    x->n_dims++;
    give_row(t, loop->kid[2], array, loop->var);
    return RG__SCRATCH_ROWS;
}
