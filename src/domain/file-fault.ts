const FAULTS: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "this is a folder, not a file",
  EACCES: "this user may not read it; check its permissions",
  EPERM: "this user may not read it; check its permissions",
  ELOOP: "its symbolic links lead in a circle",
  ENOTDIR: "there is no such file: a part of the path is not a folder",
  ENAMETOOLONG: "the path is too long",
};

/** Why a file cannot be read, in words. */
export function fileFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return FAULTS[code ?? ""] ?? `cannot be read: ${message}`;
}
