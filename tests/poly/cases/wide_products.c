// Products that the C computes in 64 bits have them on the device, whatever becomes of the quotient. want: parallel
// chain: parallelize@C
// shows: \(long long\)i \* 147ll / 160ll.*\(long long\)i \* \(long long\)down / \(long long\)up
#pragma regraph size(n=3000,up=160,down=147) size(n=70,up=23,down=5) size(n=1,up=2,down=1)
#pragma regraph extent(in: n) extent(out: n) require(up > down) require(down > 0)
void wide_products(int n, int up, int down, const float *in, float *out)
{
    for (int i = 0; i < n; i++) out[i] = in[(long)i * 147 / 160] + in[(int)((long long)i * down / up)];
}
