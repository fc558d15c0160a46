import { resolve } from "node:path";

import { type Command, Option, type OptionValues } from "@commander-js/extra-typings";

import { CONFIG_FILE_VARIABLE, type Config, type FlagValues, loadConfig } from "../config/config.ts";
import { SETTINGS, type Setting, type SettingName, flagOf, variableOf } from "../config/settings.ts";
import { setEncoder } from "../intent/classifier.ts";
import type { Terminal } from "./terminal.ts";

/** Adds `--config` and one flag per setting; `readConfig` reads their values. */
export function addSettings<
  Args extends unknown[],
  Options extends OptionValues,
  Global extends OptionValues,
>(command: Command<Args, Options, Global>, names: readonly SettingName[]): Command<Args, Options, Global> {
  for (const name of names) command.addOption(settingOption(name));
  command.addOption(new Option("--config <file>", `YAML file with settings (env: ${CONFIG_FILE_VARIABLE})`));
  return command;
}

/** Reads the settings, and sets whether this process encodes texts. @throws ConfigError */
export function readConfig(terminal: Terminal, options: object, defaults: Partial<Config> = {}): Config {
  const { env, readFile } = terminal;
  const config = loadConfig({ flags: options, env, readFile, defaults });
  setEncoder(config.encoder);
  return config;
}

/** Settings given by flag or variable; empty if there are none. */
export function givenText(
  { env }: Pick<Terminal, "env">,
  options: FlagValues,
  name: SettingName,
): string | boolean {
  return options[name] ?? env[variableOf(name)] ?? "";
}

/** The path of the config file, where there is one. */
export function configFileOf({ env }: Pick<Terminal, "env">, { config }: FlagValues): string | undefined {
  const file = config ?? env[CONFIG_FILE_VARIABLE];
  return file ? resolve(String(file)) : undefined;
}

export function holdsSecret(config: Config, name: SettingName): boolean {
  const setting: Setting<unknown> = SETTINGS[name];
  const value = config[name];
  return value !== undefined && (setting.holdsSecret?.(value) ?? false);
}

function settingOption(name: SettingName): Option {
  const { valueName, description, defaultText, default: value }: Setting<unknown> = SETTINGS[name];
  const flag = valueName === undefined ? flagOf(name) : `${flagOf(name)} <${valueName}>`;
  const origins = `default: ${defaultText ?? String(value)}, env: ${variableOf(name)}, file: ${name}`;
  return new Option(flag, `${description}\n(${origins})`);
}
