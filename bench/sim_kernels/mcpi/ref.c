/* how many of 2 n random points lie in the quarter circle; Philox 4x32-10 of the counters 0 .. n-1 */
void ref_mcpi(int n, int seed, int *hits)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        unsigned c[4] = { (unsigned)i, 0, 0, 0 }, k0 = (unsigned)seed, k1 = 0xCAFEF00Du;
        for (int r = 0; r < 10; r++) {
            unsigned long long p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
            unsigned a = (unsigned)(q >> 32) ^ c[1] ^ k0, b = (unsigned)(p >> 32) ^ c[3] ^ k1;
            c[1] = (unsigned)q;
            c[3] = (unsigned)p;
            c[0] = a;
            c[2] = b;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        for (int h = 0; h < 4; h += 2) {
            float x = (c[h] >> 8) * (1.0f / 16777216.0f), y = (c[h + 1] >> 8) * (1.0f / 16777216.0f);
            if (x * x + y * y <= 1.0f) count++;
        }
    }
    hits[0] = count;
}
