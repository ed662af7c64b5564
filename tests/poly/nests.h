/* The nests the tests of the built-in coder are about, in mini.h's language. */
#ifndef TESTS_POLY_NESTS_H
#define TESTS_POLY_NESTS_H
#define NEST_SAXPY "in x[n]; inout y[n]; int n; float a | for i 0, n { y(i) = a * x(i) + y(i); }"
#define NEST_GEMM                                                                                                      \
    "in A[m][k]; in B[k][n]; inout C[m][n]; int n; int m; int k | for i 0, m { for j 0, n { local s = 0.0; "           \
    "for kk 0, k { s += A(i,kk) * B(kk,j); } C(i,j) = s; } }"
#define NEST_GEMM_SPLIT /* two nests under one loop; fused again over (i, j) */                                        \
    "in A[m][k]; in B[k][n]; inout C[m][n]; int n; int m; int k; float beta | for i 0, m { for j 0, n { C(i,j) *= "    \
    "beta; } "                                                                                                         \
    "for kk 0, k { for j2 0, n { C(i,j2) += A(i,kk) * B(kk,j2); } } }"
#define NEST_SYRK /* triangular */                                                                                     \
    "in A[n][k]; inout C[n][n]; int n; int k | for i 0, n { for j 0, i + 1 { C(i,j) *= 0.5; } "                        \
    "for kk 0, k { for j2 0, i + 1 { C(i,j2) += A(i,kk) * A(j2,kk); } } }"
#define NEST_JACOBI                                                                                                    \
    "inout A[n][n]; inout B[n][n]; int n; int steps | for t 0, steps { "                                               \
    "for i 1, n - 1 { for j 1, n - 1 { B(i,j) = 0.2 * (A(i,j) + A(i,j-1) + A(i,j+1) + A(i+1,j) + A(i-1,j)); } } "      \
    "for i2 1, n - 1 { for j2 1, n - 1 { A(i2,j2) = 0.2 * (B(i2,j2) + B(i2,j2-1) + B(i2,j2+1) + B(i2+1,j2) + "         \
    "B(i2-1,j2)); } } }"
#define NEST_FDTD /* staggered: ey and ex look down, hz looks up; a row comes from a source */                         \
    "in fict[steps]; inout ex[n][m]; inout ey[n][m]; inout hz[n][m]; int n; int m; int steps | for t 0, steps { "      \
    "for j 0, m { ey(0,j) = fict(t); } for i1 1, n { for j1 0, m { ey(i1,j1) -= 0.5 * (hz(i1,j1) - hz(i1-1,j1)); } } " \
    "for i2 0, n { for j2 1, m { ex(i2,j2) -= 0.5 * (hz(i2,j2) - hz(i2,j2-1)); } } "                                   \
    "for i3 0, n - 1 { for j3 0, m - 1 { hz(i3,j3) -= 0.7 * (ex(i3,j3+1) - ex(i3,j3) + ey(i3+1,j3) - ey(i3,j3)); } } " \
    "}"
#define NEST_COEFFICIENTS /* a stencil whose weights differ from point to point */                                     \
    "in C[n][n]; inout A[n][n]; inout B[n][n]; int n; int steps | for t 0, steps { "                                   \
    "for i 1, n - 1 { for j 1, n - 1 { B(i,j) = C(i,j) * A(i,j) + 0.1 * C(i,j-1) * (A(i-1,j) - A(i,j+1)); } } "        \
    "for i2 0, n { for j2 0, n { A(i2,j2) = 0.5 * B(i2,j2) + 0.01 * t; } } }"
#define NEST_SHARED_SCALAR /* two statements of a point share a scalar */                                              \
    "inout A[n][n]; inout B[n][n]; int n; int steps | for t 0, steps { for i 1, n - 1 { for j 1, n - 1 { "             \
    "local u = A(i,j-1) + A(i+1,j); B(i,j) = 0.25 * (u + A(i,j+1) + A(i-1,j)) - 0.1 * u * u; } } "                     \
    "for i2 1, n - 1 { for j2 1, n - 1 { A(i2,j2) = B(i2,j2); } } }"
