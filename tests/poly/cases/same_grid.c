// A flood over a grid with walls, four neighbours by a table. want: parallel
#pragma regraph size(w=300, h=200, sx=3, sy=4) size(w=9, h=7, sx=1, sy=2) extent(wall: w*h) input(wall: uniform(0, 3)) require(sx < w) require(sy < h)
int flood(int w, int h, const unsigned char *wall, int sx, int sy, int *dist)
{
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    for (int i = 0; i < w * h; i++) dist[i] = -1;
    dist[sy * w + sx] = 0;
    for (int step = 0;; step++) {
        int grew = 0;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                if (dist[y * w + x] != step) continue;
                for (int k = 0; k < 4; k++) {
                    int nx = x + dx[k], ny = y + dy[k];
                    if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
                    if (wall[ny * w + nx] || dist[ny * w + nx] >= 0) continue;
                    dist[ny * w + nx] = step + 1;
                    grew++;
                }
            }
        if (!grew) return step;
    }
}
