// What reads the element that an earlier iteration wrote depends on it by flow, whichever stands first in the text. want: sequential
// refused: parallelize@C : loop i (tests/poly/cases/flow_or_anti.c:6) carries a dependence (flow) on x, tests/poly/cases/flow_or_anti.c:6; loop j (tests/poly/cases/flow_or_anti.c:7) carries a dependence (anti) on y, tests/poly/cases/flow_or_anti.c:7; loop k (tests/poly/cases/flow_or_anti.c:8) carries a dependence (flow) on z
#pragma regraph size(n=300) size(n=7)
void flow_or_anti(int n, double x[n], double y[n], double z[n])
{
    for (int i = 1; i < n; i++) x[i] = x[i - 1] * x[i - 1] * 0.5 + 1e-3;
    for (int j = 1; j < n / 2 - 1; j++) y[2 * j - 2] = y[2 * j] * y[2 * j + 2] * 0.5;
    for (int k = n - 1; k > 0; k--) z[k - 1] = z[k] * z[k] * 0.5;
}
