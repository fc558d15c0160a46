import { join } from "node:path";

import { API_PREFIX, operatorOpenApi } from "../http/api/openapi.ts";
import { type ApiParts, apiRoutes } from "../http/api/routes.ts";

/** Where the console finds what the routes take and answer. */
export const CONSOLE_ROUTES = "src/console/api/generated-routes.ts";

/** A shape as the OpenAPI document has it. */
interface Shape {
  $ref?: string;
  anyOf?: Shape[];
  const?: unknown;
  type?: string;
  items?: Shape | Shape[];
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  required?: string[];
}

interface Content {
  content?: Record<string, { schema?: Shape }>;
}

interface Operation {
  parameters: { name: string; in: "path" | "query"; required: boolean; schema: Shape }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** The types of the console's client: every route of the document, with the shapes of `domain/` by name. */
export async function consoleRoutesModule(): Promise<string> {
  // No handler runs, so that none of their parts is needed.
  const { paths } = operatorOpenApi(apiRoutes({} as ApiParts));
  const printer = new ShapePrinter(await modulesOfShapes());
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      printRoute(printer, routeName(method, path), operation as Operation),
    ),
  );
  return [
    "// Written by `npm run console:routes` from the OpenAPI document of the operator API; a test says when it is out of date.",
    ...printer.imports(),
    "",
    "/** The routes of the operator API below `/api/v1`: what each takes, and what it answers. */",
    "export interface Routes {",
    ...routes,
    "}",
    "",
  ].join("\n");
}

function routeName(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.slice(API_PREFIX.length).replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

function printRoute(printer: ShapePrinter, name: string, operation: Operation): string[] {
  const answer = printAnswer(printer, operation.responses);
  // Lines of rows are downloaded by a link, and not asked for by the client.
  if (answer === undefined) return [];
  const query = operation.parameters.filter((parameter) => parameter.in === "query");
  const asked = query.map(
    ({ name: field, required, schema }) =>
      `${field}${required ? "" : "?"}: ${printer.print(schema)}${required ? "" : " | undefined"}`,
  );
  return [
    `  ${JSON.stringify(name)}: {`,
    ...(asked.length > 0 ? [`    query: { ${asked.join("; ")} };`] : []),
    ...printBody(printer, operation.requestBody),
    `    answer: ${answer};`,
    "  };",
  ];
}

function printBody(printer: ShapePrinter, body: Content | undefined): string[] {
  if (body?.content === undefined) return [];
  const json = body.content["application/json"];
  return [`    body: ${json?.schema === undefined ? "FormData" : printer.print(json.schema)};`];
}

function printAnswer(printer: ShapePrinter, responses: Record<string, Content>): string | undefined {
  const content = responses["200"]?.content;
  if (content === undefined) return "void";
  const json = content["application/json"]?.schema;
  if (json !== undefined) return printer.print(json);
  const result = content["application/x-ndjson"]?.schema?.anyOf?.find(
    ({ properties }) => properties?.kind?.const === "result",
  );
  const shape = result?.properties?.result;
  return shape && `${printer.use("Progress")}<${printer.print(shape)}>`;
}

/** Prints shapes as types. Those that `domain/` names are imported from there, so that ids keep their brands. */
class ShapePrinter {
  readonly #modules: ReadonlyMap<string, string>;
  readonly #used = new Set<string>();

  constructor(modules: ReadonlyMap<string, string>) {
    this.#modules = modules;
  }

  use(name: string): string {
    this.#used.add(name);
    return name;
  }

  imports(): string[] {
    const names = [...this.#used].toSorted();
    const modules = [...new Set(names.map((name) => this.#modules.get(name)!))].toSorted();
    return modules.map((module) => {
      const from = names.filter((name) => this.#modules.get(name) === module);
      return `import type { ${from.join(", ")} } from "../../domain/${module}";`;
    });
  }

  print(shape: Shape): string {
    if (shape.$ref !== undefined) return this.#printNamed(shape.$ref.slice(shape.$ref.lastIndexOf("/") + 1));
    if (shape.anyOf !== undefined) return shape.anyOf.map((each) => this.print(each)).join(" | ");
    if ("const" in shape) return JSON.stringify(shape.const);
    switch (shape.type) {
      case "string":
      case "boolean":
      case "null":
        return shape.type;
      case "number":
      case "integer":
        return "number";
      case "array":
        return this.#printList(shape.items);
      case "object":
        return this.#printObject(shape);
      case undefined:
      default:
        return "unknown";
    }
  }

  #printNamed(name: string): string {
    if (!this.#modules.has(name)) throw new Error(`domain/ exports no type for the shape ${name}`);
    return this.use(name);
  }

  #printList(items: Shape | Shape[] | undefined): string {
    if (Array.isArray(items)) return `[${items.map((each) => this.print(each)).join(", ")}]`;
    const item = items === undefined ? "unknown" : this.print(items);
    return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }

  #printObject({ properties = {}, patternProperties, required = [] }: Shape): string {
    if (patternProperties !== undefined) {
      return `Record<string, ${this.print(Object.values(patternProperties)[0]!)}>`;
    }
    const fields = Object.entries(properties).map(
      ([name, shape]) => `${name}${required.includes(name) ? "" : "?"}: ${this.print(shape)}`,
    );
    return `{ ${fields.join("; ")} }`;
  }
}

/** Which file of `domain/` has the type of a shape, by the shape's `$id`; and of what a stream of progress is made of. */
async function modulesOfShapes(): Promise<Map<string, string>> {
  const folder = join(import.meta.dir, "../domain");
  const modules = new Map([["Progress", "operator/bots.ts"]]);
  for await (const file of new Bun.Glob("**/*.ts").scan(folder)) {
    const source = await Bun.file(join(folder, file)).text();
    for (const [, name] of source.matchAll(/(?:\$id: |named\()"(\w+)"/g)) modules.set(name!, file);
  }
  return modules;
}

if (import.meta.main) {
  await Bun.write(CONSOLE_ROUTES, await consoleRoutesModule());
  process.stderr.write(`wrote ${CONSOLE_ROUTES}\n`);
}