#define NEST_DURBIN /* a reduction and two parallel loops in a sequential one, scalars carried */                      \
    "in r[n]; inout y[n]; inout z[n]; int n | local alpha = 0.0 - r(0); local beta = 1.0; y(0) = 0.0 - r(0); for k "   \
    "1, n { "                                                                                                          \
    "beta *= 1.0 - 0.3 * alpha * alpha; local s = 0.0; for i 0, k { s += r(k-i-1) * y(i); } alpha = 0.01 * (r(k) + "   \
    "s) / (beta + 3.0); "                                                                                              \
    "for i2 0, k { z(i2) = y(i2) + alpha * y(k-i2-1); } for i3 0, k { y(i3) = z(i3); } y(k) = alpha; }"
#define NEST_EMPTY_INSIDE /* what one thread wrote is read by all, over a loop that may not run */                     \
    "inout A[n]; inout B[n]; inout C[n]; int n; int steps | for t 0, steps { local s = 0.0; for i 0, n { s += A(i); "  \
    "} A(0) = 0.1 * s + t; "                                                                                           \
    "for q 0, n - 3 { for r 0, q { B(r) = 0.5 * B(r) + 0.1; } } for j 0, n { C(j) += 0.1 * A(0); } }"
#define NEST_TRANSPOSE "in A[m][n]; out B[n][m]; int n; int m | for i 0, m { for j 0, n { B(j,i) = A(i,j); } }"
#define NEST_DOT "in x[n]; in y[n]; out r[1]; int n | local s = 0.0; for i 0, n { s += x(i)*y(i); } r(0) = s;"
#define NEST_VARIANCE /* two reductions, the second needs the first */                                                 \
    "in x[m][n]; out r[2]; int n; int m | local s = 1.0; local q = 0.0; for i 0, m { for j 0, n { s += x(i,j); q += "  \
    "x(i,j) * x(i,j); } } "                                                                                            \
    "local mean = s / (m*n); local v = 0.0; for i3 0, m { for j3 0, n { v += (x(i3,j3) - mean) * (x(i3,j3) - mean); "  \
    "} } "                                                                                                             \
    "r(0) = s + q; r(1) = v;"
#define NEST_EXTREMES                                                                                                  \
    "in x[n]; out r[2]; int n | local mx = x(0); local mn = x(0); for i 1, n { mx = fmaxf(mx, x(i)); mn = x(i) < mn "  \
    "? x(i) : mn; } "                                                                                                  \
    "r(0) = mx; r(1) = mn;"
#define NEST_SOFTMAX                                                                                                   \
    "in x[m][n]; out y[m][n]; int m; int n | for i 0, m { local mx = x(i,0); for j 1, n { mx = x(i,j) > mx ? x(i,j) "  \
    ": mx; } "                                                                                                         \
    "local s = 0.0; for j2 0, n { y(i,j2) = expf(x(i,j2)-mx); s += y(i,j2); } for j3 0, n { y(i,j3) = y(i,j3) / s; } " \
    "}"
#define NEST_NORM /* layer norm: two statistics of a row, kept for others, and weights along it; in place */           \
    "inout x[b][m][n]; in g[n]; in h[n]; out mean[b][m]; inout dev[b][m]; int b; int m; int n; float eps | for a 0, "  \
    "b { for i 0, m { "                                                                                                \
    "local s = 0.0; for j 0, n { s += x(a,i,j); } local u = s / n; local v = 0.0; for j2 0, n { local d = x(a,i,j2) "  \
    "- u; v += d*d; } "                                                                                                \
    "mean(a,i) = u; dev(a,i) += v / n + eps; for j3 0, n { x(a,i,j3) = (x(a,i,j3) - u) / sqrtf(v / n + eps) * g(j3) "  \
    "+ h(j3); } } }"
#define NEST_ROW_PARTS /* loops over parts of a row, a shifted one, a sum into an element, one place under a condition \
                        */                                                                                             \
    "inout x[m][n+2]; inout y[m][n]; out r[m]; in z[m][n]; int m; int n | for i 0, m { r(i) = 0; for j 2, n-1 { "      \
    "y(i,j) = x(i,j+1) * 2; r(i) += y(i,j); } "                                                                        \
    "local t = 1.0; for j2 1, n { t = fminf(t, y(i,j2) + x(i,j2+1)); } for j3 2, n { y(i,j3) = 0 < z(i,j3) ? y(i,j3) " \
    "- t : y(i,j3) * r(i); } }"
