import type { PersonalDataKind } from "../domain/personal-data.ts";
import { hideAddresses, type SecretUrl } from "../domain/secret-url.ts";
import { type Endpoints, parseEndpoints } from "./endpoints.ts";
import { type ModelServers, parseModelServers } from "./models.ts";
import {
  type EncoderSetting,
  type LogLevel,
  type Parser,
  type StoredMessages,
  parseBaseUrl,
  parseBucketServer,
  parseCount,
  parseEncoder,
  parseFolder,
  parseHost,
  parseHosts,
  parseInterval,
  parseMailServer,
  parseSender,
  parseLogLevel,
  parseNetworks,
  parseOrigins,
  parsePersonalData,
  parsePort,
  parseRate,
  parseStoredMessages,
  parseSwitch,
} from "./parsers.ts";
import { parseStoreAddress, type StoreAddress } from "./store-address.ts";
import { parseWebhooks, type Webhooks } from "./webhooks.ts";

/** One setting; its flag, variable and config-file key follow from its name in `SETTINGS`. */
export interface Setting<Value> {
  parse: Parser<Exclude<Value, undefined>>;
  default: Value;
  /** The default as shown by help, if it differs from the value. */
  defaultText?: string;
  /** Name of the value in help; absent for a switch. */
  valueName?: string;
  /** Written as a section in the config file, and as JSON in a flag or variable. Messages never repeat its value. */
  isSection?: true;
  /**
   * Whether the value holds a secret. The one mark of what does: messages never repeat such a setting's value, no flag takes it, and no
   * unit of systemd holds it. What writes the value as JSON shows it masked.
   */
  holdsSecret?(this: void, value: Exclude<Value, undefined>): boolean;
  /** A flag takes the secret all the same: servers that were started so go on starting. */
  flagTakesSecret?: true;
  /** Masks what earlier versions stored of the value, a part of it, or its cut beginning, as JSON. What is masked already stays as it is. */
  maskStored?(this: void, stored: unknown): unknown;
  description: string;
}

const setting = <Value>(definition: Setting<Value>): Setting<Value> => definition;

