import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { didYouMean } from "../domain/closest-name.ts";
import { isJsonObject } from "../domain/json-object.ts";
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
  if (!isJsonObject(section))
    throw new Error("should name model servers, as in `local: {baseUrl: …, model: …}`");
  const faults = Object.entries(section).flatMap(([name, value]) => serverFaults(name, value));
  if (faults.length > 0) throw new AggregateError(faults.map((fault) => new Error(fault)));
  const servers = Object.entries(section as ModelServers);
  return Object.fromEntries(
    servers.map(([name, server]) => [name, { ...server, baseUrl: parseBaseUrl(server.baseUrl) }]),
  );
};

function serverFaults(name: string, value: unknown): string[] {
  if (!SERVER_NAME.test(name)) return [`should have short lower-case names, and \`${name}\` is none`];
  if (!isJsonObject(value)) return [`needs \`baseUrl\` and \`model\` under \`${name}\``];
  const unknown = Object.keys(value).filter((key) => !FIELDS.includes(key));
  return [
    ...unknown.map((key) => `knows no \`${name}.${key}\`${hintFor(key)}`),
    ...FIELDS.flatMap((field) => fieldFaults(name, field, value)),
  ];
}

function fieldFaults(name: string, field: string, server: object): string[] {
  const fault = [...Value.Errors(ModelServerSettings, server)].find(({ path }) => path === `/${field}`);
  const another = field in server ? "another " : "";
  if (fault) return [`needs ${another}\`${name}.${field}\`: ${fault.schema.description}`];
  return field === "baseUrl" ? urlFaults(name, (server as ModelServerSettings).baseUrl) : [];
}

function hintFor(key: string): string {
  if (/^(api_?)?key$/i.test(key))
    return "; put the key into the environment and name its variable in `apiKeyEnv`";
  return didYouMean(key, FIELDS);
}

function urlFaults(name: string, text: string): string[] {
  try {
    parseBaseUrl(text);
    return [];
  } catch (error) {
    return [`needs another \`${name}.baseUrl\`: it ${(error as Error).message}`];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("should be a section of the config file, or JSON", { cause });
  }
}
