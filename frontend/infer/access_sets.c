/* Sets of elements in the notation of isl: what an access touches over the loops around it, at given sizes. */
#include "frontend/infer/access_sets.h"

/* Range of an affine expression over the loops around it, by interval arithmetic. */
static bool interval(const struct rg__at_sizes *f, const struct rg__visit *v, const struct rg_cnode *e, int depth,
                     double *lo, double *hi)
{
    double a, b, c, d;
    if (depth > 24) return false;
    switch (e->kind) {
    case RG_C_INT:
        return *lo = *hi = (double)e->ivalue, true;
    case RG_C_CAST:
        return interval(f, v, e->kid[0], depth + 1, lo, hi);
    case RG_C_VAR:
        if (e->array >= 0) return false;
        for (int i = 0; i < v->range->n_loops; i++) {
            const struct rg_cnode *l = v->range->loops[i];
            if (l->var != e->var) continue;
            if (!interval(f, v, l->kid[0], depth + 1, &a, &b) || !interval(f, v, l->kid[1], depth + 1, &c, &d))
                return false;
            if (l->step > 0)
                *lo = a, *hi = d - 1;
            else
                *lo = c + 1, *hi = b;
            return true;
        }
        if (f->t->vars[e->var].kind == RG_CVAR_PARAM) {
            int64_t x;
            if (!f->env.env.name((void *)(uintptr_t)&f->env, f->t->vars[e->var].name, &x)) return false;
            *lo = *hi = (double)x;
            return true;
        }
        return false;
    case RG_C_UNARY:
        if (e->op != RG_COP_NEG || !interval(f, v, e->kid[0], depth + 1, &a, &b)) return false;
        return *lo = -b, *hi = -a, true;
    case RG_C_BINARY: {
        if (!rg_c_arithmetic(e->op) || !interval(f, v, e->kid[0], depth + 1, &a, &b) ||
            !interval(f, v, e->kid[1], depth + 1, &c, &d))
            return false;
        double x[4] = {a * c, a * d, b * c, b * d};
        switch (e->op) {
        case RG_COP_ADD:
            return *lo = a + c, *hi = b + d, true;
        case RG_COP_SUB:
            return *lo = a - d, *hi = b - c, true;
        case RG_COP_MUL:
            *lo = *hi = x[0];
            for (int i = 1; i < 4; i++) {
                if (x[i] < *lo) *lo = x[i];
                if (x[i] > *hi) *hi = x[i];
            }
            return true;
        case RG_COP_DIV:
            return c == d && c > 0 && a >= 0 && (*lo = (double)(int64_t)(a / c), *hi = (double)(int64_t)(b / c), true);
        case RG_COP_REM:
            return c == d && c > 0 && a >= 0 && (*lo = 0, *hi = b < c - 1 ? b : c - 1, true);
        default:
            return false;
        }
    }
    case RG_C_COND:
        if (!interval(f, v, e->kid[1], depth + 1, &a, &b) || !interval(f, v, e->kid[2], depth + 1, &c, &d))
            return false;
        return *lo = a < c ? a : c, *hi = b > d ? b : d, true;
    default:
        return false;
    }
}

/* A constant where the sizes make it one. */
static bool fixed(const struct rg__at_sizes *f, const struct rg__visit *v, const struct rg_cnode *e, int64_t *x)
{
    double lo, hi;
    if (!interval(f, v, e, 0, &lo, &hi) || lo != hi || lo < -9e15 || lo > 9e15) return false;
    *x = (int64_t)lo;
    return true;
}