/** Every setting there is. */
export const SETTINGS = {
  data: setting({
    parse: parseFolder,
    default: "./data",
    valueName: "dir",
    description: "folder of the database; created if missing",
  }),
  store: setting<StoreAddress | undefined>({
    parse: parseStoreAddress,
    default: undefined,
    defaultText: "SQLite, in the data folder",
    valueName: "url",
    holdsSecret: (address) => address.holdsPassword,
    description:
      "PostgreSQL database to use instead of the data folder's, such as postgres://user@host/database; its password only by the variable or the file",
  }),
  mustExist: setting({
    parse: parseSwitch,
    default: false,
    defaultText: "off",
    description:
      "start only if the data folder holds a database, so that no new one is made while its disk is not mounted",
  }),
  host: setting({
    parse: parseHost,
    default: "127.0.0.1",
    valueName: "host",
    description: "address that the public listener binds",
  }),
  port: setting({
    parse: parsePort,
    default: 8787,
    valueName: "port",
    description: "port of the public listener; 0 takes a free one",
  }),
  operatorHost: setting({
    parse: parseHost,
    default: "127.0.0.1",
    valueName: "host",
    description: "address that the operator listener (metrics, operator API) binds; keep it private",
  }),
  operatorPort: setting({
    parse: parsePort,
    default: 8788,
    valueName: "port",
    description: "port of the operator listener; 0 takes a free one",
  }),
  operatorUrl: setting<string | undefined>({
    parse: parseBaseUrl,
    default: undefined,
    defaultText: "http://<operator-host>:<operator-port>",
    valueName: "url",
    description: "address under which operators' browsers reach the operator listener, where that is a name",
  }),
  publicUrl: setting<string | undefined>({
    parse: parseBaseUrl,
    default: undefined,
    defaultText: "http://<host>:<port>",
    valueName: "url",
    description: "address under which visitors' browsers reach the public listener",
  }),
  cdnUrl: setting<string | undefined>({
    parse: parseBaseUrl,
    default: undefined,
    defaultText: "<public-url>/cdn",
    valueName: "url",
    description: "address under which browsers load the widget",
  }),
  templateOrigins: setting<readonly string[]>({
    parse: parseOrigins,
    default: [],
    defaultText: "none",
    valueName: "origins",
    description:
      "origins beside that of --cdn-url from which templates' bundles may come, comma-separated: they run as scripts on customers' pages",
  }),
  trustProxy: setting<readonly string[]>({
    parse: parseNetworks,
    default: [],
    defaultText: "none",
    valueName: "networks",
    description: "proxies whose X-Forwarded-For is trusted: addresses and CIDR networks, comma-separated",
  }),
  rateLimitCapacity: setting({
    parse: parseCount,
    default: 10,
    valueName: "messages",
    description: "messages a caller may send at once",
  }),
  rateLimitPerMinute: setting({
    parse: parseRate,
    default: 20,
    valueName: "messages",
    description: "messages per minute that a caller may send on average",
  }),
  buckets: setting<SecretUrl | undefined>({
    parse: parseBucketServer,
    default: undefined,
    defaultText: "in memory",
    valueName: "url",
    holdsSecret: (url) => url.holdsSecret,
    description:
      "server of Redis or Valkey where all instances share their token buckets: redis://host:6379, or rediss:// with TLS",
  }),
  maxTurnsInFlight: setting({
    parse: parseCount,
    default: 1024,
    valueName: "messages",
    description: "messages that may be answered at once, those that wait for a model included; more get 503",
  }),
  retentionDays: setting<number | undefined>({
    parse: parseCount,
    default: undefined,
    defaultText: "keep for ever",
    valueName: "days",
    description: "delete conversations that have been idle for longer",
  }),
  backupEvery: setting<number | undefined>({
    parse: parseInterval,
    default: undefined,
    defaultText: "no backups",
    valueName: "time",
    description: "make a backup in <data>/backups as soon as the newest scheduled one is older: 6h, 30m, 1d",
  }),
  backupKeep: setting({
    parse: parseCount,
    default: 14,
    valueName: "backups",
    description: "scheduled backups that are kept; older ones are deleted once a new one is verified",
  }),
  storeMessages: setting<StoredMessages>({
    parse: parseStoredMessages,
    default: "all",
    valueName: "which",
    description:
      "all, or none: messages are then kept in memory for 30 minutes and never on disk; decisions and counters are stored",
  }),
  redact: setting<readonly PersonalDataKind[]>({
    parse: parsePersonalData,
    default: [],
    defaultText: "none",
    valueName: "kinds",
    description:
      "personal data that is replaced before a message or an answer is stored: card-number, iban, e-mail, phone, comma-separated",
  }),
  encoder: setting<EncoderSetting>({
    parse: parseEncoder,
    default: "on",
    valueName: "which",
    description:
      "on, or off: no text is encoded, which saves about 120 MB of memory; words alone decide, and messages in other words than the examples are understood less often",
  }),
  logLevel: setting<LogLevel>({
    parse: parseLogLevel,
    default: "info",
    valueName: "level",
    description: "least important level to log: trace, debug, info, warn, error, fatal or silent",
  }),
  knowledgeHosts: setting<readonly string[]>({
    parse: parseHosts,
    default: [],
    defaultText: "none",
    valueName: "hosts",
    description:
      "hosts with private addresses that documents may be fetched from: host or host:port, comma-separated",
  }),
  models: setting<ModelServers>({
    parse: parseModelServers,
    default: {},
    defaultText: "none",
    valueName: "json",
    isSection: true,
    description:
      "model servers by name, each with baseUrl, model and apiKeyEnv; a section of the config file",
  }),
  endpoints: setting<Endpoints>({
    parse: parseEndpoints,
    default: {},
    defaultText: "none",
    valueName: "json",
    isSection: true,
    description:
      "what actions of bots may call, by name, each with url, bots, methods, paths, headers and more; a section of the config file",
  }),
  webhooks: setting<Webhooks>({
    parse: parseWebhooks,
    default: {},
    defaultText: "none",
    valueName: "json",
    isSection: true,
    holdsSecret: (webhooks) => Object.values(webhooks).some(({ url }) => url.holdsSecret),
    flagTakesSecret: true,
    maskStored: hideAddresses,
    description:
      "webhooks by name, each with url, secretEnv, events, bots and texts; a section of the config file",
  }),
  smtp: setting<SecretUrl | undefined>({
    parse: parseMailServer,
    default: undefined,
    defaultText: "none; no e-mail is sent",
    valueName: "url",
    holdsSecret: (server) => server.holdsSecret,
    description:
      "mail server for e-mails about hand-offs, such as smtp://host:587; user and password only by the variable or the file",
  }),
  mailFrom: setting<string | undefined>({
    parse: parseSender,
    default: undefined,
    defaultText: "none; has to be given with --smtp",
    valueName: "address",
    description: "who e-mails come from",
  }),
  demo: setting({
    parse: parseSwitch,
    default: false,
    defaultText: "off",
    description: "serve a demo page per bot under /demo/<bot id>",
  }),
};

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Settings that a config file spells as maps. */
export const SECTION_NAMES = SETTING_NAMES.filter((name) => "isSection" in SETTINGS[name]);

/** `operatorPort` as `operator-port`. */
function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function flagOf(name: SettingName): string {
  return `--${kebabCase(name)}`;
}

export function variableOf(name: SettingName): string {
  return `PARLEY_${kebabCase(name).replaceAll("-", "_").toUpperCase()}`;
}

/** The stored value of a setting, or of a field such as `webhooks.crm.url`, with secrets masked. Pure. */
export function maskStored(field: string, stored: unknown): unknown {
  const name = SETTING_NAMES.find((each) => each === /^\w+/.exec(field)?.[0]);
  const known: Setting<unknown> | undefined = name && SETTINGS[name];
  return known?.maskStored ? known.maskStored(stored) : stored;
}
