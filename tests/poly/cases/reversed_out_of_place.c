// Places with their bits in reverse, below a power of two, are one iteration's each: no condition is needed. want: parallel
// chain: parallelize@C
// shows: out\[.*rg_mirrored
// lacks: <<<1, 1>>>
#pragma regraph size(bits=10) size(bits=3) size(bits=1) extent(out: pow2(bits))
static unsigned reversed(unsigned x, int bits)
{
    unsigned r = 0;
    for (int i = 0; i < bits; i++) {
        r = (r << 1) | (x & 1);
        x >>= 1;
    }
    return r;
}
void reorder(const float *in, float *out, int bits)
{
    int n = 1 << bits;
    for (int i = 0; i < n; i++) out[reversed(i, bits)] = in[i];
}
