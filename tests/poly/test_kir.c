/* Kernel IR: builders compute what is known, passes shorten, both printers write a kernel down, and a printed one does
 * what the C does that it was converted from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "poly/cuda/kir_cuda.h"
#include "tests/poly/execute.h"
#include "tests/poly/kir_bench.h"
#include "tests/poly/mini.h"

/* ---- builders ---- */

static void numbers(void **state)
{
    struct bench b;
    int64_t v;
    (void)state;
    setup(&b);
    struct kir_node *tx = nam(&b, b.tx);
    assert_ptr_equal(rg__kir_add(b.k, tx, num(&b, 0)), tx);
    assert_ptr_equal(rg__kir_mul(b.k, num(&b, 1), tx), tx);
    assert_true(rg__kir_number(b.k, rg__kir_mul(b.k, num(&b, 6), num(&b, 7)), &v) && v == 42);
    /* constants under another type are numbers, too, where that type has them */
    struct kir_node *big = rg__kir_name(b.k, rg__kir_constant(b.k, "BIG", INT64_C(1) << 40)),
                    *some = rg__kir_name(b.k, rg__kir_constant(b.k, "SOME", 96));
    assert_true(rg__kir_number(b.k, rg__kir_cast(b.k, RG_U32, some), &v) && v == 96);
    assert_false(rg__kir_number(b.k, rg__kir_cast(b.k, RG_U32, big), &v));
    assert_false(rg__kir_number(b.k, rg__kir_cast(b.k, RG_F32, some), &v));
    /* x + 2 + 3 is x + 5; what would not fit an int stays as it is */
    struct kir_node *sum = rg__kir_add(b.k, rg__kir_add(b.k, tx, num(&b, 2)), num(&b, 3));
    assert_ptr_equal(sum->kid[0], tx);
    assert_int_equal(sum->kid[1]->ivalue, 5);
    assert_int_equal(rg__kir_add(b.k, num(&b, 2147483647), num(&b, 1))->kind, KIR_BINARY);
    /* reals keep what changes a -0.0 */
    struct kir_node *x = at(&b, b.x, tx), *zero = rg__kir_real(b.k, 0, RG_F32);
    assert_int_equal(rg__kir_add(b.k, x, zero)->kind, KIR_BINARY);
    /* C's conversions */
    assert_int_equal(rg__kir_add(b.k, tx, rg__kir_real(b.k, 1, RG_F64))->type, RG_F64);
    assert_int_equal(rg__kir_less(b.k, x, zero)->type, RG_I32);
    assert_int_equal(rg__kir_and(b.k, num(&b, 0), rg__kir_less(b.k, tx, num(&b, 3)))->ivalue, 0);
    /* equal trees, equal numbers */
    struct kir_node *p = rg__kir_less(b.k, rg__kir_add(b.k, tx, num(&b, 4)), nam(&b, b.n)),
                    *q = rg__kir_less(b.k, rg__kir_add(b.k, tx, num(&b, 4)), nam(&b, b.n)),
                    *r = rg__kir_less(b.k, rg__kir_add(b.k, tx, num(&b, 5)), nam(&b, b.n));
    assert_true(rg__kir_equal(p, q) && rg__kir_hash(p) == rg__kir_hash(q));
    assert_false(rg__kir_equal(p, r));
    assert_true(rg__kir_mentions(p, b.n) && !rg__kir_mentions(p, b.block));
    rg_arena_release(&b.arena);
}

static void names(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    assert_string_equal(b.k->symbols[rg__kir_value(b.k, "x", RG_F32)].name, "x_2");
    assert_string_equal(b.k->symbols[rg__kir_value(b.k, "threadIdx", RG_I32)].name, "threadIdx_2");
    rg_arena_release(&b.arena);
}

/* ---- passes ---- */

