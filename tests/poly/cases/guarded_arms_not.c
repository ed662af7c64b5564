// The choice lets one read go into the second part, to what the first iteration stores. want: sequential
#pragma regraph size(h=9000) size(h=7) size(h=1) extent(t: 2 * h)
void guarded_arms_not(int h, int *t)
{
    for (int y = 0; y < h; y++) {
        int s = y + 1 > h ? 0 : t[y + 1];
        t[h + y] = s / 2 + y * 3;
    }
}
