import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { didYouMean } from "../domain/closest-name.ts";
import { type Parser, parseBaseUrl } from "./parsers.ts";

/** A server that speaks the OpenAI chat-completions protocol, as an operator names it under `models`. */
export const ModelServerSettings = Type.Object(
  {
    baseUrl: Type.String({ description: "address up to and with `/v1`" }),
    model: Type.String({ minLength: 1, description: "name of the model, as the server knows it" }),
    apiKeyEnv: Type.Optional(
      Type.String({
        pattern: "^(?!PARLEY_)[A-Za-z_][A-Za-z0-9_]*$",
        description:
          "the name of the environment variable that holds the key; PARLEY_… are the settings' own",
      }),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 240_000, description: "milliseconds that one call may take" }),
    ),
    maxConcurrent: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: "calls at a time; others wait" }),
    ),
    structuredOutput: Type.Optional(
      Type.Union([Type.Literal("json_schema"), Type.Literal("none")], {
        description: "json_schema or none: whether the server may be sent `response_format`",
      }),
    ),
    maxTokensField: Type.Optional(
      Type.Union([Type.Literal("max_tokens"), Type.Literal("max_completion_tokens")], {
        description: "max_tokens or max_completion_tokens",
      }),
    ),
  },
  { additionalProperties: false },
);
export type ModelServerSettings = Static<typeof ModelServerSettings>;

/** Model servers by the name that bots call them, in the order of the config file. */
export type ModelServers = Readonly<Record<string, ModelServerSettings>>;

const SERVER_NAME = /^[a-z0-9]+([._-][a-z0-9]+)*$/;
const FIELDS = Object.keys(ModelServerSettings.properties);

/** Reads the `models` section, as JSON. Messages name the fault, and never repeat a value: it could be a key. */
export const parseModelServers: Parser<ModelServers> = (text) => {
  const section = parseJson(text);
  if (!isObject(section)) throw new Error("should name model servers, as in `local: {baseUrl: …, model: …}`");
  return Object.fromEntries(Object.entries(section).map(([name, value]) => [name, parseServer(name, value)]));
};

function parseServer(name: string, value: unknown): ModelServerSettings {
  if (!SERVER_NAME.test(name)) throw new Error(`should have short lower-case names, and \`${name}\` is none`);
  if (!isObject(value)) throw new Error(`needs \`baseUrl\` and \`model\` under \`${name}\``);
  for (const key of Object.keys(value)) {
    if (!FIELDS.includes(key)) throw new Error(`knows no \`${name}.${key}\`${hintFor(key)}`);
  }
  const fault = Value.Errors(ModelServerSettings, value).First();
  if (fault) throw new Error(faultOf(name, fault.path.slice(1), fault.schema.description));
  const settings = value as ModelServerSettings;
  return { ...settings, baseUrl: parseServerUrl(name, settings.baseUrl) };
}

function hintFor(key: string): string {
  if (/^(api_?)?key$/i.test(key))
    return "; put the key into the environment and name its variable in `apiKeyEnv`";
  return didYouMean(key, FIELDS);
}

function faultOf(name: string, field: string, description: string | undefined): string {
  return `needs another \`${name}.${field}\`: ${description ?? "see the documentation"}`;
}

function parseServerUrl(name: string, text: string): string {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    throw new Error(`needs another \`${name}.baseUrl\`: it ${(error as Error).message}`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("should be a section of the config file, or JSON", { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
