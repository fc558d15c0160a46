import { createPostgresDatabase, whyNoPostgres } from "./postgres-server.ts";

const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

/**
 * `--store sqlite` or `--store postgres`; without it, all stores on this machine. A missing one is reported.
 *
 * @throws Error for an unknown store, and for one that is named but missing.
 */
export function readStores(args: readonly string[]): { stores: readonly StoreName[]; rest: string[] } {
  const at = args.indexOf("--store");
  if (at === -1) return { stores: STORES.filter(isThere), rest: [...args] };
  const store = STORES.find((name) => name === args[at + 1]);
  if (!store) throw new Error(`--store should be ${STORES.join(" or ")}`);
  if (!isThere(store)) throw new Error(whyNoPostgres);
  return { stores: [store], rest: args.toSpliced(at, 2) };
}

function isThere(store: StoreName): boolean {
  return store === "sqlite" || whyNoPostgres === undefined;
}

/** Flags by which an executable uses an empty store of that kind. */
export async function databaseFor(
  store: StoreName,
): Promise<AsyncDisposable & { env: Record<string, string> }> {
  if (store === "sqlite") return { env: {}, [Symbol.asyncDispose]: async () => {} };
  const { url, drop } = await createPostgresDatabase();
  return { env: { PARLEY_STORE: url }, [Symbol.asyncDispose]: drop };
}
