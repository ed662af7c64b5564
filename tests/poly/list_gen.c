/* Writes one random C function that fills lists through counters over a nest: list_gen SEED. Nests of one to three loops,
 * triangular and over rows of data, too; entries of one or several numbers, of structures, in strides, behind one another
 * and under conditions, with breaks; counters as values, per row, in structures, capped; and forms in which iterations do
 * store to one another's elements or ask for what others found: a step that is left out, a read of what is in front, a
 * counter that is set back. All numbers are integers, so that nothing but the order decides. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

static int pick(int n)
{
    seed += 0x9E3779B97F4A7C15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

static int depth, indent, stride, form; /* of the nest; of an entry */
static const char *count;               /* what counts */
static bool trapped;                    /* one trap is enough */
static const char *cell = "i";

static void line(const char *text)
{
    printf("%*s%s\n", 4 * indent, "", text);
}

static const char *condition(void)
{
    static char text[4][64];
    static int turn;
    char *t = text[turn++ & 3];
    switch (pick(6)) {
    case 0: snprintf(t, 64, "x[%s] > %d", cell, pick(60)); break;
    case 1: snprintf(t, 64, "(x[%s] & %d) == 0", cell, 1 + pick(3)); break;
    case 2: snprintf(t, 64, "i > %d", pick(3)); break;
    case 3: snprintf(t, 64, "x[%s] < y[i]", cell); break;
    case 4: snprintf(t, 64, strcmp(cell, "i * m") ? "i != j" : "i < n - 1"); break;
    default: snprintf(t, 64, "y[i] %% 3 == %d", pick(3)); break;
    }
    return t;
}

static void entry(void)
{
    char e[160];
    snprintf(e, sizeof e, pick(2) ? "x[%s] + %d" : "i * 7 + x[%s] - %d", cell, pick(9));
    if (form == 0) { /* out[n] = e; n++; */
        if (pick(2) && strcmp(count, "l->n"))
            printf("%*sout[%s++] = %s;\n", 4 * indent, "", count, e);
        else
            printf("%*sout[%s] = %s;\n%*s%s%s;\n", 4 * indent, "", count, e, 4 * indent, "", count, pick(2) ? "++" : " += 1");
    } else if (form == 1) { /* structures */
        printf("%*spairs[%s].a = i;\n%*spairs[%s].b = %s;\n%*s%s++;\n", 4 * indent, "", count, 4 * indent, "", count, e, 4 * indent, "",
               count);
    } else if (form == 2) { /* strides */
        for (int k = 0; k < stride; k++)
            printf("%*sout[%d * %s + %d] = %s + %d;\n", 4 * indent, "", stride, count, k, e, k);
        printf("%*s%s++;\n", 4 * indent, "", count);
    } else if (form == 3) { /* two at once */
        printf("%*sout[%s] = %s;\n%*sout[%s + 1] = i;\n%*s%s += 2;\n", 4 * indent, "", count, e, 4 * indent, "", count, 4 * indent, "", count);
    } else { /* counted first */
        printf("%*s%s++;\n%*sout[%s - 1] = %s;\n", 4 * indent, "", count, 4 * indent, "", count, e);
    }
    if (trapped || pick(9)) return;
    trapped = true;
    switch (pick(5)) {
    case 0: printf("%*sif (%s > 2) %s--;\n", 4 * indent, "", count, count); break;
    case 1: printf("%*sif (%s > 0 && out[%s - 1] == x[%s]) y2[i] = %s;\n", 4 * indent, "", count, count, cell, count); break;
    case 2: printf("%*sout[%s] = -1;\n", 4 * indent, "", count); break;
    case 3: printf("%*sif (out[0] > %d) %s++;\n", 4 * indent, "", pick(50), count); break;
    default: printf("%*sif (%s %% 5 == 4) %s++;\n", 4 * indent, "", count, count); break;
    }
}

