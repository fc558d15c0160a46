import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from "yaml";

import { closestName, didYouMean } from "../domain/closest-name.ts";
import { fileFault } from "../domain/file-fault.ts";
import type { Environment } from "../domain/os-user.ts";
import {
  flagOf,
  SECTION_NAMES,
  type Setting,
  SETTING_NAMES,
  type SettingName,
  SETTINGS,
  variableOf,
} from "./settings.ts";

/** Every setting, read once and frozen. What is secret of it is shown by no JSON and in no message. */
export type Config = Readonly<{
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
}>;

/** Values from the command line, by setting; `config` is the path of the config file. */
export type FlagValues = { readonly [Name in SettingName | "config"]?: string | boolean | undefined };

/** Where settings come from: flags go before `PARLEY_*` variables, those before the config file. */
export interface ConfigSources {
  flags: FlagValues;
  env: Environment;
  /** @throws when the file cannot be read. */
  readFile: (path: string) => string;
  /** Replace the defaults that `SETTINGS` names. */
  defaults?: Partial<Config>;
}

/** Settings are unknown or invalid; `message` has a line for each, which names the source and what would be right. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Every bot file has it at its top, and no setting is called so. */
const BOT_KEY = "intents";

/** Names the config file where `--config` does not. */
export const CONFIG_FILE_VARIABLE = "PARLEY_CONFIG";

/**
 * Reads and checks every value that is given, also those which a stronger source overrides.
 *
 * @throws ConfigError that tells every unknown name and invalid value.
 */
export function loadConfig(sources: ConfigSources): Config {
  const entries = readConfigFile(sources);
  const faults = [...unknownKeys(entries), ...unknownVariables(sources.env)];
  const values = SETTING_NAMES.map((name) => [name, resolveSetting(name, sources, entries, faults)]);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return Object.freeze(Object.fromEntries(values) as Config);
}

function readConfigFile({ flags, env, readFile }: ConfigSources): FileEntry[] {
  const path = given(flags.config) ?? given(env[CONFIG_FILE_VARIABLE]);
  if (path === undefined) return [];
  const source = readText(path, readFile);
  try {
    return parseConfigFile(path, source, { names: SETTING_NAMES, sections: SECTION_NAMES });
  } catch (error) {
    throw new ConfigError(`config file: ${(error as Error).message}`, { cause: error });
  }
}

function readText(path: string, readFile: ConfigSources["readFile"]): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw new ConfigError(`config file ${path}: ${fileFault(cause)}`, { cause });
  }
}

function unknownKeys(entries: readonly FileEntry[]): string[] {
  const unknown = entries.filter(({ key }) => !SETTING_NAMES.some((name) => name === key));
  if (unknown.some(({ key }) => key === BOT_KEY)) {
    const file = unknown[0]!.place.replace(/:\d+:\d+$/, "");
    return [
      `${file} holds \`${BOT_KEY}\`, so it looks like a bot file, which \`parley seed\` takes; a config file holds settings`,
    ];
  }
  return unknown.map(
    ({ key, place }) => `${place}: unknown setting \`${key}\`${didYouMean(key, SETTING_NAMES)}`,
  );
}

const VARIABLE_PREFIX = "PARLEY_";

/** A misspelt variable would otherwise be ignored in silence. */
function unknownVariables(env: ConfigSources["env"]): string[] {
  const known = [CONFIG_FILE_VARIABLE, ...SETTING_NAMES.map(variableOf)];
  return Object.keys(env)
    .filter((name) => name.startsWith(VARIABLE_PREFIX) && !known.includes(name))
    .map((name) => `unknown environment variable ${name}${didYouMeanVariable(name, known)}`);
}

/** The prefix, which all of them share, makes none alike. */
function didYouMeanVariable(name: string, known: readonly string[]): string {
  const bare = (variable: string) => variable.slice(VARIABLE_PREFIX.length);
  const closest = closestName(bare(name), known.map(bare));
  return closest === undefined ? "" : `; did you mean \`${VARIABLE_PREFIX}${closest}\`?`;
}

/** The strongest value that is given; adds what is wrong with any of them to `faults`. */
function resolveSetting(
  name: SettingName,
  { flags, env, defaults }: ConfigSources,
  entries: readonly FileEntry[],
  faults: string[],
): unknown {
  const entry = entries.find(({ key }) => key === name);
  const candidates = [
    { source: flagOf(name), text: given(flags[name]) },
    { source: variableOf(name), text: given(env[variableOf(name)]) },
    { source: `${entry?.place}: ${name}`, text: given(entry?.text) },
  ];
  const values = candidates
    .filter(({ text }) => text !== undefined)
    .map(({ source, text }) => parseGiven(name, source, text!, faults));
  return values.length > 0 ? values[0] : (defaults?.[name] ?? SETTINGS[name].default);
}

function parseGiven(name: SettingName, source: string, text: string, faults: string[]): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  try {
    const value = setting.parse(text);
    const isSecretFlag = source === flagOf(name) && !setting.flagTakesSecret && setting.holdsSecret?.(value);
    if (isSecretFlag) faults.push(refuseSecret(name, source));
    return value;
  } catch (error) {
    const errors: Error[] = error instanceof AggregateError ? error.errors : [error as Error];
    const notThis = setting.isSection || setting.holdsSecret ? "" : `, not \`${text}\``;
    faults.push(...errors.map(({ message }) => `${source} ${message}${notThis}`));
    return undefined;
  }
}

function refuseSecret(name: SettingName, source: string): string {
  return `${source} holds a password, which a command line shows to every user of this machine; give it by ${variableOf(name)}, or as \`${name}\` in the config file`;
}

/** An empty value counts as none: `PARLEY_PORT=` in a compose file. */
function given(value: string | boolean | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : String(value);
}

/** One entry of a config file. */
interface FileEntry {
  key: string;
  /** Scalars as written; a list's items joined by commas; a section as JSON. */
  text: string;
  /** `file:line:column` of the key. */
  place: string;
}

/** The keys of a config file; `sections` are those of the `names` with more than a value or a flat list. */
interface KnownKeys {
  names: readonly string[];
  sections: readonly string[];
}

/**
 * The top-level entries of a YAML config file, in order. What an unknown key holds is not looked at.
 *
 * @throws Error with a one-line message that starts with the place of the fault.
 */
function parseConfigFile(path: string, source: string, { names, sections }: KnownKeys): FileEntry[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  const { contents, errors } = document;
  const placeAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [fault] = errors;
  if (fault) throw new Error(`${placeAt(fault.pos[0])}: ${fault.message}`);
  if (contents === null) return [];
  if (!isMap<ParsedNode, ParsedNode | null>(contents)) {
    throw new Error(`${path}: should list settings, as in \`port: 8787\``);
  }
  return contents.items.map(({ key, value }) => {
    const place = placeAt(key.range[0]);
    const name = isScalar(key) ? String(key.value) : key.toString();
    if (!names.includes(name)) return { key: name, place, text: "" };
    const isSection = sections.includes(name) && isMap(value);
    const text = isSection ? JSON.stringify(value.toJS(document)) : plainText(value, `${place}: ${name}`);
    return { key: name, place, text };
  });
}

function plainText(value: Node | null, subject: string): string {
  if (value === null) return "";
  if (isScalar(value)) return value.value === null ? "" : (value.source ?? "");
  if (isSeq(value) && value.items.every(isScalar)) return value.items.map((item) => item.source).join(",");
  throw new Error(`${subject}: should be one value or a list of values`);
}
