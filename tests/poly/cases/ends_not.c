// Two arrays, though their pointers are compared: one may be the other, and nothing ends where they meet. want: sequential
void ends_not(float *dst, const float *src, const float *src_end)
{
    if (dst == src) return;
    while (src != src_end) *dst++ += *src++;
}