static void passes(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    int i = rg__kir_index(k, "i", RG_I32), v = rg__kir_value(k, "v", RG_I32), w = rg__kir_value(k, "w", RG_I32),
        one = rg__kir_index(k, "one", RG_I32);
    struct kir_node *loop = rg__kir_for(k, KIR_SERIAL, i, nam(&b, b.n)), *body = rg__kir_body(loop);
    rg__kir_add_to(k, body, rg__kir_let(k, v, rg__kir_mul(k, nam(&b, b.tx), num(&b, 4))));
    rg__kir_add_to(k, body, rg__kir_let(k, w, rg__kir_add(k, nam(&b, i), num(&b, 4))));
    rg__kir_add_to(k, body,
                   rg__kir_store(k, at(&b, b.y, rg__kir_add(k, nam(&b, v), nam(&b, i))), rg__kir_real(k, 1, RG_F32)));
    struct kir_node *never = rg__kir_if(k, rg__kir_less(k, num(&b, 2), num(&b, 1)));
    rg__kir_add_to(k, rg__kir_body(never), rg__kir_barrier(k, KIR_BLOCK));
    struct kir_node *once = rg__kir_for(k, KIR_UNROLLED, one, num(&b, 1));
    rg__kir_add_to(k, rg__kir_body(once), rg__kir_store(k, at(&b, b.y, nam(&b, one)), rg__kir_real(k, 2, RG_F32)));
    add(&b, loop);
    add(&b, never);
    add(&b, once);
    rg__kir_finish(k);
    struct kir_node *in = k->body->kid[3]->kid[0]->kid[3];
    assert_int_equal(in->n, 3); /* v in front of the loop, the loop, the store: w and the condition are gone */
    assert_int_equal(in->kid[0]->kind, KIR_LET);
    assert_int_equal(in->kid[0]->symbol, v);
    assert_int_equal(in->kid[1]->kind, KIR_FOR);
    assert_int_equal(in->kid[1]->kid[3]->n, 1);
    assert_int_equal(in->kid[2]->kind, KIR_STORE);
    assert_int_equal(in->kid[2]->kid[0]->kid[0]->kind, KIR_INT);
    assert_true(k->symbols[b.y].written && !k->symbols[b.x].written);
    rg_arena_release(&b.arena);
}

static void full_and_guarded(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    struct kir_node *each = rg__kir_less(k, nam(&b, b.tx), nam(&b, b.n)),
                    *all = rg__kir_less(k, num(&b, THREADS), nam(&b, b.n));
    struct kir_node *branch = rg__kir_if(k, each), *s;
    rg__kir_add_to(k, rg__kir_body(branch), rg__kir_store(k, at(&b, b.y, nam(&b, b.tx)), at(&b, b.x, nam(&b, b.tx))));
    s = rg__kir_full_and_guarded(k, all, each, branch);
    assert_int_equal(s->kind, KIR_IF);
    assert_int_equal(s->kid[1]->kid[0]->kind, KIR_STORE);
    assert_int_equal(s->kid[2]->kid[0]->kind, KIR_IF);
    s = rg__kir_full_and_guarded(k, num(&b, 1), each, branch);
    assert_int_equal(s->kind, KIR_SEQ);
    assert_int_equal(s->kid[0]->kind, KIR_STORE);
    rg_arena_release(&b.arena);
}

/* How far values vary. */
static void varies(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    int v = rg__kir_value(b.k, "v", RG_I32), u = rg__kir_value(b.k, "u", RG_F32);
    add(&b, rg__kir_let(b.k, v, rg__kir_div(b.k, nam(&b, b.tx), num(&b, 32))));
    add(&b, rg__kir_let(b.k, u, at(&b, b.x, nam(&b, b.block))));
    add(&b, rg__kir_store(b.k, at(&b, b.y, nam(&b, b.tx)), nam(&b, u)));
    assert_int_equal(rg__kir_varies(b.k, nam(&b, b.n)), KIR_GRID);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, b.block)), KIR_BLOCK);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, u)), KIR_BLOCK);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, v)), KIR_WARP);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, b.tx)), KIR_THREAD);
    assert_int_equal(rg__kir_varies(b.k, at(&b, b.y, nam(&b, b.block))), KIR_THREAD); /* written here */
    assert_int_equal(
        rg__kir_varies(b.k, rg__kir_aligned(b.k, 1, (struct kir_node *[]){at(&b, b.y, nam(&b, b.block))}, 16)),
        KIR_BLOCK);
    rg_arena_release(&b.arena);
}

