import { type Command, Option, type OptionValues } from "@commander-js/extra-typings";

import { CONFIG_FILE_VARIABLE, type Config, loadConfig } from "../config/config.ts";
import { SETTINGS, type Setting, type SettingName, flagOf, variableOf } from "../config/settings.ts";
import type { Terminal } from "./terminal.ts";

/** Adds `--config` and a flag per setting; what they were given is read by `readConfig`, not by their names. */
export function addSettings<
  Args extends unknown[],
  Options extends OptionValues,
  Global extends OptionValues,
>(command: Command<Args, Options, Global>, names: readonly SettingName[]): Command<Args, Options, Global> {
  for (const name of names) command.addOption(settingOption(name));
  command.addOption(new Option("--config <file>", `YAML file with settings (env: ${CONFIG_FILE_VARIABLE})`));
  return command;
}

/** @throws ConfigError */
export function readConfig(terminal: Terminal, options: object, defaults: Partial<Config> = {}): Config {
  const { env, readFile } = terminal;
  return loadConfig({ flags: options, env, readFile, defaults });
}

function settingOption(name: SettingName): Option {
  const { valueName, description, defaultText, default: value }: Setting<unknown> = SETTINGS[name];
  const flag = valueName === undefined ? flagOf(name) : `${flagOf(name)} <${valueName}>`;
  const origins = `default: ${defaultText ?? String(value)}, env: ${variableOf(name)}, file: ${name}`;
  return new Option(flag, `${description}\n(${origins})`);
}
