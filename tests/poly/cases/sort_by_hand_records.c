// Records by a part of one member: equal ones keep their order where insertion sort moves them. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*key & 15\) < \(
struct rec {
    short key;
    float value;
};
#pragma regraph size(n=3000) size(n=50) size(n=2)
void by_key(struct rec *r, int n)
{
    for (int i = 1; i < n; i++) {
        struct rec x = r[i];
        int j;
        for (j = i; j > 0; j--) {
            if ((r[j - 1].key & 15) >= (x.key & 15)) break;
            r[j] = r[j - 1];
        }
        r[j] = x;
    }
}
