// A loop of the plan with a conditional bound, around parallel ones. want: parallel
#pragma regraph size(n=60) size(n=17) size(n=1)
void hostmin(int n, float a[n + 2], float b[n + 2])
{
    for (int t = 0; t < (n < 9 ? n : 9); t++) {
        for (int k = 1; k <= n; k++) b[k] = 0.5f * a[k - 1] + 0.3f * a[k + 1];
        for (int k = 1; k <= n; k++) a[k] = 0.5f * b[k] + 0.1f * b[k - 1];
    }
}
