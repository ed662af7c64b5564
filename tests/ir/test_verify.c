/* The verifier: a tree as the front end makes it passes at its level; each promise broken on purpose is found and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "ir/ctree_verify.h"
#include "ir/ctree_util.h"

/* for (i = 0; i < n; i++) { int f = x[i] > 0; if (f) y[i] = 1; } return n; */
struct sample {
    struct rg_ctree *t;
    int n, i, f, x, y, local;
    struct rg_cnode *loop, *flag, *branch, *store, *ret;
};

static struct rg_cnode *block(struct rg_ctree *t, int n, struct rg_cnode *const *kids)
{
    struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, n);
    for (int i = 0; i < n; i++) b->kid[i] = kids[i];
    return b;
}

static struct sample make(void)
{
    struct sample s = {.t = calloc(1, sizeof *s.t)};
    struct rg_ctree *t = s.t;
    t->result_array = -1;
    s.n = rg__c_add_var(t, "n", RG_CVAR_PARAM, RG_I32);
    t->vars[s.n].param = 0;
    s.i = rg__c_add_var(t, "i", RG_CVAR_ITER, RG_I32);
    s.f = rg__c_add_var(t, "f", RG_CVAR_LOCAL, RG_I32);
    int *const arrays[] = {&s.x, &s.y, &s.local};
    static const char *const names[] = {"x", "y", "w"};
    for (int k = 0; k < 3; k++) {
        *arrays[k] = rg__c_add_array(t, names[k], RG_I32);
        t->arrays[*arrays[k]].n_dims = 1;
        t->arrays[*arrays[k]].param = k < 2 ? k + 1 : -1;
    }
    struct rg_cnode *sub = rg__c_var(t, s.i);
    s.flag = rg_cnode_new(t, RG_C_DECL, 1);
    s.flag->var = s.f;
    s.flag->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_index(t, s.x, 1, &sub), rg__c_int(t, 0));
    struct rg_cnode *sub_y = rg__c_var(t, s.i);
    s.store = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_index(t, s.y, 1, &sub_y), rg__c_int(t, 1)));
    s.branch = rg_cnode_new(t, RG_C_IF, 2);
    s.branch->kid[0] = rg__c_var(t, s.f);
    s.branch->kid[1] = block(t, 1, &s.store);
    s.loop = rg_cnode_new(t, RG_C_LOOP, 3);
    s.loop->var = s.i;
    s.loop->step = 1;
    s.loop->line = 7;
    s.loop->kid[0] = rg__c_int(t, 0);
    s.loop->kid[1] = rg__c_var(t, s.n);
    s.loop->kid[2] = block(t, 2, (struct rg_cnode *[]){s.flag, s.branch});
    s.ret = rg_cnode_new(t, RG_C_RETURN, 1);
    s.ret->kid[0] = rg__c_var(t, s.n);
    t->root = block(t, 2, (struct rg_cnode *[]){s.loop, s.ret});
    return s;
}

static void holds(const struct sample *s, enum rg__c_level level)
{
    struct rg_error e = RG_ERROR_INIT;
    if (rg__c_verify(s->t, level, RG_BUG, &e) != RG_OK) fail_msg("%s: %s", rg__c_level_word(level), e.text);
}

/* Not at this level, and says so; at those before it is fine. */
static void broken(struct sample *s, enum rg__c_level level, const char *says)
{
    struct rg_error e = RG_ERROR_INIT;
    for (int l = RG__C_RAW; l < (int)level; l++) holds(s, (enum rg__c_level)l);
    assert_int_equal(rg__c_verify(s->t, level, RG_BUG, &e), RG_BUG);
    if (!strstr(e.text, says)) fail_msg("\"%s\" is not in \"%s\"", says, e.text);
    rg_ctree_free(s->t);
}

static void sound(void **state)
{
    struct sample s = make();
    for (int l = RG__C_RAW; l <= RG__C_CANONICAL; l++) holds(&s, (enum rg__c_level)l);
    /* in opaque code everything may stand */
    struct rg_cnode *o = rg_cnode_new(s.t, RG_C_OPAQUE, 1), *w = rg_cnode_new(s.t, RG_C_WHILE, 2);
    w->kid[0] = rg__c_var(s.t, s.n);
    w->kid[1] = block(s.t, 0, NULL);
    o->kid[0] = w;
    s.t->root->kid[0] = o;
    holds(&s, RG__C_CANONICAL);
    rg_ctree_free(s.t);
}