/* ---- printers ---- */

static void printers(void **state)
{
    struct bench b;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT, pseudo = RG_BUF_INIT;
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    struct kir_node *i = rg__kir_add(k, rg__kir_mul(k, nam(&b, b.block), num(&b, THREADS)), nam(&b, b.tx)), *s;
    int v = rg__kir_value(k, "i", RG_I32);
    add(&b, rg__kir_let(k, v, i));
    add(&b, rg__kir_store(k, tile_at(&b, 0),
                          rg__kir_select(k, rg__kir_less(k, nam(&b, v), nam(&b, b.n)), at(&b, b.x, nam(&b, v)),
                                         rg__kir_real(k, 0, RG_F32))));
    add(&b, wait(&b));
    s = rg__kir_if(k, rg__kir_less(k, nam(&b, v), nam(&b, b.n)));
    rg__kir_add_to(k, rg__kir_body(s), rg__kir_note(use_tile(&b, 1), "a neighbour's"));
    add(&b, s);
    k->heading = "shifts x by one";
    rg__kir_finish(k);
    rg__kir_cuda(k, &cuda);
    rg__kir_plan_launch(k, &plan, 0);
    rg__kir_pseudo(k, &pseudo);
    assert_string_equal(cuda.data, "// shifts x by one\n"
                                   "__global__ void __launch_bounds__(128) test(int n, const float *x, float *y)\n{\n"
                                   "    __shared__ __align__(16) float tile[256];\n"
                                   "    const int b = blockIdx.x;\n"
                                   "    const int tx = threadIdx.x;\n"
                                   "    const int i = b * 128 + tx;\n"
                                   "    tile[tx] = i < n ? x[i] : 0.0f;\n"
                                   "    __syncthreads();\n"
                                   "    if (i < n) {\n"
                                   "        // a neighbour's\n"
                                   "        y[tx] = tile[tx + 1];\n"
                                   "    }\n}\n");
    assert_string_equal(plan.data, "test<<<max(1, ceil_div(n, 128)), 128>>>(n, x, y);\n");
    assert_string_equal(pseudo.data, "kernel test:\n"
                                     "    # shifts x by one\n"
                                     "    parameter n: int\n"
                                     "    global x: float[n], read only\n"
                                     "    global y: float[n]\n"
                                     "    shared tile: float[256]\n"
                                     "    register r: float[4]\n"
                                     "    for b in grid.x((n + 127) / 128):\n"
                                     "        for tx in block.x(128):\n"
                                     "            let i: int = b * 128 + tx\n"
                                     "            tile[tx] = i < n ? x[i] : 0.0f\n"
                                     "            barrier of the block\n"
                                     "            if i < n:\n"
                                     "                # a neighbour's\n"
                                     "                y[tx] = tile[tx + 1]\n");
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    rg_buf_release(&pseudo);
    rg_arena_release(&b.arena);
}

