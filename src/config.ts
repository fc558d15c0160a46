import { type FileEntry, parseConfigFile } from "./config/file.ts";
import {
  SECTION_NAMES,
  SETTINGS,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  flagOf,
  variableOf,
} from "./config/settings.ts";
import { didYouMean } from "./domain/closest-name.ts";

/** Every setting, read once and frozen. Holds no secret. */
export type Config = Readonly<{
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
}>;

/** What the command line gave, by setting; `config` is the path of the config file. */
export type FlagValues = { readonly [Name in SettingName | "config"]?: string | boolean | undefined };

/** Where settings come from: flags go before `PARLEY_*` variables, those before the config file. */
export interface ConfigSources {
  flags: FlagValues;
  env: Readonly<Record<string, string | undefined>>;
  /** @throws when the file cannot be read. */
  readFile: (path: string) => string;
  /** Replace the defaults that `SETTINGS` names. */
  defaults?: Partial<Config>;
}

/** A setting is unknown or invalid; `message` is one line that names the source and what would be right. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Names the config file where `--config` does not. */
export const CONFIG_FILE_VARIABLE = "PARLEY_CONFIG";

/**
 * Reads and checks every value that is given, also those which a stronger source overrides.
 *
 * @throws ConfigError on the first unknown name or invalid value.
 */
export function loadConfig(sources: ConfigSources): Config {
  const entries = readConfigFile(sources);
  refuseUnknownKeys(entries);
  refuseUnknownVariables(sources.env);
  const values = SETTING_NAMES.map((name) => [name, resolveSetting(name, sources, entries)]);
  return Object.freeze(Object.fromEntries(values) as Config);
}

function readConfigFile({ flags, env, readFile }: ConfigSources): FileEntry[] {
  const path = given(flags.config) ?? given(env[CONFIG_FILE_VARIABLE]);
  if (path === undefined) return [];
  try {
    return parseConfigFile(path, readFile(path), SECTION_NAMES);
  } catch (error) {
    throw new ConfigError(`config file: ${(error as Error).message}`, { cause: error });
  }
}

function refuseUnknownKeys(entries: readonly FileEntry[]): void {
  for (const { key, place } of entries) {
    if (SETTING_NAMES.some((name) => name === key)) continue;
    throw new ConfigError(`${place}: unknown setting \`${key}\`${didYouMean(key, SETTING_NAMES)}`);
  }
}

/** A misspelt variable would otherwise be ignored in silence. */
function refuseUnknownVariables(env: ConfigSources["env"]): void {
  const known = [CONFIG_FILE_VARIABLE, ...SETTING_NAMES.map(variableOf)];
  const unknown = Object.keys(env).find((name) => name.startsWith("PARLEY_") && !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigError(`unknown environment variable ${unknown}${didYouMean(unknown, known)}`);
}

function resolveSetting(
  name: SettingName,
  { flags, env, defaults }: ConfigSources,
  entries: readonly FileEntry[],
): unknown {
  const entry = entries.find(({ key }) => key === name);
  const candidates = [
    { source: flagOf(name), text: given(flags[name]) },
    { source: variableOf(name), text: given(env[variableOf(name)]) },
    { source: `${entry?.place}: ${name}`, text: given(entry?.text) },
  ];
  const values = candidates
    .filter(({ text }) => text !== undefined)
    .map(({ source, text }) => parseGiven(name, source, text!));
  return values.length > 0 ? values[0] : (defaults?.[name] ?? SETTINGS[name].default);
}

function parseGiven(name: SettingName, source: string, text: string): unknown {
  try {
    return SETTINGS[name].parse(text);
  } catch (error) {
    const notThis = SECTION_NAMES.includes(name) ? "" : `, not \`${text}\``;
    throw new ConfigError(`${source} ${(error as Error).message}${notThis}`, { cause: error });
  }
}

/** An empty value counts as none: `PARLEY_PORT=` in a compose file. */
function given(value: string | boolean | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : String(value);
}
