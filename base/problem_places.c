/* Functions that return a pointer into an array of their caller's: pointers as numbers. */
#include <rg/buf.h>
#include <rg/problem.h>
#include <string.h>

int rg_problem_places(const struct rg_problem *p)
{
    int n = p->places != NULL;
    for (const char *s = p->places; s && *s; s++) n += *s == ' ';
    return n;
}

int rg_problem_place(const struct rg_problem *p, int k)
{
    const char *s = p->places;
    while (s && k-- > 0) s = (s = strchr(s, ' ')) ? s + 1 : NULL;
    const size_t n = s ? strcspn(s, " ") : 0;
    for (int i = 0; s && i < p->n_params; i++)
        if (strlen(p->params[i].name) == n && !strncmp(p->params[i].name, s, n)) return i;
    return -1;
}

void rg_problem_place_number(struct rg_buf *out, const struct rg_problem *p, const char *indent,
                             const char *(*base)(void *arg, int param), const char *(*size)(void *arg, int param),
                             void *arg)
{
    const int n = rg_problem_places(p);
    rg_buf_printf(out, "%1$slong rg_place = -1;\n%1$sconst char *rg_first = 0;\n", indent);
    for (int k = 0; k < n; k++) {
        const int i = rg_problem_place(p, k);
        rg_buf_printf(out,
                      "%1$sif (rg_returned && (const char *)rg_returned >= (const char *)%2$s && (const char *)%2$s >= "
                      "rg_first) {\n",
                      indent, base(arg, i));
        rg_buf_printf(
            out,
            "%1$s    rg_first = (const char *)%2$s;\n%1$s    rg_place = ((const char *)rg_returned - rg_first) "
            "/ (long)(%3$s) * %4$d + %5$d;\n%1$s}\n",
            indent, base(arg, i), size(arg, i), n, k);
    }
}
