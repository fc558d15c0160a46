import { Fetcher } from "../../src/knowledge/sources/fetch/fetcher.ts";

/** Fetches the addresses of the command line, whose hosts must be this machine, and prints the results. */
const fetcher = new Fetcher({
  allowedHosts: new Set(process.argv.slice(2).map((address) => new URL(address).host)),
  resolve: () => Promise.resolve(["127.0.0.1"]),
});
for (const address of process.argv.slice(2)) {
  const result = await fetcher.fetch(address);
  console.log(result.kind === "fetched" ? Buffer.from(result.reply.body).toString() : JSON.stringify(result));
}
