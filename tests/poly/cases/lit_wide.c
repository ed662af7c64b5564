// Several points a thread of code that has no other form than the file's: all are updated, each once. want: parallel
// chain: parallelize,vectorize
// shows: \*\(float4 \*\)&out\[i0\]
#pragma regraph size(n=3000) size(n=37)
typedef struct { float x, y; } pair;
static float product(pair a, pair b) { return a.x * b.x + a.y * b.y; }
void lit_wide(int n, const float p[n][2], float out[n]) {
    for (int i = 0; i < n; i++) {
        pair a = (pair){ p[i][0], p[i][1] };
        out[i] += product(a, (pair){ .y = 2.0f, .x = 1.0f }) + ((pair){ 3, 4 }).y;
    }
}
