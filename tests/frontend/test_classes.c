/* The class of a problem says what it computes: examples of each, and neighbours that look alike and are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/frontend.h>
#include <rg/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct example {
    const char *klass, *sizes, *text;
    const char *extent;
};

static const struct example examples[] = {
    {"contraction", "n=64",
     "void f(int n, const float A[n][n], const float B[n][n], float C[n][n]) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += A[i][k] * B[k][j]; C[i][j] = s; } }",
     0},
    {"contraction", "n=64",
     "void f(int n, const float *A, const float *B, float *C) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) C[i * n + j] = 0; for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) { float a "
     "= A[i * n + k];"
     " for (int j = 0; j < n; j++) C[i * n + j] += a * B[k * n + j]; } }",
     0},
    {"contraction", "n=64,m=32",
     "void f(int n, int m, const double A[n][m], double C[n][n]) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j <= i; j++) for (int k = 0; k < m; k++) C[i][j] += A[i][k] * A[j][k]; }",
     0},
    {"contraction", "n=64,m=32",
     "void f(int n, int m, const double A[m][n], const double mean[n], double C[n][n]) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) { double s = 0; for (int k = 0; k < m; k++) s += (A[k][i] - mean[i]) * (A[k][j] - "
     "mean[j]);"
     " C[i][j] = s / (m - 1); } }",
     0},
    /* a filter bank: images and filters both have dimensions of their own */
    {"contraction", "c=4,n=32",
     "void f(int c, int n, const float in[c][n + 2], const float w[c][c][3], float out[c][n]) {"
     " for (int o = 0; o < c; o++) for (int i = 0; i < n; i++) { float s = 0; for (int k = 0; k < c; k++)"
     " for (int u = 0; u < 3; u++) s += in[k][i + u] * w[o][k][u]; out[o][i] = s; } }",
     0},
    {"reduction", "m=64,n=64",
     "void f(int m, int n, const float A[m][n], const float x[n], float y[m]) {"
     " for (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < n; j++) s += A[i][j] * x[j]; y[i] = s; } }",
     0},
    {"reduction", "m=64,n=64",
     "void f(int m, int n, const double A[m][n], const double x[n], double y[n]) { double t[m];"
     " for (int i = 0; i < n; i++) y[i] = 0; for (int i = 0; i < m; i++) { t[i] = 0; for (int j = 0; j < n; j++) t[i] "
     "+= A[i][j] * x[j];"
     " for (int j = 0; j < n; j++) y[j] += A[i][j] * t[i]; } }",
     0},
    {"reduction", "n=4096",
     "float f(int n, const float x[n], const float y[n]) { float s = 0; for (int i = 0; i < n; i++)"
     " s += x[i] * y[i]; return s; }",
     0},
    {"stencil", "n=64",
     "void f(int n, const float in[n + 4][n + 4], const float w[5][5], float out[n][n]) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) { float s = 0; for (int u = 0; u < 5; u++) for (int v = 0; v < 5; v++)"
     " s += in[i + u][j + v] * w[u][v]; out[i][j] = s; } }",
     0},
    {"stencil", "n=64,k=9",
     "void f(int n, int k, const float in[n + k], const float w[k], float out[n]) { for (int i = 0; i < n; i++) {"
     " float s = 0; for (int u = 0; u < k; u++) s += in[i + u] * w[u]; out[i] = s; } }",
     0},
    {"stencil", "n=64",
     "void f(int n, const float a[n][n], float b[n][n]) { for (int i = 1; i < n - 1; i++)"
     " for (int j = 1; j < n - 1; j++) b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + "
     "1]); }",
     0},
    {"rowwise", "r=64,c=64",
     "#include <math.h>\nvoid f(int r, int c, const float x[r][c], float y[r][c]) { for (int i = 0; i < r; i++) {"
     " float m = x[i][0], s = 0; for (int j = 1; j < c; j++) m = fmaxf(m, x[i][j]); for (int j = 0; j < c; j++) {"
     " y[i][j] = expf(x[i][j] - m); s += y[i][j]; } for (int j = 0; j < c; j++) y[i][j] /= s; } }",
     0},
    {"sort", "n=64",
     "void f(int n, int a[n]) { for (int i = 0; i < n - 1; i++) for (int j = 0; j < n - 1 - i; j++)"
     " if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }",
     0},
    {"sort", "n=64",
     "void f(int n, float a[n]) { for (int i = 1; i < n; i++) { float key = a[i]; int j = i - 1;"
     " while (j >= 0 && a[j] > key) { a[j + 1] = a[j]; j--; } a[j + 1] = key; } }",
     0},
    {"sort", "n=64",
     "#include <stdlib.h>\nstatic int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
     "void f(int *a, int n) { qsort(a, n, sizeof *a, by); }",
     "a: n"},
    {"fft", "n=64",
     "void f(int n, float re[n], float im[n], const float c[n], const float s[n]) {"
     " for (int len = 2; len <= n; len <<= 1) for (int i = 0; i < n; i += len) for (int k = 0; k < len / 2; k++) {"
     " int p = i + k, q = i + k + len / 2, w = k * (n / len); float a = re[q] * c[w] - im[q] * s[w], b = re[q] * s[w] "
     "+ im[q] * c[w];"
     " re[q] = re[p] - a; im[q] = im[p] - b; re[p] += a; im[p] += b; } }",
     0},
    {"relaxation", "n=64,m=256",
     "int f(int n, int m, const int row[n + 1], const int col[m], const float w[m], float dist[n]) { int rounds = 0, "
     "changed = 1;"
     " while (changed && rounds < n) { changed = 0; for (int u = 0; u < n; u++) for (int e = row[u]; e < row[u + 1]; "
     "e++) {"
     " int v = col[e]; float d = dist[u] + w[e]; if (d < dist[v]) { dist[v] = d; changed = 1; } } rounds++; } return "
     "rounds; }",
     0},
    {"relaxation", "n=64,m=256,rounds=8",
     "void f(int n, int m, int rounds, const int row[n + 1], const int col[m], int label[n], int next[n]) {"
     " for (int r = 0; r < rounds; r++) { for (int u = 0; u < n; u++) { int best = label[u]; for (int e = row[u]; e < "
     "row[u + 1]; e++)"
     " if (label[col[e]] < best) best = label[col[e]]; next[u] = best; } for (int u = 0; u < n; u++) label[u] = "
     "next[u]; } }",
     0},
    {"dynamic-programming", "n=64",
     "void f(int n, int d[n][n]) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j]; }",
     0},
    {"dynamic-programming", "n=64",
     "void f(int n, const char a[n], const char b[n], int h[n + 1][n + 1]) { for (int i = 1; i <= n; i++)"
     " for (int j = 1; j <= n; j++) { int d = h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), best = d > 0 ? d : 0;"
     " if (h[i - 1][j] - 1 > best) best = h[i - 1][j] - 1; if (h[i][j - 1] - 1 > best) best = h[i][j - 1] - 1; h[i][j] "
     "= best; } }",
     0},
    {"dynamic-programming", "n=16,cap=64",
     "void f(int n, int cap, const int weight[n], const int value[n], int best[cap + 1]) {"
     " for (int i = 0; i < n; i++) for (int w = cap; w >= weight[i]; w--) {"
     " int t = best[w - weight[i]] + value[i]; if (t > best[w]) best[w] = t; } }",
     0},
    {"triangular", "n=64",
     "void f(int n, const double L[n][n], const double b[n], double x[n]) { for (int i = 0; i < n; i++) {"
     " x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j]; x[i] /= L[i][i]; } }",
     0},
    {"triangular", "n=64",
     "void f(int n, const double U[n][n], const double b[n], double x[n]) { for (int i = n - 1; i >= 0; i--) {"
     " double s = b[i]; for (int j = i + 1; j < n; j++) s -= U[i][j] * x[j]; x[i] = s / U[i][i]; } }",
     0},
    {"triangular", "n=64",
     "void f(int n, const double L[n][n], double x[n]) { for (int j = 0; j < n; j++) { x[j] /= L[j][j];"
     " for (int i = j + 1; i < n; i++) x[i] -= L[i][j] * x[j]; } }",
     0},
    {"triangular", "n=64",
     "void f(int n, double A[n][n]) { for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) {"
     " for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j]; A[i][j] /= A[j][j]; } for (int j = i; j < n; j++)"
     " for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j]; } }",
     0},
    /* an exit at the first pivot that is not positive */
    {"triangular", "n=64",
     "#include <math.h>\nint f(int n, double A[n][n]) { for (int j = 0; j < n; j++) { for (int k = 0; k < j; k++)"
     " A[j][j] -= A[j][k] * A[j][k]; if (A[j][j] <= 0) return j + 1; A[j][j] = sqrt(A[j][j]); for (int i = j + 1; i < "
     "n; i++) {"
     " for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k]; A[i][j] /= A[j][j]; } } return 0; }",
     0},
    /* a product with a triangular matrix reads what is not yet replaced */
    {"contraction", "n=64",
     "void f(int n, const double A[n][n], double B[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"
     " for (int k = i + 1; k < n; k++) B[i][j] += A[k][i] * B[k][j]; }",
     0},
    /* a running maximum and a pooling choose, and are no dynamic programming and no sort */
    {"scan", "n=4096", "void f(int n, float x[n]) { for (int i = 1; i < n; i++) x[i] = x[i] + x[i - 1]; }", 0},
    {"elementwise", "n=64",
     "void f(int n, const float a[2 * n][2 * n], float b[n][n]) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) { float m = a[2 * i][2 * j], v = a[2 * i + 1][2 * j]; b[i][j] = m > v ? m : v; } }",
     0},
    /* plane rotations combine two rows, with a factor at each element of both */
    {"sequential", "n=64,p=1,q=3",
     "void f(int n, int p, int q, double c, double s, double A[n][n]) { for (int r = 0; r < n; r++)"
     " for (int k = 0; k < n; k++) { double x = A[p][k], y = A[q][k]; A[p][k] = c * x - s * y; A[q][k] = s * x + c * "
     "y; } }",
     0},
    {"transpose", "n=64",
     "void f(int n, const float a[n][n], float b[n][n]) { for (int i = 0; i < n; i++)"
     " for (int j = 0; j < n; j++) b[j][i] = a[i][j]; }",
     0},
};

