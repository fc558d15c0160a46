import { type Static, Type } from "@sinclair/typebox";

import { namedSection, secretVariable } from "./named-section.ts";
import { parseBaseUrl } from "./parsers.ts";

/** A server that speaks the OpenAI chat-completions protocol, as an operator names it under `models`. */
export const ModelServerSettings = Type.Object(
  {
    baseUrl: Type.String({ description: "address up to and with `/v1`" }),
    model: Type.String({ minLength: 1, description: "name of the model, as the server knows it" }),
    apiKeyEnv: Type.Optional(secretVariable("key")),
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

/** Reads the `models` section. Messages name the fault, and never repeat a value: it could be a key. */
export const parseModelServers = namedSection({
  schema: ModelServerSettings,
  what: "should name model servers, as in `local: {baseUrl: …, model: …}`",
  needs: "`baseUrl` and `model`",
  url: { field: "baseUrl", parse: parseBaseUrl },
  hintFor: (key) =>
    /^(api_?)?key$/i.test(key)
      ? "; put the key into the environment and name its variable in `apiKeyEnv`"
      : undefined,
});
