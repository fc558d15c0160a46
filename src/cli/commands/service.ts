import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Command } from "@commander-js/extra-typings";

import type { Config, FlagValues } from "../../config/config.ts";
import { variablesOf } from "../../config/endpoints.ts";
import {
  SETTINGS,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  flagOf,
  variableOf,
} from "../../config/settings.ts";
import { isListedUser } from "../../domain/os-user.ts";
import { ownCommand } from "../../domain/own-command.ts";
import { formatServiceUnit, isStateFolder, KEYS_FILE } from "../../operate/service-unit.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { addSettings, configFileOf, givenText, holdsSecret, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const DEFAULT_DATA = "/var/lib/parley";
/** A user name or number that systemd accepts. */
const USER = /^([a-z_][\w-]{0,30}|\d+)$/i;
/** Lower ports need root. */
const FIRST_FREE_PORT = 1024;

/** `parley service` */
export function addService(program: Command, terminal: Terminal): void {
  const command = program
    .command("service")
    .description(
      `print a hardened systemd unit that runs \`parley serve\` with the given settings, in ${DEFAULT_DATA} without --data`,
    )
    .option(
      "--user <name>",
      "run as this user, who owns the data folder; without it, systemd creates a user",
    );
  addExamples(
    addSettings(command, SETTING_NAMES),
    "parley service --public-url https://chat.example --trust-proxy 127.0.0.1",
    "parley service --user parley --data /srv/parley --config /etc/parley.yaml",
  );
  command.action(({ user, ...options }) => {
    const config = readConfig(terminal, options, { data: DEFAULT_DATA });
    const data = resolve(config.data);
    requireOwner(data, user);
    const own = ownCommand();
    const configFile = configFileOf(terminal, options);
    const secrets = secretVariables(terminal, options, config);
    const flags = [
      "--data",
      data,
      flagOf("mustExist"),
      ...flagsOf(terminal, options, config),
      ...(configFile === undefined ? [] : ["--config", configFile]),
    ];
    terminal.print(
      formatServiceUnit({
        command: [...own, "serve", ...flags],
        data,
        user,
        files: [...own, ...(configFile === undefined ? [] : [configFile])],
        needsLowPort: [config.port, config.operatorPort].some((port) => port > 0 && port < FIRST_FREE_PORT),
        needsKeys: secrets.length > 0,
        isTmpNoexec: isMountedNoexec("/tmp", readMounts()),
      }),
    );
    terminal.say(nextSteps(config, { data, user, env: terminal.env, secrets }));
  });
}

function requireOwner(data: string, user: string | undefined): void {
  if (user !== undefined && !USER.test(user)) {
    throw new UsageError(
      `--user: \`${user}\` is not a valid user name for systemd; use a name such as \`--user parley\``,
    );
  }
  if (user !== undefined || isStateFolder(data)) return;
  throw new UsageError(
    `${data} is outside /var/lib, where systemd creates folders for dynamic users; give the user that owns it with --user`,
  );
}

/**
 * The settings of this command as flags, from its flags and variables except secrets. Settings of the config file stay there. The unit
 * always contains `--must-exist`.
 */
function flagsOf(terminal: Terminal, options: FlagValues, config: Config): string[] {
  const secret = secretSettings(terminal, options, config);
  const named = givenSettings(terminal, options).filter(
    (name) => name !== "data" && !isSwitch(name) && !secret.includes(name),
  );
  return [
    ...named.flatMap((name) => [flagOf(name), String(givenText(terminal, options, name))]),
    ...(config.demo ? [flagOf("demo")] : []),
  ];
}

function givenSettings(terminal: Terminal, options: FlagValues): SettingName[] {
  return SETTING_NAMES.filter((name) => givenText(terminal, options, name) !== "");
}

/** Settings with secrets, given by flag or variable. They are left out of the unit, because every user can read it. */
function secretSettings(terminal: Terminal, options: FlagValues, config: Config): SettingName[] {
  return givenSettings(terminal, options).filter((name) => holdsSecret(config, name));
}

/**
 * The variables that the server needs in its environment: keys of model servers, secrets of webhooks and endpoints, and settings that
 * contain a secret.
 */
function secretVariables(terminal: Terminal, options: FlagValues, config: Config): string[] {
  const keys = Object.values(config.models).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const hooks = Object.values(config.webhooks).map(({ secretEnv }) => secretEnv);
  const ofEndpoints = variablesOf(config.endpoints);
  return [
    ...new Set([
      ...keys,
      ...hooks,
      ...ofEndpoints,
      ...secretSettings(terminal, options, config).map(variableOf),
    ]),
  ];
}

function isSwitch(name: SettingName): boolean {
  const { valueName }: Setting<unknown> = SETTINGS[name];
  return valueName === undefined;
}

interface Facts {
  data: string;
  user: string | undefined;
  env: Terminal["env"];
  /** Names of variables that hold secrets. */
  secrets: readonly string[];
}

function nextSteps(config: Config, { data, user, env, secrets }: Facts): string {
  return [
    `It starts once there is a database: parley seed bots/ --data ${data}`,
    ...(user !== undefined && process.platform === "linux" && !isListedUser(user)
      ? [`this machine has no user \`${user}\` in /etc/passwd: create it before starting the service.`]
      : []),
    ...(config.backupEvery === undefined
      ? [
          "It makes no backups; add --backup-every 6h for regular backups, and --backup-keep for their number.",
        ]
      : []),
    "Save it as /etc/systemd/system/parley.service, then: systemctl daemon-reload && systemctl enable --now parley",
    ...(secrets.length > 0 ? secretSteps(secrets, env) : []),
  ].join("\n");
}

function secretSteps(secrets: readonly string[], env: Terminal["env"]): string[] {
  const [set, missing] = [secrets.filter((name) => env[name]), secrets.filter((name) => !env[name])];
  return [
    `Put ${secrets.join(", ")} into ${KEYS_FILE}, one NAME='value' per line; create the file first so that only root can read it: touch ${KEYS_FILE} && chmod 600 ${KEYS_FILE}`,
    ...(set.length > 0 ? [`Set in this environment: ${set.join(", ")}`] : []),
    ...(missing.length > 0 ? [`Not set in this environment: ${missing.join(", ")}`] : []),
  ];
}

function readMounts(): string {
  // Only Linux has systemd; elsewhere the unit is for another machine.
  return process.platform === "linux" ? readFileSync("/proc/self/mounts", "utf8") : "";
}

/** Whether the folder is mounted `noexec`, according to the lines of `/proc/self/mounts`. Pure. */
export function isMountedNoexec(folder: string, mounts: string): boolean {
  const points = mounts
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, point = ""]) => point === "/" || folder === point || folder.startsWith(`${point}/`))
    .toSorted(([, one = ""], [, other = ""]) => one.length - other.length);
  return points.at(-1)?.[3]?.split(",").includes("noexec") ?? false;
}
