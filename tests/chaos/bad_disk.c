/* Loaded before all other libraries: lets the n-th write to a database's files fail, once or from then on, or ends the
   process there. Armed by the process itself through ctypes, so that what is prepared before meets a sound disk.
   No disk is waited for: what is tried is what an answer of the disk leads to. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long left = -1, seen = 0;
static int failure = 0, for_good = 0;

void disk_arm(long n, int error, int sticky) { left = n; failure = error; for_good = sticky; seen = 0; }
long disk_seen(void) { return seen; }

static int ours(int fd) {
    char link[64], path[512];
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "overseer.sqlite3") != 0;
}

static int fails(int fd) {
    if (left < 0 || !ours(fd)) return 0;
    seen++;
    if (left == 0) return 0;              /* 0: only counted */
    if (seen == left || (for_good && seen > left)) {
        if (failure == 0) kill(getpid(), SIGKILL);
        errno = failure;
        return 1;
    }
    return 0;
}

#define NEXT(name) __typeof__(name) *next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
ssize_t write(int fd, const void *b, size_t n) { NEXT(write); return fails(fd) ? -1 : next(fd, b, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { NEXT(pwrite); return fails(fd) ? -1 : next(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { NEXT(pwrite64); return fails(fd) ? -1 : next(fd, b, n, o); }
int fsync(int fd) { NEXT(fsync); return fails(fd) ? -1 : ours(fd) ? 0 : next(fd); }
int fdatasync(int fd) { NEXT(fdatasync); return fails(fd) ? -1 : ours(fd) ? 0 : next(fd); }
int ftruncate(int fd, off_t n) { NEXT(ftruncate); return fails(fd) ? -1 : next(fd, n); }
int ftruncate64(int fd, off64_t n) { NEXT(ftruncate64); return fails(fd) ? -1 : next(fd, n); }
