// A wavelet: halves of what is left. want: parallel
// chain: parallelize@C
// shows: half_
#pragma regraph size(n=1024) size(n=8) size(n=2)
void haar(float *x, float *t, int n)
{
    for (int len = n; len > 1; len /= 2) {
        int half = len / 2;
        for (int i = 0; i < half; i++) { t[i] = (x[2 * i] + x[2 * i + 1]) * 0.5f; t[half + i] = (x[2 * i] - x[2 * i + 1]) * 0.5f; }
        for (int i = 0; i < len; i++) x[i] = t[i];
    }
}
