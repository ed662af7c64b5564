// Which elements take part depends on the running value: that is no plain maximum. want: sequential
float scaled_not(int n, const float x[n])
{
    float m = 1.0f, s = 0.0f;
    for (int i = 0; i < n; i++) {
        float t = x[i];
        if (m < 4.0f) {
            if (m < t) {
                s = s * m + t;
                m = t;
            } else {
                s += t / m;
            }
        }
    }
    return s + m;
}
