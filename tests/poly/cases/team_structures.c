// A loop for a block's threads under a condition on a structure that the block goes through in order. want: parallel
typedef struct { signed char v, top; } car;
#pragma regraph size(n=200,ticks=3,ndet=12) size(n=7,ticks=2,ndet=5) extent(pos: 16) extent(count: 16)
#pragma regraph input(pos: uniform(0,n-1))
void team_structures(const car *now, car *next, int n, int ticks, const int *pos, unsigned *count, int ndet)
{
    for (int k = 0; k < ticks; k++) {
        for (int i = 0; i < n; i++) next[i].v = -1;
        for (int i = 0; i < n; i++) {
            car c = now[i];
            if (c.v < 0) continue;
            int v = (c.v + k) % 9;
            for (int d = 0; d < ndet; d++)
                if (pos[d] > i && pos[d] <= i + v) count[d]++;
            c.v = (signed char)v;
            next[(i + v) % n] = c;
        }
    }
}