static void classes(void **state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < (int)(sizeof examples / sizeof *examples); i++) {
        const struct example *x = &examples[i];
        char path[] = "/tmp/rg-classes-XXXXXX.c";
        int fd = mkstemps(path, 2);
        FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
        assert_non_null(f);
        fputs(x->text, f);
        fclose(f);
        const struct rg_frontend_options o = {.file = path,
                                              .function = "f",
                                              .sizes = &x->sizes,
                                              .n_sizes = 1,
                                              .rtol = -1,
                                              .atol = -1,
                                              .extents = &x->extent,
                                              .n_extents = x->extent != NULL};
        struct rg_problem *p = NULL;
        struct rg_ctree *t = NULL;
        struct rg_error e = RG_ERROR_INIT;
        char text[1400];
        if (rg_frontend_load(&o, &p, &t, &e) != RG_OK) {
            print_error("%d (%s): %s\n", i, x->klass, rg_error_format(&e, text, sizeof text));
            wrong++;
        } else {
            if (strcmp(p->klass, x->klass)) {
                print_error("%d: %s, not %s:\n%s\n", i, p->klass, x->klass, x->text);
                wrong++;
            }
            assert_true(rg_class_parse(p->klass) >= 0);
            rg_problem_free(p);
            rg_ctree_free(t);
        }
        unlink(path);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
