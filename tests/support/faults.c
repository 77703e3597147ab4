/* SPDX-License-Identifier: MIT */
/* Preloaded: the k-th call of one function fails. RITZ_FAULT=write:3 has the third write end with ENOSPC. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int strikes(const char* name, int error) {
  static __thread int inside = 0;
  static const char* asked = 0;
  static long left = -1;
  if (inside) return 0;
  inside = 1;
  if (left < 0) {
    asked = getenv("RITZ_FAULT");
    const char* colon = asked ? strchr(asked, ':') : 0;
    left = colon ? atol(colon + 1) : 0;
  }
  int hit = 0;
  const size_t length = strlen(name);
  if (left > 0 && !strncmp(asked, name, length) && asked[length] == ':') hit = __sync_sub_and_fetch(&left, 1) == 0;
  inside = 0;
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
int rename(const char* from, const char* to) { return strikes("rename", EXDEV) ? -1 : REAL(rename)(from, to); }

