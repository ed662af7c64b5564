// A parameter says which of two rows is the current one, any other value is the caller's mistake: one step. want: parallel
// chain: parallelize@C
#pragma regraph size(n=3000) size(n=33) input(which: constant(1))
int current_given(int n, unsigned which, float u[2][n], const float *k)
{
    u[!which][0] = u[which][0];
    u[!which][n - 1] = u[which][n - 1];
    for (int i = 1; i < n - 1; i++)
        u[which ^ 1][i] = u[which][i] + k[i] * (u[which][i - 1] - 2 * u[which][i] + u[which][i + 1]);
    return which ^ 1;
}
