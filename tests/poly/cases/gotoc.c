// a loop made by goto inside a parallel one. want: parallel
#pragma regraph size(n=300) size(n=37)
void gotoc(int n, const float x[n], float y[n]) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        int k = 0;
again:
        s += x[(i + k) % n];
        k++;
        if (k < 5 && s < 2.0f) goto again;
        float r = s * 2;
        y[i] = r;
    }
}
