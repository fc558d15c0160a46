/** Path of a program that tests run: the one named by an environment variable, or the first one installed. */
export function findProgram(variable: string, usualNames: readonly string[]): string | undefined {
  const named = process.env[variable] ?? "";
  return [named, ...usualNames].map((name) => Bun.which(name)).find((path) => path !== null);
}

/** Installs a package of Debian or Ubuntu if that needs no password. @returns whether it did */
export function aptInstall(name: string): boolean {
  if (process.getuid?.() !== 0 || Bun.which("apt-get") === null) return false;
  return [["update"], ["install", "--yes", "--no-install-recommends", name]].every((args) => {
    const { exitCode } = Bun.spawnSync(["apt-get", "--quiet", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "inherit", "inherit"],
    });
    return exitCode === 0;
  });
}
