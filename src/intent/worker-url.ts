/**
 * The address of a worker's file. From source it is counted from this folder. In the executable every module's `import.meta.url` is the
 * executable's root, below which the build keeps the workers at their places in `src`.
 */
export function workerUrl(file: string): URL {
  const isSource = import.meta.url.endsWith("/worker-url.ts");
  return new URL(isSource ? `./${file}` : `./intent/${file}`, import.meta.url);
}
