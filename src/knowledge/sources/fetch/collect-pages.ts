import type { CollectedSource } from "../collected.ts";
import { formatOfBody, READABLE } from "../formats/format.ts";
import { isCurrentHash } from "../identity.ts";
import { SourceResult, type SourceRun } from "../run.ts";
import type { PageSource, SitemapSource } from "../source.ts";
import type { Fetcher } from "./fetcher.ts";
import { listPages } from "./sitemap.ts";

/** Concurrent requests: few enough for any site. Chosen by hand. */
const AT_A_TIME = 4;

type PageFetcher = Pick<Fetcher, "fetch">;

/** Reads one page, if it is new or changed. */
export async function collectPage(
  { url }: PageSource,
  fetcher: PageFetcher,
  run: SourceRun,
): Promise<CollectedSource> {
  const result = new SourceResult(run);
  run.report({ source: run.name, done: 0, total: 1, place: url });
  await collectOne(url, fetcher, result);
  const { skipped, ...collected } = result.collected;
  // The source has only this page.
  const [only] = skipped;
  return only === undefined
    ? { ...collected, skipped }
    : { ...collected, skipped: [], unreadable: only.reason };
}

/** Reads the new and changed pages of a sitemap. */
export async function collectSitemap(
  source: SitemapSource,
  fetcher: PageFetcher,
  run: SourceRun,
): Promise<CollectedSource> {
  const result = new SourceResult(run);
  const list = await listPages(source, fetcher);
  if (!list.ok) return { ...result.collected, unreadable: list.reason };
  const { pages, skipped } = list.listed;
  for (const { place, reason } of skipped) result.skip(place, reason);
  let next = 0;
  const readOn = async () => {
    for (let page = pages[next]; page !== undefined; page = pages[next]) {
      run.signal?.throwIfAborted();
      run.report({ source: run.name, done: next, total: pages.length, place: page });
      next++;
      await collectOne(page, fetcher, result);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readOn));
  return result.collected;
}

async function collectOne(place: string, fetcher: PageFetcher, result: SourceResult): Promise<void> {
  if (!result.claim(place)) return;
  const fetched = await fetcher.fetch(place, conditionsFor(place, result));
  if (fetched.kind === "unchanged") return result.unchanged(place);
  if (fetched.kind === "gone") return result.drop(place, fetched.reason);
  if (fetched.kind === "failed") return result.keep(place, fetched.reason);
  const { url, reply } = fetched;
  const final = withoutFragment(url);
  if (final !== place && !result.claim(final)) return result.drop(place, `is the same page as ${final}`);
  const { "content-type": type = "", etag, "last-modified": lastModified } = reply.headers;
  const format = formatOfBody(type, url.pathname);
  if (format === undefined)
    return result.drop(place, `is \`${type || "of no known type"}\`, not ${READABLE}`);
  const charset = /charset\s*=\s*"?([\w:.-]+)/i.exec(type)?.[1];
  await result.read({
    place,
    format,
    bytes: reply.body,
    fallbackTitle: url.hostname + url.pathname,
    url: final,
    ownUrlCounts: false,
    ...(charset !== undefined && { charset }),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  });
}

/** Headers that request a page only if it has changed; none if this version of Parley would parse it differently. */
function conditionsFor(place: string, result: SourceResult): Record<string, string> {
  const known = result.known(place);
  if (known === undefined || !isCurrentHash(known.hash)) return {};
  return {
    ...(known.etag !== undefined && { "If-None-Match": known.etag }),
    ...(known.lastModified !== undefined && { "If-Modified-Since": known.lastModified }),
  };
}

function withoutFragment(url: URL): string {
  return url.href.replace(/#.*$/s, "");
}
