// A phase that is taken back below a number, and a place that counts how often: resampling by a ratio. want: parallel
// chain: parallelize@C
// shows: \(long long\)down \* \(long long\)i / \(long long\)up
#pragma regraph size(n=30000,up=160,down=147) size(n=70,up=5,down=23) size(n=9,up=7,down=1) extent(in: n*down/up + 1) extent(h: up)
#pragma regraph require(up > 0) require(down > 0)
void wrapped_while(int n, int up, int down, const float *in, const float *h, float *out)
{
    int phase = 0, pos = 0;
    for (int i = 0; i < n; i++) {
        out[i] = in[pos] * h[phase];
        phase += down;
        while (phase >= up) {
            phase -= up;
            pos++;
        }
    }
}
