// Rows whose length data choose are of no quotient of sizes, though it begins as one. want: sequential
#pragma regraph extent(out: m*n) extent(flag: m)
void rows(int n, int m, const int *flag, float *out)
{
    int half = n / 2;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < half; k++) out[i * half + k] += 0.5f * out[i * half + k] + (float)k;
        if (flag[i] > 90 && half > 1) half--;
    }
}
