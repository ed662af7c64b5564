// Two exits behind one another, of which the second has something to say. want: parallel
#pragma regraph size(n=9000, steps=30) size(n=70, steps=9) size(n=5, steps=1) input(x: uniform(0.5, 1.0))
int exits_two(int n, int steps, float x[n])
{
    int code = 0;
    for (int it = 0; it < steps; it++) {
        float s = 0;
        for (int i = 0; i < n; i++) x[i] = 0.5f * x[i];
        for (int i = 0; i < n; i++) s += x[i];
        if (s < 0)
            break;
        if (s < 0.01f * n) {
            code = 5;
            break;
        }
    }
    return code;
}
