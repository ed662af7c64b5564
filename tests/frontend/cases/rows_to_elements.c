// function: ramp
// function: carried
#pragma regraph size(h=30, w=40)
void ramp(float *out, int h, int w, float a, float b)
{
    for (int y = 0; y < h; y++) {
        float fy = a * (float)y + b;
        int base = (int)fy;
        float t = fy - (float)base;
        for (int x = 0; x < w; x++) out[y * w + x] = t * (float)x + (float)base;
    }
}
#pragma regraph size(h=30, w=40)
void carried(const float *in, float *out, int h, int w)
{
    for (int y = 0; y < h; y++) {
        float k = 2.0f * (float)y, s = 0;
        for (int x = 0; x < w; x++) { s += in[y * w + x] * k; out[y * w + x] = s; }
    }
}
// explain(ramp):             float fy = 