#define NEST_GEMV                                                                                                      \
    "in A[m][n]; in x[n]; inout y[m]; int m; int n | for i 0, m { local s = 0.0; for j 0, n { s += A(i,j)*x(j); } "    \
    "y(i) = s + 0.5*y(i); }"
#define NEST_COLUMNS                                                                                                   \
    "in A[m][n]; out s[n]; int m; int n | for j0 0, n { s(j0) = 0; } for i 0, m { for j 0, n { s(j) += A(i,j); } }"
#define NEST_CONV                                                                                                      \
    "in im[h+6][w+6]; in f[5][5]; out o[h][w]; int h; int w | for i 0, h { for j 0, w { local acc = 0.0; "             \
    "for u 0, 5 { for v 0, 5 { acc += im(i+u,j+v)*f(u,v); } } o(i,j) = acc; } }"
#define NEST_TRISOLVE                                                                                                  \
    "in L[n][n]; inout x[n]; int n | for i 0, n { local s = x(i); for j 0, i { s -= 0.01 * L(i,j)*x(j); } x(i) = s; }"
#define NEST_LU                                                                                                        \
    "inout A[n][n]; int n | for k 0, n { for i k + 1, n { A(i,k) = A(i,k) / (A(k,k) + 40); for j k + 1, n { A(i,j) "   \
    "-= A(i,k) * A(k,j); } } }"
#define NEST_BATCH /* a matrix each: columns in order, what they update free */                                        \
    "inout A[m][n][n]; int m; int n | for b 0, m { for k 0, n { for i k + 1, n { A(b,i,k) = A(b,i,k) / (A(b,k,k) + "   \
    "40); for j k + 1, n { A(b,i,j) -= A(b,i,k) * A(b,k,j); } } } }"
#define NEST_CHOLESKY                                                                                                  \
    "inout A[n][n]; int n | for i 0, n { for j 0, i { for k 0, j { A(i,j) -= 0.01 * A(i,k) * A(j,k); } A(i,j) = "      \
    "A(i,j) / (A(j,j) + 9); } "                                                                                        \
    "for k2 0, i { A(i,i) -= 0.01 * A(i,k2) * A(i,k2); } }"
#define NEST_ATAX /* the loop over i serialises y alone: it is split */                                                \
    "in A[m][n]; in x[n]; out y[n]; inout tmp[m]; int m; int n | for j0 0, n { y(j0) = 0; } for i 0, m { tmp(i) = 0; " \
    "for j 0, n { tmp(i) += A(i,j) * x(j); } for j2 0, n { y(j2) += A(i,j2) * tmp(i); } }"
#define NEST_BICG /* both loops are split, the outer one between the inner one's pieces */                             \
    "in A[n][m]; in p[m]; in r[n]; out q[n]; inout s[m]; int m; int n | for i 0, n { q(i) = 0; "                       \
    "for j 0, m { s(j) += r(i) * A(i,j); q(i) += A(i,j) * p(j); } }"
#define NEST_HEAT3D                                                                                                    \
    "in A[n][m][q]; out B[n][m][q]; int n; int m; int q | for i 1, n-1 { for j 1, m-1 { for k 1, q-1 { "               \
    "B(i,j,k) = A(i-1,j,k) + A(i+1,j,k) + A(i,j-1,k)+A(i,j+1,k) + A(i,j,k-1) + A(i,j,k+1) - 6*A(i,j,k); } } }"
#define NEST_NBODY                                                                                                     \
    "in p[n]; out f[n]; int n | for i 0, n { local s = 0.0; for j 0, n { local d = p(j) - p(i); s += d / (d*d + "      \
    "0.01); } f(i) = s; }"
#define NEST_REVERSE "in A[n]; out B[n]; int n | for i n - 1, -1 by -1 { B(i) = A(n - 1 - i); }"
#define NEST_STRIDED "in A[n]; inout B[n]; int n | for i 1, n by 3 { B(i) = A(i) + A(i-1); }"
#define NEST_SEIDEL                                                                                                    \
    "inout A[n][n]; int n | for i 1, n-1 { for j 1, n-1 { A(i,j) = 0.2*(A(i-1,j)+A(i,j-1)+A(i,j)+A(i,j+1)+A(i+1,j)); " \
    "} }"
