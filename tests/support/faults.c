/* SPDX-License-Identifier: MIT */
/* Preloaded: the k-th call of one function fails. RITZ_FAULT=write:3 has the third write end with ENOSPC;
   RITZ_FAULT=kill-write:3 has the process killed in its place. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int strikes(const char* name, int error) {
  static __thread int inside = 0;
  static const char* asked = 0;
  static long left = -1;
  static int deadly = 0;
  if (inside) return 0;
  inside = 1;
  if (left < 0) {
    asked = getenv("RITZ_FAULT");
    const char* colon = asked ? strchr(asked, ':') : 0;
    left = colon ? atol(colon + 1) : 0;
    deadly = asked && !strncmp(asked, "kill-", 5);
    if (deadly) asked += 5;
  }
  int hit = 0;
  const size_t length = strlen(name);
  if (left > 0 && !strncmp(asked, name, length) && asked[length] == ':') hit = __sync_sub_and_fetch(&left, 1) == 0;
  inside = 0;
  if (hit && deadly) kill(getpid(), SIGKILL);
  if (hit) errno = error;
  return hit;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void* data, size_t size) {
  if (file > 2 && strikes("write", ENOSPC)) return -1;
  return REAL(write)(file, data, size);
}
ssize_t read(int file, void* data, size_t size) {
  if (strikes("read", EIO)) return -1;
  return REAL(read)(file, data, size);
}
int fsync(int file) { return strikes("fsync", EIO) ? -1 : REAL(fsync)(file); }
/* Not the libraries', which look at the machine. */
static int ours(const char* path) {
  return strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5) && strncmp(path, "/dev/", 5) && strncmp(path, "/etc/", 5) &&
         strncmp(path, "/usr/", 5) && strncmp(path, "/lib", 4);
}
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  return ours(path) && strikes("open", EMFILE) ? -1 : REAL(open)(path, flags, mode);
}
FILE* fopen64(const char* path, const char* mode) { return ours(path) && strikes("open", EMFILE) ? 0 : REAL(fopen64)(path, mode); }
FILE* fopen(const char* path, const char* mode) { return ours(path) && strikes("open", EMFILE) ? 0 : REAL(fopen)(path, mode); }
int rename(const char* from, const char* to) { return strikes("rename", EXDEV) ? -1 : REAL(rename)(from, to); }


/* Memory: RITZ_FAULT=alloc:100 has the hundredth request refused. What glibc calls them stands behind, since asking for
   the real ones by name would itself want memory. RITZ_FAULT_COUNT=FILE: how many there were. */
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
static long allocations = 0;

static int refused(void) {
  __sync_add_and_fetch(&allocations, 1);
  return strikes("alloc", ENOMEM);
}
void* malloc(size_t size) { return refused() ? 0 : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return refused() ? 0 : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return refused() ? 0 : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) { return refused() ? 0 : __libc_memalign(alignment, size); }
void* memalign(size_t alignment, size_t size) { return refused() ? 0 : __libc_memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (refused()) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("RITZ_FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : 0;
  if (!file) return;
  fprintf(file, "%ld\n", allocations);
  fclose(file);
}