static void nodes(void **state)
{
    struct sample s = make();
    s.flag->kid[0]->op = RG_COP_ADD_SET;
    broken(&s, RG__C_RAW, "unknown operator");
    s = make();
    s.loop->kid[1] = NULL;
    broken(&s, RG__C_RAW, "a part that it needs is null (line 7)");
    s = make();
    s.loop->kid[2] = rg__c_int(s.t, 1);
    broken(&s, RG__C_RAW, "a value stands where a statement is needed");
    s = make();
    s.branch->kid[0] = block(s.t, 0, NULL);
    broken(&s, RG__C_RAW, "a statement stands where a value is needed");
    s = make();
    s.loop->step = 0;
    broken(&s, RG__C_RAW, "step must not be 0");
    s = make();
    s.ret->kid[0]->var = 99;
    broken(&s, RG__C_RAW, "a symbol that the tree lacks");
    s = make();
    struct rg_cnode *subs[] = {rg__c_int(s.t, 0), rg__c_int(s.t, 0)};
    s.ret->kid[0] = rg__c_index(s.t, s.x, 2, subs);
    broken(&s, RG__C_RAW, "more subscripts");
    s = make();
    s.t->root->kid[0] = rg_cnode_new(s.t, RG_C_GOTO, 0);
    broken(&s, RG__C_RAW, "a label or a jump");
}

static void names(void **state)
{
    struct sample s = make();
    s.ret->kid[0]->var = s.f; /* of the loop's body */
    broken(&s, RG__C_RAW, "'f' is used where it is not declared");
    s = make();
    s.ret->kid[0]->var = s.i;
    broken(&s, RG__C_RAW, "'i' is used where it is not declared");
    s = make();
    struct rg_cnode *zero = rg__c_int(s.t, 0);
    s.ret->kid[0] = rg__c_index(s.t, s.local, 1, &zero);
    broken(&s, RG__C_RAW, "'w' is used where it is not declared");
    s = make();
    s.branch->kid[1]->kid[0] = rg__c_copy(s.t, s.flag);
    broken(&s, RG__C_RAW, "'f' is declared where it stands already");
    s = make();
    s.store->kid[0]->kid[0] = rg__c_var(s.t, s.i);
    broken(&s, RG__C_RAW, "'i' is set in its own loop");
    s = make();
    s.store->kid[0]->kid[0] = rg__c_var(s.t, s.n);
    broken(&s, RG__C_LOOPS, "'n' is set though a parameter");
    s = make();
    s.t->arrays[s.x].view = true;
    broken(&s, RG__C_LOOPS, "'x' means more than one array");
}

static void shapes(void **state)
{
    struct sample s = make();
    struct rg_cnode *w = rg_cnode_new(s.t, RG_C_WHILE, 2);
    w->kid[0] = rg__c_var(s.t, s.n);
    w->kid[1] = block(s.t, 0, NULL);
    s.t->root->kid[0] = w;
    broken(&s, RG__C_CANONICAL, "'while' stands outside opaque code");
    s = make();
    struct rg_cnode *zero = rg__c_int(s.t, 0);
    s.loop->kid[1] = rg__c_index(s.t, s.x, 1, &zero);
    broken(&s, RG__C_CANONICAL, "'loop' outside opaque code is not affine");
    s = make();
    s.branch->kid[0] = rg__c_copy(s.t, s.flag->kid[0]); /* data where a flag has to be */
    broken(&s, RG__C_CANONICAL, "'if' outside opaque code is not affine");
    s = make();
    s.store->kid[0] = rg__c_int(s.t, 3);
    broken(&s, RG__C_CANONICAL, "'stmt' does nothing");
    s = make();
    s.branch->kid[1]->kid[0] = rg__c_copy(s.t, s.ret);
    broken(&s, RG__C_CANONICAL, "'return' stands in front of the function's end");
    s = make();
    s.t->vars[s.f].type = RG_F64;
    broken(&s, RG__C_CANONICAL, "is not affine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound), cmocka_unit_test(nodes), cmocka_unit_test(names), cmocka_unit_test(shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
