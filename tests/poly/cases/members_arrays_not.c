// Arrays in a structure that stay where they are: one leads a pointer, one is passed on, one has too many elements. want: sequential
// lacks: box_(low|high|many)\[
// chain: sequential
#pragma regraph size(n=300) size(n=40) size(n=1)
typedef struct { float low[3], high[3], many[32]; } bounds;
static float least(const float *v) { return v[0] < v[1] ? v[0] : v[1]; }
void members_arrays_not(int n, const float x[n], bounds *out)
{
    bounds box = {{1, 1, 1}, {-1, -1, -1}, {0}};
    for (int i = 1; i < n; i++) {
        float *at = x[i] > 0 ? box.low : box.high;
        at[i % 3] += x[i];
        box.many[i % 32] += box.many[(i + 31) % 32] * 0.5f + least(box.high);
    }
    *out = box;
}
