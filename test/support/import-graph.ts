import { dirname, join, normalize } from "node:path";

import { Glob } from "bun";

/** An import in a file; paths are relative to the scanned folder. */
export interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

/** The targets of each node. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const STATIC_IMPORT = /^(?:import|export)\s+(type\s)?(?:[^;"]*?\sfrom\s+)?"(\.[^"]+)"/gm;
const DYNAMIC_IMPORT = /\bimport\("(\.[^"]+)"\)/g;

/** Every import between files below `folder`: of values and types, static and dynamic. */
export async function readImports(folder: string): Promise<Import[]> {
  const imports: Import[] = [];
  for await (const file of new Glob("**/*.{ts,tsx}").scan(folder)) {
    const source = await Bun.file(join(folder, file)).text();
    imports.push(...importsIn(source, file));
  }
  return imports.filter(({ to }) => !to.startsWith(".."));
}

/** The relative imports in a file's source. */
export function importsIn(source: string, file: string): Import[] {
  const at = (specifier: string) => normalize(join(dirname(file), specifier));
  return [
    ...Array.from(source.matchAll(STATIC_IMPORT), ([, type, specifier]) => ({
      from: file,
      to: at(specifier!),
      typeOnly: type !== undefined,
    })),
    ...Array.from(source.matchAll(DYNAMIC_IMPORT), ([, specifier]) => ({
      from: file,
      to: at(specifier!),
      typeOnly: false,
    })),
  ];
}

/** The graph of the imports between groups of files, such as rooms; imports within a group are left out. */
export function graphOf(imports: readonly Import[], groupOf: (file: string) => string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [groupOf(from), groupOf(to)];
    if (source === target) continue;
    graph.set(source, (graph.get(source) ?? new Set()).add(target));
  }
  return graph;
}

/** Sets of nodes that reach each other (cycles), each in alphabetical order; none in an acyclic graph. */
export function circlesOf(graph: Graph): string[][] {
  const reached = new Map(Array.from(graph.keys(), (node) => [node, reachableFrom(node, graph)]));
  const circles = [...graph.keys()]
    .filter((node) => reached.get(node)!.has(node))
    .map((node) => [...reached.get(node)!].filter((other) => reached.get(other)?.has(node)).toSorted());
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

function reachableFrom(start: string, graph: Graph): Set<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    open.push(...(graph.get(node) ?? []));
  }
  return reached;
}
