// A for that tests its count as it takes it down, with a step of its own and a continue in it. want: parallel
typedef struct {
    unsigned char r, g, b, a;
} pixel;

int counted_for_down(const pixel *in, float *grey, int count)
{
    int clear = 0;
    for (; count-- > 0; in++, grey++) {
        if (in->a == 0) {
            *grey = 0;
            clear++;
            continue;
        }
        *grey = 0.3f * in->r + 0.6f * in->g + 0.1f * in->b;
    }
    return clear;
}
