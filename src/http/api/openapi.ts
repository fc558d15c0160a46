import { type TSchema, Type, TypeGuard } from "@sinclair/typebox";

import { VERSION } from "../../domain/version.ts";
import { Problem } from "../errors.ts";
import type { ApiRoute } from "./frame.ts";

/** Path prefix of the routes. */
export const API_PREFIX = "/api/v1";

/** OpenAPI 3.1 of the operator API, generated from the registered routes and their schemas. */
export function operatorOpenApi(routes: readonly ApiRoute[]) {
  const schemas = new Map<string, unknown>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = API_PREFIX + route.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  const problem = refer(Problem, schemas);
  return {
    openapi: "3.1.0",
    info: { title: "Parley operator API", version: VERSION, description: ABOUT },
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "parley_session" },
        key: { type: "http", scheme: "bearer", description: "A key, `parley_op_…`" },
      },
      responses: {
        Problem: {
          description: "A problem document",
          content: { "application/problem+json": { schema: problem } },
        },
      },
      schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const ABOUT =
  "Instants are milliseconds since 1970. A session's writes need `Sec-Fetch-Site: same-origin`, which browsers send; scripts use a key.";

type Schemas = Map<string, unknown>;

function operationOf(route: ApiRoute, schemas: Schemas) {
  const { method, permission, summary } = route;
  return {
    operationId: operationIdOf(route),
    summary,
    tags: [route.path.split("/")[1]],
    "x-permission": permission,
    security: permission === "anyone" ? [] : [{ session: [] }, { key: [] }],
    parameters: [
      ...parametersOf("path", route.params, schemas),
      ...parametersOf("query", route.query, schemas),
    ],
    ...(method !== "GET" && requestBodyOf(route, schemas)),
    responses: { ...responseOf(route, schemas), default: { $ref: "#/components/responses/Problem" } },
  };
}

/** `GET /bots/:bot/versions` as `getBotsByBotVersions`. */
function operationIdOf({ method, path }: ApiRoute): string {
  const words = path.split("/").filter((segment) => segment !== "");
  const names = words.map((word) => (word.startsWith(":") ? `By${capital(word.slice(1))}` : capital(word)));
  return method.toLowerCase() + names.join("");
}

const capital = (word: string) =>
  word
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

function parametersOf(
  place: "path" | "query",
  { properties, required = [] }: ApiRoute["query"],
  schemas: Schemas,
) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: refer(schema, schemas),
  }));
}

function requestBodyOf({ body, multipart }: ApiRoute, schemas: Schemas) {
  if (multipart) return { requestBody: { required: true, content: { "multipart/form-data": {} } } };
  if (body === undefined) return {};
  const required = !TypeGuard.IsOptional(body);
  return {
    requestBody: { required, content: { "application/json": { schema: refer(body, schemas) } } },
  };
}

function responseOf({ response, produces }: ApiRoute, schemas: Schemas) {
  if (response === undefined) return { 204: { description: "Done" } };
  const mediaType = produces === "json" ? "application/json" : "application/x-ndjson";
  const schema = refer(produces === "progress" ? progressOf(response) : response, schemas);
  const description = DESCRIPTIONS[produces];
  return { 200: { description, content: { [mediaType]: { schema } } } };
}

const DESCRIPTIONS: Readonly<Record<ApiRoute["produces"], string>> = {
  json: "The answer",
  progress: "A line of JSON for each step, then one with the result, or with what went wrong",
  lines: "A line of JSON for each row",
};

/** Schema of a line of progress. */
function progressOf(result: TSchema) {
  return Type.Union([
    Type.Object({
      kind: Type.Literal("step"),
      step: Type.String(),
      done: Type.Integer(),
      of: Type.Integer(),
    }),
    Type.Object({ kind: Type.Literal("result"), result }),
    Type.Object({ kind: Type.Literal("problem"), code: Type.String(), detail: Type.String() }),
  ]);
}

/** A schema as JSON, with references to named schemas. */
function refer(schema: TSchema, schemas: Schemas): unknown {
  return withReferences(JSON.parse(JSON.stringify(schema)), schemas);
}

function withReferences(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const { $id: id, ...rest } = value as Record<string, unknown>;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [name, withReferences(part, schemas)]),
  );
  if (typeof id !== "string") return inner;
  schemas.set(id, inner);
  return { $ref: `#/components/schemas/${id}` };
}
