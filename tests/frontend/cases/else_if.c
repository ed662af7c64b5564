#pragma regraph size(n=777)
void classify(int n, const float *x, int *c, float *y)
{
    for (int i = 0; i < n; i++) {
        if (x[i] < -0.5f)
            c[i] = 0;
        else if (x[i] < 0.0f)
            c[i] = 1;
        else if (x[i] < 0.5f)
            c[i] = 2;
        else
            c[i] = 3;
        float v = x[i];
        if (v < 0) v = -v;
        switch (c[i]) {
        case 0: v += 1; break;
        case 1:
        case 2: v *= 2; break;
        default: v = 0;
        }
        y[i] = v;
    }
}