/* Memory whose size the launch says, in pieces that begin where 16 bytes may be loaded; an update by exchange. */
static void asked(void **state)
{
    struct bench b;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT, pseudo = RG_BUF_INIT;
    struct kir_refusal why;
    struct kir_headers h = {.groups = false};
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    struct kir_node *n = nam(&b, b.n), *tx = nam(&b, b.tx);
    int bytes = rg__kir_buffer(k, "bytes", KIR_SHARED, RG_U8, 1, &n),
        reals = rg__kir_buffer(k, "reals", KIR_SHARED, RG_F64, 1, &n), old = rg__kir_value(k, "old", RG_F64);
    add(&b, rg__kir_store(k, at(&b, bytes, tx), rg__kir_cast(k, RG_U8, num(&b, 0))));
    add(&b, rg__kir_store(k, at(&b, reals, tx), rg__kir_real(k, 0, RG_F64)));
    add(&b, wait(&b));
    add(&b, rg__kir_update(k, KIR_BLOCK, at(&b, reals, num(&b, 1)), old,
                           rg__kir_mul(k, nam(&b, old), rg__kir_real(k, 2, RG_F64)), false));
    rg__kir_finish(k);
    struct kir_node *size = rg__kir_shared_asked(k);
    assert_non_null(size);
    assert_false(rg__kir_verify(k, &why)); /* nothing says at which n it fits */
    k->fits = rg__kir_binary(k, RG_COP_LE, size, num(&b, KIR_STATIC_SHARED_BYTES));
    assert_true(rg__kir_verify(k, &why));
    rg__kir_cuda(k, &cuda);
    rg__kir_plan_launch(k, &plan, 0);
    rg__kir_pseudo(k, &pseudo);
    rg__kir_cuda_headers(k, &h);
    assert_true(h.exchange[1] && !h.exchange[0]);
    assert_non_null(strstr(cuda.data, "unsigned char *const bytes = (unsigned char *)(test_shared + 0);"));
    assert_non_null(
        strstr(cuda.data, "double *const reals = (double *)(test_shared + ((long long)n + 15ll) / 16ll * 16ll);"));
    assert_non_null(
        strstr(cuda.data, "atomic_update64<false>(&reals[1], [&](double old) { return (double)(old * 2.0); });"));
    assert_string_equal(plan.data, "test<<<max(1, ceil_div(n, 128)), 128, ceil_div(n, 16) * 16 + n * 8>>>(n);\n");
    assert_non_null(strstr(pseudo.data, "atomic_update(reals[1], old -> old * 2.0) in the block"));
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    rg_buf_release(&pseudo);
    rg_arena_release(&b.arena);
}

/* ---- a kernel of converted C, executed beside it ---- */

static void fill(void *arg, int param, int64_t n, void *to)
{
    const struct rg_problem *p = arg;
    for (int64_t i = 0; i < n; i++)
        if (p->params[param].elem == RG_F32)
            ((float *)to)[i] = (float)((i * 37 + param * 11) % 101) / 7 - 5;
        else
            ((int *)to)[i] = 3;
}

/* x comes from a shared tile that holds the block's elements and one more at each end. */
struct tiled {
    int array, tile, first;
};

static struct kir_node *from_tile(void *arg, struct kir_names *names, const struct rg_cnode *index,
                                  struct kir_node *const *subs)
{
    const struct tiled *t = arg;
    if (index->array != t->array) return NULL;
    return rg__kir_at(names->k, t->tile, 1, rg__kir_sub(names->k, subs[0], rg__kir_name(names->k, t->first)));
}

