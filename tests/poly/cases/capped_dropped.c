// Hits that find no room are counted and told: behind the loop, all at once. want: parallel
// chain: scan.block
#pragma regraph size(len=3000, limit=20) size(len=300, limit=400) size(len=9, limit=1) input(mask: constant(5)) input(p: uniform(0, 50))
unsigned capped_dropped(const unsigned short *p, unsigned len, unsigned short mask, unsigned *hit, unsigned limit,
                        unsigned *lost, int *full)
{
    unsigned i = 0, m = 0, dropped = 0;
    int overflow = 0;
    while (i < len) {
        if ((p[i] & mask) == mask) {
            if (m < limit)
                hit[m++] = i;
            else {
                dropped++;
                overflow = 7;
            }
        }
        i++;
    }
    *lost = dropped;
    *full = overflow;
    return m;
}