#define NEST_COVARIANCE                                                                                                \
    "in d[n][m]; out mean[m]; out cov[m][m]; int n; int m | for j 0, m { mean(j) = 0; for i 0, n { mean(j) += "        \
    "d(i,j); } mean(j) = mean(j) / n; } "                                                                              \
    "for j1 0, m { for j2 j1, m { local s = 0.0; for i1 0, n { s += (d(i1,j1)-mean(j1))*(d(i1,j2)-mean(j2)); } "       \
    "cov(j1,j2) = s; cov(j2,j1) = s; } }"
#define NEST_SCAN "in x[n]; out y[n]; int n | local s = 0.0; for i 0, n { s += x(i); y(i) = s; }"
#define NEST_SCANS /* exclusive and inclusive, in place, with work around it; then a running maximum */                \
    "inout x[n]; out y[n]; out z[n]; int n | local s = 2.5; for i 1, n { local v = 0.01 * x(i); z(i) = s; s += v; "    \
    "x(i) = s; } "                                                                                                     \
    "local m = s; for j 0, n { m = fmaxf(m, z(n - 1 - j)); y(j) = m + x(0); } z(0) = s + m;"
#define NEST_SCAN_LONG /* long values: in a declaration, in an update, under a condition, in what is added to a * x;   \
                          then a row of them */                                                                        \
    "in x[n]; in w[n]; out y[n]; out z[n]; inout u[n]; out t[m][n]; int n; int m | local s = 0.0; for i 0, n { "       \
    "local v = expf(-x(i)*x(i)) / (1 + w(i)*w(i)); if 3 < i { s += v * expf(w(i) * 0.1); } y(i) = s + v; } "           \
    "local b = 0.0; for k 0, n { b = fmaxf(b, expf(0.5 * x(k)) + sinf(w(k))); z(k) = b; } "                            \
    "for j 1, n { u(j) = 0.5 * u(j-1) + expf(-w(j)*w(j)) * x(j); } "                                                   \
    "for r 0, m { local c = 0.0; for g 0, n { c += expf(-x(g)*x(g)) / (r + 1.0); t(r,g) = c; } }"
#define NEST_SCAN_FED                                                                                                  \
    "in x[n]; out y[n]; int n | local s = 0.0; for i 0, n { local v = x(i) + 0.1 * s; s += v; y(i) = s; }"
#define NEST_SMOOTH /* a * x + b from element to element; rows of it, backwards, with what one of them leaves */       \
    "in x[m][n]; inout y[m][n]; inout z[m][n]; out last[m]; int m; int n; float a | for i 0, m { local w = 0.25; for " \
    "j 1, n { "                                                                                                        \
    "y(i,j) = a * x(i,j) + 0.5 * y(i,j-1); w = w + 0.25 * (x(i,j) - w); z(i,j) = w + y(i,j); } "                       \
    "for k n-2, 0-1 by -1 { z(i,k) -= x(i,k) * z(i,k+1); } last(i) = w; }"
#define NEST_FILTER /* two values that depend on each other, through a temporary; every other element */               \
    "in x[n]; out y[n]; int n | for q 0, n { y(q) = 0; } local s = 0.1; local t = 0.2; for i 0, n by 2 { local v = "   \
    "x(i) - 0.4 * s; y(i) = v + 0.3 * s + t; "                                                                         \
    "t = 0.2 * s; s = v - 0.1 * t; }"
#define NEST_HORNER /* only the last value is wanted */                                                                \
    "in x[n]; out r[2]; int n | local s = 1.0; local top = 0.0; for i 0, n { s = s * 0.5 + x(i); top = x(i); } r(0) "  \
    "= s; r(1) = top;"
#define NEST_TOTALS /* carried in elements; inner loops add to it; the place is guarded */                             \
    "in x[n][m]; inout t[2]; out y[n]; int n; int m | for i 0, n { for j 0, m { t(1) += x(i,j); } y(i) = t(1) + (i > " \
    "0 ? 0.5 * y(i-1) : 0.0); }"
#define NEST_THOMAS /* an elimination: its coefficients are fractions of those before, then what goes with them; back  \
                       again */                                                                                        \
    "in a[m][n]; in b[m][n]; inout p[m][n]; inout d[m][n]; int m; int n | for i 0, m { for j 1, n { local w = 1.0 / "  \
    "(b(i,j) + 3.0 - 0.5 * a(i,j) * p(i,j-1)); "                                                                       \
    "p(i,j) = 0.4 * w; d(i,j) = (d(i,j) - a(i,j) * d(i,j-1)) * w; } for k n-2, 0-1 by -1 { d(i,k) -= p(i,k) * "        \
    "d(i,k+1); } }"
