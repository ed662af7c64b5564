// function: draw
// expect: short_choice_twice.c:8:
// expect: '?:' with the middle left out
static int next(int *s) { *s = *s * 5 + 1; return *s & 3; }
void draw(const int *a, int n, int *out)
{
    for (int i = 0; i < n; i++) { int s = a[i];
        out[i] = (next(&s) ?: -9) + s;
    }
}
