import { userInfo } from "node:os";

/**
 * The user that this process runs as, for people to read: who became root by `sudo` is named before. The number where the system has no
 * name for it.
 */
export function osUser(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const user = nameOfUser();
  const { SUDO_USER: before } = env;
  return process.getuid?.() === 0 && before !== undefined && before !== "" && before !== user
    ? `${before} as ${user}`
    : user;
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container, or a unit with a user of its own, may run as one that no list names.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
