import { readFileSync } from "node:fs";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** System calls; tests replace them. */
interface System {
  /** Undefined if the system has no user ids. */
  uid: number | undefined;
  env: Environment;
  /** Lines as `ann:x:1000:…`; empty if there is no such file. */
  passwd: string;
}

/**
 * Name of the user that this process runs as, from the list of users, because the environment can be forged. For root by `sudo`, the
 * original user is named first.
 */
export function osUser({ uid, env, passwd }: System = readSystem()): string {
  if (uid === undefined) return env.USERNAME ?? "unknown";
  const user = nameIn(passwd, uid) ?? `uid ${uid}`;
  const before = env.SUDO_USER;
  return uid === 0 && before && before !== user ? `${before} as ${user}` : user;
}

/** Whether the list of users has one of this name or number. */
export function isListedUser(user: string, passwd = readPasswd()): boolean {
  return passwd.split("\n").some((entry) => {
    const [name, , uid] = entry.split(":");
    return user === name || user === uid;
  });
}

function nameIn(passwd: string, uid: number): string | undefined {
  const line = passwd.split("\n").find((entry) => entry.split(":")[2] === String(uid));
  return line?.split(":")[0];
}

function readSystem(): System {
  return { uid: process.getuid?.(), env: process.env, passwd: readPasswd() };
}

/** Bun's `userInfo` trusts the variable USER. */
function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
