// A pointer that walks to another parameter, which is the end of its array. want: parallel
float ends_walked(const float *x, const float *end)
{
    float s = 0;
    while (x < end) s += *x++;
    return s;
}
