/*
 * Makes the disk fail below SQLite: a library that is loaded before libc (LD_PRELOAD) and stands between a program and the calls that
 * change files. Only files under FAULT_FOLDER are concerned. FAULT_CONTROL is a file of six 32-bit numbers that is mapped, so that another
 * process arms the library and reads what came of it.
 *
 * It also keeps what each write replaced until the file is synced. A failed sync, and a power cut, take all of that back: whoever takes
 * what the page cache holds for stored loses it here, as on a real disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { NONE, FAILED_SYNC, SHORT_WRITE, FULL_DISK, FAILED_WRITE, POWER_CUT };

/* In the order of control.ts. */
struct control {
  uint32_t kind;
  uint32_t pass;   /* calls that are still let through */
  uint32_t fail;   /* calls that fail after them */
  uint32_t hits;   /* calls that failed */
  uint32_t writes; /* calls seen that change a file */
  uint32_t syncs;  /* calls seen that sync one */
};

struct change {
  struct change *before;
  off_t offset;
  off_t file_size;
  size_t length;
  char bytes[];
};

struct file {
  dev_t device;
  ino_t inode;
  int descriptor; /* of its own, never closed: to close it would take the program's locks away */
  struct change *last;
};

#define MOST_FILES 64

static struct control *control;
static char folder[PATH_MAX];
static size_t folder_length;
static struct file files[MOST_FILES];
static int file_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fallocate)(int, int, off_t, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void prepare(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fallocate = dlsym(RTLD_NEXT, "fallocate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  const char *path = getenv("FAULT_CONTROL");
  const char *wanted = getenv("FAULT_FOLDER");
  if (path == NULL || wanted == NULL) return;
  folder_length = strlen(wanted);
  if (folder_length >= sizeof folder) return;
  memcpy(folder, wanted, folder_length);
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_concerned(int descriptor) {
  if (control == NULL) return 0;
  char link[64], path[PATH_MAX];
  char digits[16];
  int at = sizeof digits, rest = descriptor;
  if (descriptor < 0) return 0;
  do digits[--at] = '0' + rest % 10; while ((rest /= 10) > 0);
  memcpy(link, "/proc/self/fd/", 14);
  memcpy(link + 14, digits + at, sizeof digits - at);
  link[14 + sizeof digits - at] = 0;
  ssize_t length = readlink(link, path, sizeof path);
  return length >= (ssize_t)folder_length && memcmp(path, folder, folder_length) == 0;
}

static struct file *file_of(int descriptor, const struct stat *details) {
  for (int i = 0; i < file_count; i++)
    if (files[i].device == details->st_dev && files[i].inode == details->st_ino) return &files[i];
  if (file_count == MOST_FILES) return NULL;
  struct file *file = &files[file_count++];
  *file = (struct file){details->st_dev, details->st_ino, fcntl(descriptor, F_DUPFD_CLOEXEC, 500), NULL};
  return file;
}

/* Keeps what stands at a place before it changes. */
static void remember(int descriptor, off_t offset, off_t length) {
  struct stat details;
  if (fstat(descriptor, &details) != 0 || !S_ISREG(details.st_mode)) return;
  struct file *file = file_of(descriptor, &details);
  if (file == NULL) return;
  off_t there = details.st_size - offset;
  if (there > length) there = length;
  if (there < 0) there = 0;
  struct change *change = malloc(sizeof *change + there);
  if (change == NULL) return;
  change->offset = offset;
  change->file_size = details.st_size;
  ssize_t kept = pread(file->descriptor, change->bytes, there, offset);
  change->length = kept > 0 ? kept : 0;
  change->before = file->last;
  file->last = change;
}

static void forget(struct file *file) {
  while (file->last != NULL) {
    struct change *change = file->last;
    file->last = change->before;
    free(change);
  }
}

/* Takes back what was not synced, the last change first. */
static void take_back(struct file *file) {
  for (struct change *change = file->last; change != NULL; change = change->before) {
    real_pwrite(file->descriptor, change->bytes, change->length, change->offset);
    real_ftruncate(file->descriptor, change->file_size);
  }
  forget(file);
}

static void cut_power(void) {
  for (int i = 0; i < file_count; i++) take_back(&files[i]);
  _exit(137);
}

/* Whether this call is one that fails. */
static int strikes(int is_sync) {
  uint32_t kind = control->kind;
  if (kind == NONE) return 0;
  if (kind != POWER_CUT && (kind == FAILED_SYNC) != is_sync) return 0;
  if (control->pass > 0) return control->pass--, 0;
  if (control->fail == 0) return 0;
  control->fail--;
  control->hits++;
  if (kind == POWER_CUT) cut_power();
  return 1;
}

/* How many bytes a write is to take: all, half of them, or none with errno set. */
static ssize_t allowed(size_t length) {
  control->writes++;
  if (!strikes(0)) return length;
  int is_first = control->hits % 2 == 1;
  if (control->kind == SHORT_WRITE) return length > 1 ? (ssize_t)(length / 2) : (ssize_t)length;
  if (control->kind == FAILED_WRITE && is_first && length > 1) return length / 2;
  errno = control->kind == FULL_DISK ? ENOSPC : EIO;
  return -1;
}

static ssize_t write_at(int descriptor, const void *bytes, size_t length, off_t offset, int moves) {
  pthread_mutex_lock(&mutex);
  ssize_t result = allowed(length);
  if (result >= 0) {
    int before = errno;
    remember(descriptor, offset, result);
    errno = before;
    result = moves ? real_write(descriptor, bytes, result) : real_pwrite(descriptor, bytes, result, offset);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (!is_concerned(descriptor)) return real_write(descriptor, bytes, length);
  return write_at(descriptor, bytes, length, lseek(descriptor, 0, SEEK_CUR), 1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off_t offset) {
  if (!is_concerned(descriptor)) return real_pwrite(descriptor, bytes, length, offset);
  return write_at(descriptor, bytes, length, offset, 0);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return pwrite64(descriptor, bytes, length, offset);
}

int ftruncate64(int descriptor, off_t size) {
  if (!is_concerned(descriptor)) return real_ftruncate(descriptor, size);
  pthread_mutex_lock(&mutex);
  int result = -1;
  if (allowed(1) == 1) {
    remember(descriptor, size, SSIZE_MAX);
    result = real_ftruncate(descriptor, size);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int fallocate64(int descriptor, int mode, off_t offset, off_t length) {
  if (!is_concerned(descriptor)) return real_fallocate(descriptor, mode, offset, length);
  pthread_mutex_lock(&mutex);
  int result = -1;
  if (allowed(1) == 1) {
    remember(descriptor, offset, length);
    result = real_fallocate(descriptor, mode, offset, length);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return fallocate64(descriptor, mode, offset, length);
}

static int sync_with(int (*real)(int), int descriptor) {
  if (!is_concerned(descriptor)) return real(descriptor);
  pthread_mutex_lock(&mutex);
  struct stat details;
  struct file *file = fstat(descriptor, &details) == 0 ? file_of(descriptor, &details) : NULL;
  int result = 0;
  control->syncs++;
  if (strikes(1)) {
    if (file != NULL) take_back(file);
    errno = EIO;
    result = -1;
  } else if ((result = real(descriptor)) == 0 && file != NULL) {
    forget(file);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int fsync(int descriptor) { return sync_with(real_fsync, descriptor); }
int fdatasync(int descriptor) { return sync_with(real_fdatasync, descriptor); }
