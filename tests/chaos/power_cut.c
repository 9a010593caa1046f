/* Loaded before all other libraries: writes down, in their order, what a process asks a database's files to keep (W),
   to have kept for sure (S), to be cut to (T), and to be gone (U), with the process's own acknowledgements (A).
   No disk is waited for: what a disk would hold after a power cut is made of the record. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int record = -1;
static ssize_t (*plain)(int, const void *, size_t);

static void keep(char what, char file, long at, const void *bytes, long length) {
    struct { char what, file; short none[3]; long at, length; } head = { what, file, {0, 0, 0}, at, length };
    if (plain(record, &head, sizeof head) < 0) _exit(71);
    if (bytes && length > 0 && plain(record, bytes, length) != length) _exit(72);
}

void record_into(const char *path) {
    plain = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    record = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}
void record_told(long number) { keep('A', 0, number, 0, 0); }

static char of_path(const char *path) {  /* d: the database, w: its log, j: its journal, 0: none of them */
    const char *name = strrchr(path, '/');
    if (record < 0 || !name || strncmp(name, "/overseer.sqlite3", 17)) return 0;
    name += 17;
    return !*name ? 'd' : !strcmp(name, "-wal") ? 'w' : !strcmp(name, "-journal") ? 'j' : 0;
}

static char of(int fd) {
    char link[64], path[512];
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = record < 0 ? -1 : readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return of_path(path);
}

#define NEXT(name) __typeof__(name) *next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define WROTE(o) char f = of(fd); if (f) keep('W', f, o, b, n)
ssize_t write(int fd, const void *b, size_t n) { NEXT(write); WROTE(lseek(fd, 0, SEEK_CUR)); return next(fd, b, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { NEXT(pwrite); WROTE(o); return next(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { NEXT(pwrite64); WROTE(o); return next(fd, b, n, o); }
#define SYNCED char f = of(fd); if (f) { keep('S', f, 0, 0, 0); return 0; }
int fsync(int fd) { NEXT(fsync); SYNCED; return next(fd); }
int fdatasync(int fd) { NEXT(fdatasync); SYNCED; return next(fd); }
#define CUT char f = of(fd); if (f) keep('T', f, n, 0, 0)
int ftruncate(int fd, off_t n) { NEXT(ftruncate); CUT; return next(fd, n); }
int ftruncate64(int fd, off64_t n) { NEXT(ftruncate64); CUT; return next(fd, n); }
int unlink(const char *path) { NEXT(unlink); char f = of_path(path); if (f) keep('U', f, 0, 0, 0); return next(path); }
