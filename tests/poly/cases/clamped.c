// want: parallel
/* Subscripts and ends of loops that bind weaker than what the printer writes around them. */
#pragma regraph size(W=97, H=61)
static int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
void blur(const unsigned char *in, unsigned char *out, int *steps, int W, int H)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int s = 0, row[3][5], k;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    row[x < 5 ? 1 : y > 7 ? 2 : 0][y < 9 ? dx + 1 : dx + 2] = dx;
                    s += in[clampi(y + dy, 0, H - 1) * W + clampi(x + dx, 0, W - 1)] + row[x < 5 ? 1 : y > 7 ? 2 : 0][y < 9 ? dx + 1 : dx + 2];
                }
            out[y * W + x] = s / 9;
            for (k = 0; k < W && (in[y * W + x] > 40 || in[k] < 90); k++) s ^= k;
            steps[y * W + x] = k;
        }
}
