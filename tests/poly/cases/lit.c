// Compound literals and designated initialisers of structures, in a helper too. want: parallel
#pragma regraph size(n=3000) size(n=37)
typedef struct { float x, y, z; } v3;
static v3 add(v3 a, v3 b) { return (v3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static v3 scale(v3 a, float s) { v3 r = { .z = a.z * s, .x = a.x * s, .y = a.y * s }; return r; }
static float dot3(v3 a, v3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
void lit(int n, const float p[n][3], float out[n]) {
    for (int i = 0; i < n; i++) {
        v3 a = (v3){ p[i][0], p[i][1], p[i][2] };
        v3 b = add(a, (v3){ .y = 1.0f });
        out[i] = dot3(scale(a, 2), b) + ((v3){1, 2, 3}).y;
    }
}
