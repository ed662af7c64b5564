// What C++ reserves or reads otherwise: keywords as names, enum arithmetic, hex floats, K&R, _Bool, comma. want: parallel
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#pragma regraph size(n=3000) size(n=37)
enum mode { LOW = 1, HIGH = 2, BOTH = 3 };
static const char tag[] = "abc";
static float pick(int class, float new) { float delete = new * 2; return class ? delete : -new; }
static enum mode next(enum mode m) { return m + 1; }
static unsigned hash(unsigned x) { x ^= x >> 16; x *= 0x45d9f3bu; x ^= x >> 16; return x; }
static float knr(a, b) float a; int b; { return a * b; }
static float lut(int i) { static const float t[4] = { 0x1p-1f, 0x1.8p1f, 'a', 2 }; return t[i & 3]; }
static float cond(int i) { return i % 3 ? 1 : 0.5; }
void cxx(int n, const float *restrict this, float *restrict template) {
    for (int i = 0; i < n; i++) {
        enum mode m = i % 2 ? LOW : HIGH;
        m = next(m);
        _Bool b = this[i];
        unsigned namespace = hash((unsigned)i);
        int typename = (namespace & 7, i % 5);
        float operator = pick(b, this[i]) + knr(this[i], typename) + lut(i) + cond(i) + tag[i % 3] + (m & BOTH) + 'z';
        template[i] = operator + (namespace % 17u) * 0x1.0p-3f;
    }
}