#define NEST_CASCADE /* sums of sums, one of them of an inner power */                                                 \
    "in x[n]; inout y[n]; inout z[n]; out v[n]; int n | for i 1, n { y(i) = y(i-1) * 0.5 + x(i); z(i) = z(i-1) * "     \
    "0.25 + y(i) * y(i-1); v(i) = z(i) * y(i); }"
#define NEST_CASCADE_BACK /* the second needs the first as it was before */                                            \
    "in x[n]; inout y[n]; inout z[n]; int n | for i 1, n - 1 { y(i) = y(i-1) * 0.5 + x(i); z(i) = z(i-1) * 0.25 + "    \
    "y(i+1) * y(i+1); }"
#define NEST_READ_BACK /* what was stored goes on */                                                                   \
    "in x[m][n]; out y[m][n]; out r[m]; int m; int n | for i 0, m { local a = 0.0; local b = 0.5; local old = 0.0; "   \
    "for j 0, n { "                                                                                                    \
    "y(i,j) = 0.5 * x(i,j) + 0.3 * old + 0.4 * a - 0.2 * b; old = x(i,j); b = a; a = y(i,j); } r(i) = a + b; }"
#define NEST_SQUARES "in x[n]; out y[n]; int n | local s = 0.5; for i 0, n { s = s * s + x(i); y(i) = s; }"
#define NEST_SECOND "in x[n]; inout y[n]; int n | for i 2, n { y(i) = x(i) - 0.5 * y(i-2); }"
#define NEST_LAGS /* an element from the two before it; what was before goes on elsewhere */                           \
    "in x[n]; inout y[n]; inout z[n]; int n | for i 3, n { y(i) = x(i) + 0.3 * x(i-1) - 0.5 * y(i-1) - 0.2 * y(i-2) "  \
    "+ 0.1 * y(i-3); "                                                                                                 \
    "z(i) = 0.5 * z(i-1) + 0.25 * y(i-1) + y(i-2); }"
#define NEST_SCAN_LEFT /* what is added up is written first: from the sum so far */                                    \
    "in x[n]; inout v[n]; out y[n]; int n | local s = 0.0; for i 0, n { v(i) = 0.5 * x(i) + 0.1 * s; s += v(i) + "     \
    "x(i); y(i) = s; }"
#define NEST_SCAN_PERHAPS /* or perhaps written */                                                                     \
    "in x[n]; inout v[n]; out y[n]; int n | local s = 0.0; for i 0, n { if i < 5 { v(i) = 0.5 * x(i) + 0.1 * s; } s "  \
    "+= v(i) + x(i); y(i) = s; }"
#define NEST_ARGMIN /* the first of equal ones, with what goes with it */                                              \
    "in x[m][n]; out at[m]; out v[m]; int m; int n | for i 0, m { local best = 3.0; local b = 0.0 - 1.0; local w = "   \
    "0.0; for j 0, n { "                                                                                               \
    "local d = floorf(4.0 * x(i,j)); local taken = d < best; w = taken ? 0.5 * x(i,j) : w; best = taken ? d : best; "  \
    "b = taken ? j : b; } "                                                                                            \
    "at(i) = b + w; v(i) = best; }"
#define NEST_ARGMAX /* the last of all, backwards, over two loops; then a sum of them */                               \
    "in x[m][n]; out r[3]; int m; int n | local best = 0.0 - 9.0; local bi = 0.0; local bj = 0.0; for i 0, m { for j " \
    "n-1, 0-1 by -1 { "                                                                                                \
    "local d = floorf(3.0 * x(i,j)); local taken = best <= d; best = taken ? d : best; bi = taken ? i : bi; bj = "     \
    "taken ? j : bj; } } "                                                                                             \
    "r(0) = best; r(1) = bi; r(2) = bj;"
#define NEST_RUNNING_MIN /* each iteration's best is kept */                                                           \
    "in x[n]; out y[n]; out r[1]; int n | local best = 3.0; local b = 0.0; for i 0, n { local taken = x(i) < best; "   \
    "best = taken ? x(i) : best; "                                                                                     \
    "b = taken ? i : b; y(i) = best; } r(0) = b;"
