/* What the analysis found of the loops, for people and for models. */
#include "poly/steps/steps.h"
#include <ctype.h>
#include <string.h>

static bool word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word, size_t n)
{
    for (const char *at = text; text && (at = strstr(at, word)) && n; at++)
        if ((at == text || !word_char(at[-1])) && !word_char(at[n])) return true;
    return false;
}

/* What the C calls it: `i_2` is a second i. NULL: it is none of the C's. */
static const char *users_name(const struct poly_scop *s, const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s", name);
    if (has_word(s->problem->function_source, out, strlen(out))) return out;
    size_t n = strlen(out);
    while (n && isdigit((unsigned char)out[n - 1])) n--;
    if (n < 2 || out[n - 1] != '_' || !out[n]) return NULL;
    out[n - 1] = 0;
    return has_word(s->problem->function_source, out, n - 1) ? out : NULL;
}

static const char *carried_name(const struct poly_scop *s, const struct poly_conflict *c, char *out, size_t size)
{
    const char *name = c->array >= 0 ? s->tree->arrays[c->array].name : c->var >= 0 ? s->tree->vars[c->var].name : "";
    name = users_name(s, name, out, size);
    return name ? name : "what an earlier iteration left";
}

enum verdict { PARALLEL, REDUCES, CARRIES };

static enum verdict loop_fact(struct poly_scop *s, int loop, char *out, size_t size)
{
    char name[64], at[100], to[100];
    bool opaque;
    struct poly_conflict c = rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT);
    if (!c.found) {
        snprintf(out, size, "parallel");
        return PARALLEL;
    }
    int first = s->stmts[c.stmt_a].line, second = s->stmts[c.stmt_b].line;
    struct poly_conflict rest = rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS);
    if (!c.limit && c.array >= 0 && rg__poly_atomic_loop(s, loop, NULL, 0, &opaque)) {
        snprintf(out, size, "parallel but for updates of %s, in any order, of which several may meet: %s",
                 carried_name(s, &c, name, sizeof name), rg_problem_line(s->problem, first, at, sizeof at));
        return REDUCES;
    }
    if (!rest.found) {
        enum poly_op op = c.array >= 0 ? rg__poly_reduced(s, loop, c.array, -1) : rg__poly_reduced(s, loop, -1, c.var);
        snprintf(out, size, "parallel but for a reduction (%s) to %s: %s", rg__poly_op_name(op),
                 carried_name(s, &c, name, sizeof name), rg_problem_line(s->problem, first, at, sizeof at));
        return REDUCES;
    }
    if (!rest.limit) {
        c = rest;
        first = s->stmts[c.stmt_a].line;
        second = s->stmts[c.stmt_b].line;
    }
    if (c.array < 0 && first == s->loops[loop].node->line && second == first &&
        !users_name(s, c.var >= 0 ? s->tree->vars[c.var].name : "", name, sizeof name)) {
        snprintf(out, size, "sequential: whether it goes on is known only after each round");
        return CARRIES;
    }
    int n = snprintf(out, size, "sequential: %s%s dependence on %s: %s", c.limit ? "perhaps a " : "", c.kind,
                     carried_name(s, &c, name, sizeof name), rg_problem_line(s->problem, first, at, sizeof at));
    if (second != first && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, " and %s", rg_problem_line(s->problem, second, to, sizeof to));
    return CARRIES;
}

void rg__poly_loop_facts(struct poly_scop *s, struct rg_buf *out)
{
    for (int i = 0; i < s->n_loops; i++) {
        const struct poly_loop *l = &s->loops[i];
        char line[100], text[400] = "";
        bool told = false;
        enum verdict worst = PARALLEL;
        for (int k = 0; k < i; k++) told = told || s->loops[k].node->line == l->node->line;
        if (told) continue; /* one that was split: a line of the C is told once, by its hardest part */
        for (int k = i; k < s->n_loops; k++) {
            char part[sizeof text];
            if (s->loops[k].node->line != l->node->line) continue;
            enum verdict v = loop_fact(s, k, part, sizeof part);
            if (!*text || v > worst) memcpy(text, part, sizeof text);
            if (v > worst) worst = v;
        }
        rg_buf_indent(out, 1 + l->depth);
        rg_buf_printf(out, "%s: %s\n", rg_problem_line(s->problem, l->node->line, line, sizeof line), text);
    }
}

void rg__poly_explain_loops(struct poly_scop *s, struct rg_buf *out)
{
    for (int i = 0; i < s->n_loops; i++) {
        const struct poly_loop *l = &s->loops[i];
        char text[512];
        struct poly_conflict c = rg__poly_conflict(s, i, NULL, 0, POLY_STRICT);
        rg_buf_indent(out, 1 + l->depth);
        if (!c.found) {
            rg_buf_printf(out, "%s (line %d): parallel\n", l->name, l->node->line);
            continue;
        }
        rg__poly_conflict_text(s, i, &c, text, sizeof text);
        rg_buf_printf(out, "%s (line %d): sequential: %s\n", l->name, l->node->line, text);
    }
    for (int i = 0; i < s->n_stmts; i++) {
        const struct poly_stmt *st = &s->stmts[i];
        if (st->node->kind == RG_C_OPAQUE)
            rg_buf_printf(out, "  opaque (line %d): %s\n", st->line, st->node->why ? st->node->why : "not affine");
        if (st->red_op != POLY_OP_NONE)
            rg_buf_printf(out, "  line %d: %s-reduction of %s\n", st->line, rg__poly_op_name(st->red_op),
                          st->red_array >= 0 ? s->tree->arrays[st->red_array].name : s->tree->vars[st->red_var].name);
    }
}
