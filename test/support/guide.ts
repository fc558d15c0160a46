import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { blocksOf, pageOf } from "./docs.ts";
import { EXECUTABLE, emptyFolder, freePort } from "./executable.ts";

/** Folders that the operating pages name; they are below the root of the test's machine. */
const PLACES = /(?<=^|[\s='"])\/(?=(?:etc|mnt|usr|var)\/)/gm;

/** `parley serve` continues in the background, as in another terminal. The machine has one server at a time. */
const PARLEY = `#!/bin/bash
case " $* " in
  *" --help "*) ;;
  " serve "*) systemctl stop parley; exec run-server "$EXECUTABLE" "$@" ;;
  " service "*) unset PARLEY_DATA ;; # systemd sees the folder at its own place
esac
exec "$EXECUTABLE" "$@"
`;

/** A stand-in for systemd: runs the unit's command with the variables of its environment file. */
const SYSTEMCTL = `#!/bin/bash
set -e
case "$1" in
  daemon-reload) ;;
  is-enabled) echo enabled ;;
  stop)
    [ -e "$ROOT/server.pid" ] || exit 0
    pid=$(cat "$ROOT/server.pid")
    rm "$ROOT/server.pid"
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done ;;
  enable | start | restart)
    systemctl stop parley
    command=$(sed -n 's/^ExecStart=//p' "$ROOT/etc/systemd/system/parley.service" | sed "s# /var/lib/# $ROOT/var/lib/#")
    if grep -q '^EnvironmentFile=' "$ROOT/etc/systemd/system/parley.service"; then set -a; . "$ROOT/etc/parley.env"; set +a; fi
    unset PARLEY_DATA PARLEY_STORE PARLEY_BUCKETS PARLEY_CONFIG
    eval "exec run-server $command" ;;
  *) echo "systemctl $1 is not known here" >&2; exit 64 ;;
esac
`;

/** Runs a server in the background, and returns once it answers. */
const RUN_SERVER = `#!/bin/bash
"$@" </dev/null >>"$ROOT/server.log" 2>&1 &
pid=$!
disown
echo $pid >"$ROOT/server.pid"
until curl --silent --fail "http://127.0.0.1:$PARLEY_PORT/readyz" >/dev/null 2>&1; do
  if ! kill -0 $pid 2>/dev/null; then tail -5 "$ROOT/server.log" >&2; exit 1; fi
  sleep 0.05
done
`;

interface Answer {
  exitCode: number;
  stdout: string;
  /** Each command as it runs, and its messages. */
  stderr: string;
}

/**
 * A machine that runs a page's commands word for word in bash: with `parley`, a stand-in for systemd, and a curl that maps the usual ports to free ones.
 * Its root is a temporary folder, which is prefixed to the page's paths.
 */
export class GuideMachine implements AsyncDisposable {
  readonly root = emptyFolder();
  readonly #env: Record<string, string>;
  /** Addresses of other services in the pages, and of their stand-ins here. */
  readonly #addresses: readonly (readonly [string, () => Promise<string>])[];

  constructor(addresses: readonly (readonly [string, () => Promise<string>])[]) {
    this.#addresses = addresses;
    const [port, operatorPort] = [String(freePort()), String(freePort())];
    this.#env = {
      PATH: `${this.root}/bin:/usr/bin:/bin`,
      HOME: this.root,
      CURL_HOME: this.root,
      ROOT: this.root,
      EXECUTABLE,
      PARLEY_PORT: port,
      PARLEY_OPERATOR_PORT: operatorPort,
    };
    for (const [name, script] of Object.entries({
      parley: PARLEY,
      systemctl: SYSTEMCTL,
      "run-server": RUN_SERVER,
    })) {
      this.write(`bin/${name}`, script);
      chmodSync(join(this.root, "bin", name), 0o755);
    }
    this.write(
      ".curlrc",
      `fail\nsilent\nshow-error\nconnect-to = "127.0.0.1:8787:127.0.0.1:${port}"\nconnect-to = "127.0.0.1:8788:127.0.0.1:${operatorPort}"\n`,
    );
    this.write(
      "bots/acme.yaml",
      blocksOf(pageOf("README.md")).find(({ text }) => text.startsWith("# acme.yaml"))!.text,
    );
    for (const folder of ["etc/systemd/system", "mnt/backups", "var/lib"]) {
      mkdirSync(join(this.root, folder), { recursive: true });
    }
  }

  /** @param path relative to the root, without a leading slash */
  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs the `sh` blocks of a page in one shell, up to the first command that fails; files shown on the page exist. */
  async runPage(path: string, variables: Record<string, string> = {}, last = ""): Promise<Answer> {
    const blocks = blocksOf(pageOf(path));
    for (const { language, text } of blocks) {
      const file = /^# \/(etc\/\S+)$/m.exec(text)?.[1];
      if (language === "yaml" && file !== undefined) this.write(file, await this.#here(text));
    }
    const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
    return this.run(await this.#here([...commands, last].join("\n")), variables);
  }

  async run(script: string, variables: Record<string, string> = {}): Promise<Answer> {
    const child = Bun.spawn(["/bin/bash", "-euxo", "pipefail", "-c", script], {
      cwd: this.root,
      env: { ...this.#env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { exitCode: await child.exited, stdout, stderr };
  }

  /** The text with paths and addresses of this machine; a created address differs at each use. */
  async #here(text: string): Promise<string> {
    let here = text.replaceAll(PLACES, `${this.root}/`);
    for (const [address, replacement] of this.#addresses) {
      while (here.includes(address)) here = here.replace(address, await replacement());
    }
    return here;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("systemctl stop parley");
  }
}
