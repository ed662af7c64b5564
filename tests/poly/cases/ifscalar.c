// Locals and two reductions under a condition on data. want: parallel
#pragma regraph size(n=3000) size(n=37)
float ifscalar(int n, const float x[n], const float w[n]) {
    float s = 0; int cnt = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.1f) {
            float t = x[i] * w[i];
            t = t * t + 1;
            s += t;
            cnt++;
        }
    }
    return s / (cnt + 1);
}