static void converted(void **state)
{
    static const char *const nest =
        "in x[n]; inout y[n]; int n; float a | for i 1, n-1 { local t = 0.0; "
        "if (a < y(i)) { t = a * x(i-1); } t += x(i) - 2*x(i+1)/3; y(i) = fmaxf(t, y(i)) + n % 3; }";
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_arena arena = RG_ARENA_INIT;
    struct execute_job job;
    (void)state;
    mini_parse("nest", nest, &p, &t);
    struct kir_kernel *k = rg__kir_kernel_new(&arena, t, "nest_kernel");
    struct kir_names *names_ = rg__kir_names_new(k, t);
    const struct rg_cnode *loop = t->root->kid[0];
    struct tiled tiled = {.array = mini_array(&(struct mini){.t = t}, "x")};
    struct kir_node *size = rg__kir_int(k, THREADS + 2);
    int n = mini_var(&(struct mini){.t = t}, "n"), b = rg__kir_index(k, "b", RG_I32),
        tx = rg__kir_index(k, "tx", RG_I32), s = rg__kir_index(k, "s", RG_I32);
    tiled.tile = rg__kir_buffer(k, "tile", KIR_SHARED, RG_F32, 1, &size);
    tiled.first = rg__kir_value(k, "first", RG_I32);
    struct kir_node *extent =
                        rg__kir_of(names_, &(struct rg_cnode){.kind = RG_C_VAR, .var = n, .array = -1, .type = RG_I32}),
                    *grid = rg__kir_for(k, KIR_GRID_X, b, rg__kir_ceil_div(k, extent, THREADS)),
                    *threads = rg__kir_for(k, KIR_BLOCK_X, tx, rg__kir_int(k, THREADS)), *in = rg__kir_body(threads);
    rg__kir_add_to(k, rg__kir_body(grid), threads);
    k->body = grid;
    rg__kir_add_to(k, in, rg__kir_let(k, tiled.first, rg__kir_mul(k, rg__kir_name(k, b), rg__kir_int(k, THREADS))));
    struct kir_node *staging = rg__kir_for_range(k, KIR_SERIAL, s, rg__kir_name(k, tx), size, rg__kir_int(k, THREADS)),
                    *there = rg__kir_add(k, rg__kir_name(k, tiled.first), rg__kir_name(k, s)),
                    *exists = rg__kir_if(k, rg__kir_less(k, there, extent));
    rg__kir_add_to(k, rg__kir_body(exists),
                   rg__kir_store(k, rg__kir_at(k, tiled.tile, 1, rg__kir_name(k, s)),
                                 rg__kir_at(k, rg__kir_buffer_of(names_, tiled.array), 1, there)));
    rg__kir_add_to(k, rg__kir_body(staging), exists);
    rg__kir_add_to(k, in, staging);
    rg__kir_add_to(k, in, rg__kir_barrier(k, KIR_BLOCK));
    struct kir_node *i = rg__kir_add(k, rg__kir_add(k, rg__kir_name(k, tiled.first), rg__kir_name(k, tx)),
                                     rg__kir_int(k, 1)),
                    *guard = rg__kir_if(k, rg__kir_less(k, i, rg__kir_sub(k, extent, rg__kir_int(k, 1))));
    rg__kir_bind(names_, loop->var, i);
    names_->element = from_tile;
    names_->arg = &tiled;
    struct kir_node *body = rg__kir_statement(names_, loop->kid[2]);
    if (!body) fail_msg("%s", names_->why);
    rg__kir_add_to(k, rg__kir_body(guard), body);
    rg__kir_add_to(k, in, guard);
    rg__kir_finish(k);
    struct kir_refusal why;
    if (!rg__kir_verify(k, &why)) fail_msg("%s", why.text);
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    rg__kir_cuda(k, &cuda);
    rg__kir_plan_launch(k, &plan, 0);
    memset(&job, 0, sizeof job);
    job.problem = p;
    job.tree = t;
    job.source.cuda = rg_buf_steal(&cuda);
    job.source.plan = rg_buf_steal(&plan);
    if (!execute_compile(&job, 1)) fail_msg("%s", job.source.cuda);
    for (int64_t count = 3; count < 700; count += 211)
        for (int reversed = 0; reversed < 2; reversed++) {
            int64_t values[] = {count};
            struct rg_sizes sizes = {.values = values};
            char text[300];
            if (!execute_case(&job.x, p, &sizes, fill, p, reversed, text, sizeof text))
                fail_msg("%lld: %s\n%s", (long long)count, text, job.source.cuda);
        }
    execute_release(&job, 1);
    rg_arena_release(&arena);
    rg_problem_free(p);
    rg_ctree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(names),
                                       cmocka_unit_test(passes),  cmocka_unit_test(full_and_guarded),
                                       cmocka_unit_test(varies),  cmocka_unit_test(printers),
                                       cmocka_unit_test(asked),   cmocka_unit_test(converted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
