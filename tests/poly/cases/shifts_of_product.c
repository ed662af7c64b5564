// Where cells begin moves up by one place, as many cells as a grid of three dimensions has: a copy is read. want: parallel
// chain: parallelize,coalesce
// shows: ahead
#pragma regraph size(gx=12, gy=10, gz=9) size(gx=2, gy=3, gz=4) extent(start: gx*gy*gz + 1)
void moved(int gx, int gy, int gz, int *start)
{
    int cells = gx * gy * gz;
    for (int c = cells; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}
