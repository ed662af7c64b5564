// The same with points a grid apart: the loop over them comes to all. want: parallel
// chain: parallelize,grid.stride,vectorize
// shows: i0 \+= \(int\)gridDim.x \* BX \* W
#pragma regraph size(n=3000) size(n=37)
typedef struct { float x, y; } pair;
static float product(pair a, pair b) { return a.x * b.x + a.y * b.y; }
void lit_strides(int n, const float p[n][2], float out[n]) {
    for (int i = 0; i < n; i++) {
        pair a = (pair){ p[i][0], p[i][1] };
        out[i] += product(a, (pair){ .y = 2.0f, .x = 1.0f }) + ((pair){ 3, 4 }).y;
    }
}
