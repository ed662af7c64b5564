// Hysteresis: weak pixels beside strong ones become strong, until none does. want: parallel
// chain: parallelize@C
#pragma regraph size(h=300, w=300) size(h=17, w=40) input(e: uniform(0, 2))
void hysteresis(int h, int w, unsigned char *e)
{
    _Bool changed = 1;
    while (changed) {
        changed = 0;
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                if (e[y * w + x] != 1) continue;
                int strong = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (e[(y + dy) * w + x + dx] == 2) strong = 1;
                if (strong) {
                    e[y * w + x] = 2;
                    changed = 1;
                }
            }
    }
}
