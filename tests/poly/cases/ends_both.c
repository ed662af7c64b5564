// Two arrays, each between two pointers: the shorter one ends the loop. want: parallel
void ends_both(float *a, float *const a_end, float *b, float *const b_end)
{
    float *p = a, *q = b;
    while (p != a_end && q != b_end) {
        float t = *p;
        *p++ = *q;
        *q++ = t;
    }
}
