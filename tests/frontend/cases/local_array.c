#pragma regraph size(n=200)
void median3(int n, const float *x, float *y)
{
    for (int i = 1; i < n - 1; i++) {
        float w[3] = {x[i - 1], x[i], x[i + 1]};
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2 - a; b++)
                if (w[b] > w[b + 1]) {
                    float t = w[b];
                    w[b] = w[b + 1];
                    w[b + 1] = t;
                }
        y[i] = w[1];
    }
}
