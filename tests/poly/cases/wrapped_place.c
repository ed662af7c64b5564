// The corner before each is the last at first: a wrap-around place. No caller says how many corners there are. want: parallel
#pragma regraph size(corners=60) size(corners=7) size(corners=2)
typedef struct {
    double east, north;
} corner;
double enclosed(const corner *at, int corners, double *moment)
{
    double twice = 0, about = 0;
    int last = corners - 1;
    for (int k = 0; k < corners; last = k++) {
        double cross = at[last].east * at[k].north - at[k].east * at[last].north;
        twice += cross;
        about += cross * (at[last].east + at[k].east);
    }
    *moment = about / 6;
    return twice / 2;
}