#define NEST_TWO_SUMS /* two sums over triangles in a thread, one on either side of its diagonal */                    \
    "in A[n][n]; in B[n][n]; out y[n]; int n | for i 0, n { local s = 0.0; for a 0, n { for b a, n - 1 { s += A(a,b) " \
    "* B(b,i); } } "                                                                                                   \
    "local t = 0.0; for d 1, n { for e 3 - d, n - d { if 0 < e + 1 { t += A(d,e) * B(i,d); } } } y(i) = s - t; }"
#define NEST_TURNED /* (1, -1): the loops can't change places */                                                       \
    "inout A[n][n]; int n | for i 1, n { for j 0, n - 1 { A(i,j) = 0.5 * A(i-1,j+1) + A(i,j); } }"
#define NEST_PARTS /* two things in one nest, then loops over its range that use them in step */                       \
    "in x[n][m]; out y[n][m]; out z[n][m]; out r[n]; int n; int m | for i 0, n { for j 0, m { y(i,j) = expf(x(i,j)); " \
    "z(i,j) = x(i,j) * x(i,j) + y(i,j); } "                                                                            \
    "local s = 0.0; for j2 0, m { s += y(i,j2) * z(i,j2); } local q = 0.0; for j3 0, m { q += z(i,j3); } r(i) = s + "  \
    "q; }"
#define NEST_WIDE /* rows of several arrays, one of them read where its neighbour is, a local, a condition, triangles  \
                   */                                                                                                  \
    "in x[n][m+8]; in w[m]; inout y[n][m]; out z[n][m]; int n; int m | for i 0, n { for j 0, m { local d = x(i,j+4) "  \
    "- x(i,j) + x(i,j+1); "                                                                                            \
    "if i < j { d += w(j); } y(i,j) += d * w(j); z(i,j) = d; } } for i2 0, n { for j2 i2, m { z(i2,j2) = z(i2,j2) * "  \
    "2.0 + w(j2); } }"
#define NEST_COPIES /* j_2 is a j as well */                                                                           \
    "in x[m][n]; out y[m][n]; int m; int n | for i 0, m { local s = 1.0; for j 0, n { s += x(i,j) * x(i,j); } for "    \
    "j_2 0, n { y(i,j_2) = x(i,j_2) / s; } "                                                                           \
    "y(i,0) = 0.0; for k 0, n { y(i,0) += x(i,k); } }"
#define NEST_SWEEP /* each thread goes along a row, from value to value */                                             \
    "in u[m][n]; out p[n][m]; inout y[n][m]; int n; int m | for i 0, n { p(i,0) = 1.0; for j 1, m { p(i,j) = u(j,i) "  \
    "/ (p(i,j-1) * p(i,j-1) + 2.0) + u(j-1,i); "                                                                       \
    "y(i,j) += p(i,j-1) * p(i,j); } }"
#define NEST_SCALED /* a scalar computed once, used by a grid */                                                       \
    "in x[n]; out y[n]; int n; float a | local c = a * 2.0; local top = x(0); for i 0, n { y(i) = c * x(i) + top; }"
#define NEST_NAMES /* every name the printer would like to have */                                                     \
    "in A[BX][TILE]; out B[TILE][BX]; int BX; int TILE | for tid 0, BX { for col 0, TILE { B(col,tid) = A(tid,col); "  \
    "} }"
#define NEST_DIAGONAL /* one iteration of i alone writes y(j): the others must leave it as it is */                    \
    "in x[n][n]; inout y[n]; int n | for i 0, n { for j 0, n { for kk 0, n { if i == j { y(j) = 0.5 * y(j) + "         \
    "x(j,kk); } } } }"
#define NEST_DIAGONAL_SUM /* the same beside a sum */                                                                  \
    "in x[n][n]; inout y[n]; out r[1]; int n | local s = 0.0; for i 0, n { for j 0, n { for kk 0, n { "                \
    "if i == j { y(j) = 0.5 * y(j) + x(j,kk); } s += x(i,j) * x(j,kk); } } } r(0) = s;"
#define NEST_BINS "in x[n]; inout h[7]; int n | for i 0, n { h(i % 7) += x(i); }"
#endif
