import { type Static, Type } from "@sinclair/typebox";

import { ActionMethod, MAX_CALL_MS } from "../domain/action.ts";
import { BotId } from "../domain/ids.ts";
import { namedSection, secretVariable } from "./named-section.ts";
import { parseBaseUrl } from "./parsers.ts";

/** Headers that Parley sets itself, that say where a request goes, or where it ends. */
const OWN_HEADERS =
  "host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|accept|accept-encoding|idempotency-key|webhook-.*";
/** Headers that hold secrets, which stand in no file. */
const SECRET_HEADERS =
  "authorization|proxy-authorization|cookie|.*(?:key|token|secret|password|signature|auth).*";

const anyCase = (names: string): string =>
  names.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_|~-]+";

/** Endpoints that actions of bots may call, named by an operator under `endpoints`. Their addresses are never in a bot file. */
const EndpointFields = Type.Object(
  {
    url: Type.String({ description: "the http or https address to which paths are appended" }),
    bots: Type.Array(BotId, { minItems: 1, description: "a list of ids of the bots that may call it" }),
    methods: Type.Optional(
      Type.Array(ActionMethod, {
        minItems: 1,
        description: "a list of GET, POST, PUT, PATCH, DELETE; absent: GET alone",
      }),
    ),
    paths: Type.Array(Type.String({ pattern: "^/[^?#\\s]*$" }), {
      minItems: 1,
      description: "a list of paths that may be called, as /orders/*; `*` is one segment",
    }),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: `^(?!(?:${anyCase(OWN_HEADERS)})$)${TOKEN}$` }),
        Type.Union([
          Type.String({ pattern: "^[\\x20-\\x7e]{1,1000}$" }),
          Type.Object({ env: secretVariable("header") }, { additionalProperties: false }),
        ]),
        {
          additionalProperties: false,
          description:
            "headers by name, each a text or `{env: NAME}`, a variable of the environment; secrets by variables alone, and none that Parley sets itself",
        },
      ),
    ),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: MAX_CALL_MS,
        description: "milliseconds that a call may take (3000), 100 to 30000",
      }),
    ),
    maxConcurrent: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: "calls at a time (8); others wait" }),
    ),
    allowPrivate: Type.Optional(
      Type.Boolean({ description: "true or false, whether the address may be a private one" }),
    ),
    public: Type.Optional(
      Type.Boolean({
        description:
          "true or false: whether actions need no proof, because the endpoint reveals nothing about a person and changes nothing of theirs",
      }),
    ),
    secretEnv: Type.Optional(secretVariable("secret, whsec_…, that requests are signed with")),
  },
  { additionalProperties: false },
);
export type EndpointSettings = Static<typeof EndpointFields>;

/** Endpoints by name. */
export type Endpoints = Readonly<Record<string, EndpointSettings>>;

const parseSection = namedSection({
  schema: EndpointFields,
  what: "should name endpoints, as in `orders: {url: …, bots: […], paths: […]}`",
  needs: "`url`, `bots` and `paths`",
  url: { field: "url", parse: parseBaseUrl },
  hintFor: (key) =>
    /^secret$/i.test(key)
      ? "; put the secret into the environment and name its variable in `secretEnv`"
      : undefined,
});

/** Reads the `endpoints` section. Messages name the fault, and never repeat a value: it could be a secret. */
export function parseEndpoints(text: string): Endpoints {
  const endpoints = parseSection(text);
  const faults = Object.entries(endpoints).flatMap(([name, { headers = {} }]) =>
    Object.entries(headers).flatMap(([header, value]) =>
      typeof value === "string" && IS_SECRET.test(header)
        ? [
            new Error(
              `holds a secret in \`${name}.headers.${header}\`; put it into the environment, and write \`${header}: {env: NAME}\``,
            ),
          ]
        : [],
    ),
  );
  if (faults.length > 0) throw new AggregateError(faults);
  return endpoints;
}

const IS_SECRET = new RegExp(`^(?:${SECRET_HEADERS})$`, "i");

/** The variables of the environment that endpoints need, each once. Pure. */
export function variablesOf(endpoints: Endpoints): string[] {
  const names = Object.values(endpoints).flatMap(({ headers = {}, secretEnv }) => [
    ...Object.values(headers).flatMap((value) => (typeof value === "string" ? [] : [value.env])),
    ...(secretEnv === undefined ? [] : [secretEnv]),
  ]);
  return [...new Set(names)];
}