/* The expression over the variables of the loops around it, v0, v1, ... from outside in; false: not affine. */
static bool print(const struct rg__at_sizes *f, const struct rg__visit *v, const struct rg_cnode *e, struct rg_buf *out)
{
    int64_t x;
    if (fixed(f, v, e, &x)) {
        rg_buf_printf(out, "%lld", (long long)x);
        return true;
    }
    switch (e->kind) {
    case RG_C_CAST:
        return print(f, v, e->kid[0], out);
    case RG_C_VAR:
        for (int i = 0; e->array < 0 && i < v->range->n_loops; i++)
            if (v->range->loops[i]->var == e->var) {
                rg_buf_printf(out, "v%d", i);
                return true;
            }
        return false;
    case RG_C_UNARY:
        rg_buf_str(out, "(-");
        if (e->op != RG_COP_NEG || !print(f, v, e->kid[0], out)) return false;
        rg_buf_char(out, ')');
        return true;
    case RG_C_BINARY: {
        const enum rg_c_op op = e->op;
        double lo, hi;
        if (!rg_c_arithmetic(op)) return false;
        if (op == RG_COP_MUL) { /* isl reads a number without brackets in front of a factor */
            int k = !fixed(f, v, e->kid[0], &x);
            if (k && !fixed(f, v, e->kid[1], &x)) return false;
            rg_buf_printf(out, "(%lld*(", (long long)x);
            if (!print(f, v, e->kid[1 - k], out)) return false;
            rg_buf_str(out, "))");
            return true;
        }
        /* C rounds to zero, isl down: the same from 0 on */
        if ((op == RG_COP_DIV || op == RG_COP_REM) &&
            (!fixed(f, v, e->kid[1], &x) || x <= 0 || !interval(f, v, e->kid[0], 0, &lo, &hi) || lo < 0))
            return false;
        rg_buf_str(out, op == RG_COP_DIV ? "floor((" : "((");
        if (!print(f, v, e->kid[0], out)) return false;
        if (op == RG_COP_DIV || op == RG_COP_REM) { /* nor brackets around what it divides by */
            rg_buf_printf(out, op == RG_COP_DIV ? ")/%lld)" : ") mod %lld)", (long long)x);
            return true;
        }
        rg_buf_str(out, op == RG_COP_ADD ? ")+(" : ")-(");
        if (!print(f, v, e->kid[1], out)) return false;
        rg_buf_str(out, "))");
        return true;
    }
    default:
        return false;
    }
}

/* { [s0, s1] : exists (v0, v1 : ...) }: the elements that an access touches. */
bool rg__access_set(const struct rg__at_sizes *f, const struct rg__visit *v, struct rg_buf *out)
{
    int loops = v->range->n_loops;
    rg_buf_str(out, "{ [");
    for (int d = 0; d < v->node->n; d++) rg_buf_printf(out, d ? ", s%d" : "s%d", d);
    rg_buf_str(out, "] : ");
    if (loops) rg_buf_str(out, "exists (");
    for (int i = 0; i < loops; i++) rg_buf_printf(out, i ? ", v%d" : "v%d", i);
    if (loops) rg_buf_str(out, " : ");
    for (int i = 0; i < loops; i++) {
        const struct rg_cnode *l = v->range->loops[i];
        if (!l->step) return false;
        if (i) rg_buf_str(out, " and ");
        /* upwards from kid 0 to below kid 1, downwards from kid 0 to above kid 1 */
        if (!print(f, v, l->kid[0], out)) return false;
        rg_buf_str(out, l->step > 0 ? " <= " : " >= ");
        rg_buf_printf(out, l->step > 0 ? "v%d < " : "v%d > ", i);
        if (!print(f, v, l->kid[1], out)) return false;
        if (l->step == 1 || l->step == -1) continue;
        rg_buf_printf(out, " and (v%d - (", i);
        if (!print(f, v, l->kid[0], out)) return false;
        rg_buf_printf(out, ")) mod %lld = 0", (long long)(l->step > 0 ? l->step : -l->step));
    }
    for (int d = 0; d < v->node->n; d++) {
        rg_buf_printf(out, d || loops ? " and s%d = " : "s%d = ", d);
        if (!print(f, v, v->node->kid[d], out)) return false;
    }
    rg_buf_str(out, loops ? ") }" : " }");
    return true;
}
