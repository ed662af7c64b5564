// The first hits are listed, all are counted. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, room=100) size(n=70, room=5) size(n=40, room=60)
int capped_total(const float *v, int n, float limit, int *where, int room)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (v[i] > limit) {
            if (found < room)
                where[found] = i;
            found++;
        }
    }
    return found;
}