static void statements(int n)
{
    for (int k = 0; k < n; k++) {
        switch (pick(7)) {
        case 0: entry(); break;
        case 1:
            printf("%*sif (n_more < most) {\n%*smore[n_more] = x[%s];\n%*sn_more++;\n%*s}\n", 4 * indent, "", 4 * indent + 4, "", cell,
                   4 * indent + 4, "", 4 * indent, "");
            break;
        case 2:
            printf("%*sif (%s) {\n", 4 * indent, "", condition());
            indent++;
            entry();
            indent--;
            printf("%*s} else {\n", 4 * indent, "");
            indent++;
            pick(2) ? entry() : line("seen++;");
            indent--;
            line("}");
            break;
        case 3:
            printf("%*sfor (int c = 0; c < %d; c++) {\n", 4 * indent, "", 2 + pick(3));
            indent++;
            if (!pick(3)) printf("%*sif (x[%s] == c) break;\n", 4 * indent, "", cell);
            printf("%*sif (x[%s] %% (c + 2) == 0) {\n", 4 * indent, "", cell);
            indent++;
            entry();
            if (!pick(4)) line("break;");
            indent--;
            line("}");
            indent--;
            line("}");
            break;
        case 4: printf("%*sif (%s) label[i] = n_labels++;\n", 4 * indent, "", condition()); break;
        default:
            printf("%*sif (%s) {\n", 4 * indent, "", condition());
            indent++;
            entry();
            indent--;
            line("}");
            break;
        }
    }
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 : 1;
    bool in_struct = pick(3) == 0, rows = pick(3) > 0;
    depth = 1 + pick(3);
    form = pick(5);
    stride = 2 + pick(2);
    count = in_struct ? "l->n" : "n_out";
    int inner = pick(3); /* rectangular, triangular, rows of data */
    printf("// random lists %s\n", argc > 1 ? argv[1] : "");
    printf("struct pair { int a, b; };\nstruct list { int n, other; };\n");
    printf("#pragma regraph size(n=60, m=24, most=40) size(n=7, m=5, most=3) size(n=1, m=1, most=1)\n");
    printf("#pragma regraph extent(x: n*m) extent(y: n) extent(y2: n) extent(ptr: n + 1) extent(out: 400*n*m) extent(pairs: 400*n*m)\n");
    printf("#pragma regraph extent(more: most) extent(label: n) extent(beg: n + 1) extent(totals: 4)\n");
    printf("#pragma regraph input(x: uniform(0, 99)) input(y: uniform(0, 99)) input(beg: sorted(0, n*m)) role(out: inout) role(pairs: inout)\n");
    printf("#pragma regraph role(more: inout) role(label: inout) role(y2: inout) role(ptr: inout)\n");
    printf("int fill(int n, int m, int most, const int *restrict x, const int *restrict y, const int *restrict beg, int *restrict y2,\n"
           "         int *restrict ptr, int *restrict out, struct pair *restrict pairs, int *restrict more, int *restrict label,\n"
           "         int *restrict totals%s)\n{\n",
           in_struct ? ", struct list *restrict l" : "");
    indent = 1;
    if (in_struct)
        line("l->n = 0;");
    else
        line(pick(3) ? "int n_out = 0;" : "int n_out = 2;");
    line("int n_more = 0, n_labels = 5, seen = 0;");
    if (rows) printf("    ptr[0] = %s;\n", count);
    static const char *const heads[] = {"for (int i = 0; i < n; i++) {", "for (int i = n - 1; i >= 0; i--) {", "for (int i = 1; i < n; i++) {"};
    line(heads[pick(3)]);
    indent++;
    cell = "i * m";
    int before = rows ? pick(3) : 0;
    if (before == 1) printf("        ptr[i] = %s;\n", count);
    if (depth == 1) {
        statements(2 + pick(3));
    } else {
        if (!pick(3)) statements(1);
        if (inner == 0) {
            line(pick(2) ? "for (int j = 0; j < m; j++) {" : "for (int j = 1; j < m - 1; j++) {");
            cell = "i * m + j";
        } else if (inner == 1) {
            line("for (int j = i + 1; j < n; j++) {");
            cell = "j * m";
        } else {
            line("for (int j = beg[i]; j < beg[i + 1]; j++) {");
            cell = "j";
        }
        indent++;
        if (depth == 3) {
            line("for (int q = 0; q < 2; q++) {");
            indent++;
        }
        statements(1 + pick(3));
        if (depth == 3) {
            indent--;
            line("}");
        }
        indent--;
        line("}");
        cell = "i * m";
        if (!pick(3)) statements(1);
    }
    if (before == 2) printf("        ptr[i + 1] = %s;\n", count);
    indent--;
    line("}");
    printf("    totals[0] = n_more;\n    totals[1] = n_labels;\n    totals[2] = seen;\n    totals[3] = %s;\n    return %s;\n}\n", count, count);
    return 0;
}
