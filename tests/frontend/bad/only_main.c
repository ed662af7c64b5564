// expect: the file has nothing but main
int main(void) { return 0; }
