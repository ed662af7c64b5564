// Short arrays in a structure that is copied out as a whole, reduced in loops over elements. want: parallel
// chain: reduce.block
// shows: box_low\[
#pragma regraph size(n=3000) size(n=40) size(n=1)
typedef struct { float low[3], high[3]; double sum[2]; unsigned seen; } bounds;
typedef struct { float x, y, z; int kind; } point;
void members_arrays(int n, const point p[n], bounds *out)
{
    bounds box = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, {0}, 0};
    for (int i = 0; i < n; i++) {
        const float c[3] = {p[i].x, p[i].y, p[i].z};
        for (int a = 0; a < 3; a++) {
            if (c[a] < box.low[a]) box.low[a] = c[a];
            if (c[a] > box.high[a]) box.high[a] = c[a];
        }
        box.sum[0] += c[0];
        box.sum[1] += c[1];
        box.seen |= 1u << (p[i].kind & 31);
    }
    *out = box;
}
