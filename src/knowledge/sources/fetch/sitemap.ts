import { Parser } from "htmlparser2";

import { decodeText } from "../formats/decode-text.ts";
import type { Fetcher } from "./fetcher.ts";

/** Entries of a sitemap: pages, or further sitemaps. */
interface Sitemap {
  kind: "pages" | "sitemaps";
  addresses: string[];
}

/** Reads a sitemap, an index of sitemaps, or a text with one address in each line (sitemaps.org, protocol 0.9). */
export function parseSitemap(text: string): Sitemap {
  if (!text.trimStart().startsWith("<"))
    return { kind: "pages", addresses: text.split("\n").flatMap(trimmed) };
  const addresses: string[] = [];
  let kind: Sitemap["kind"] = "pages";
  let address: string | undefined;
  const parser = new Parser(
    {
      onopentag(tag) {
        if (tag === "sitemapindex") kind = "sitemaps";
        if (tag === "loc") address = "";
      },
      ontext(more) {
        if (address !== undefined) address += more;
      },
      onclosetag(tag) {
        if (tag !== "loc") return;
        addresses.push(...trimmed(address ?? ""));
        address = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  parser.end();
  return { kind, addresses };
}

function trimmed(address: string): string[] {
  const text = address.trim();
  return text === "" ? [] : [text];
}

/** An index that names more sitemaps is not read at all. Chosen by hand. */
const MAX_SITEMAPS = 100;
/** Maximum number of pages of one source; the others are skipped. Chosen by hand. */
export const MAX_PAGES = 5000;

/** The distinct pages of a sitemap. */
export interface ListedPages {
  pages: string[];
  /** Omitted entries with reasons. */
  skipped: { place: string; reason: string }[];
}

/**
 * Reads a sitemap, and those that it names. If one of them cannot be read, or names further sitemaps, which the protocol does not permit,
 * returns the reason instead of pages.
 */
export async function listPages(
  { url, only }: { url: string; only: readonly string[] },
  fetcher: Pick<Fetcher, "fetch">,
): Promise<{ ok: true; listed: ListedPages } | { ok: false; reason: string }> {
  const first = await readSitemap(url, fetcher);
  if (!first.ok) return first;
  const isIndex = first.sitemap.kind === "sitemaps";
  const found = new Set(isIndex ? [] : first.sitemap.addresses);
  const inner = isIndex ? first.sitemap.addresses : [];
  if (inner.length > MAX_SITEMAPS)
    return { ok: false, reason: `names ${inner.length} sitemaps; at most ${MAX_SITEMAPS} are read` };
  for (const address of inner) {
    const read = await readSitemap(address, fetcher);
    // Pages that are missing from the list are deleted. An unreadable sitemap may list stored pages, so the whole source fails.
    if (!read.ok) return { ok: false, reason: `its sitemap ${address}: ${read.reason}` };
    if (read.sitemap.kind === "sitemaps")
      return {
        ok: false,
        reason: `its sitemap ${address} lists further sitemaps; name that one as a source`,
      };
    for (const page of read.sitemap.addresses) found.add(page);
  }
  return { ok: true, listed: chosenPages([...found], { url, only }) };
}

type SitemapRead = { ok: true; sitemap: Sitemap } | { ok: false; reason: string };

async function readSitemap(url: string, fetcher: Pick<Fetcher, "fetch">): Promise<SitemapRead> {
  const result = await fetcher.fetch(url);
  if (result.kind !== "fetched")
    return { ok: false, reason: result.kind === "unchanged" ? "is unchanged" : result.reason };
  const sitemap = parseSitemap(decodeText(result.reply.body));
  return sitemap.addresses.length > 0 ? { ok: true, sitemap } : { ok: false, reason: "names no address" };
}

/** Pages on the sitemap's own host whose paths begin with one in `only`; without `only`, all. Pages elsewhere or too many are skipped. */
function chosenPages(
  found: readonly string[],
  { url, only }: { url: string; only: readonly string[] },
): ListedPages {
  const { host } = new URL(url);
  const asked = found.filter((page) => {
    const path = URL.parse(page)?.pathname ?? "";
    return only.length === 0 || only.some((prefix) => path.startsWith(prefix));
  });
  const { own = [], foreign = [] } = Object.groupBy(asked, (page) =>
    siteOf(URL.parse(page)?.host ?? "") === siteOf(host) ? "own" : "foreign",
  );
  const skipped = [
    ...foreign.map((place) => ({ place, reason: `is not on ${host}, as the sitemap is` })),
    ...own.slice(MAX_PAGES).map((place) => ({ place, reason: `more than ${MAX_PAGES} pages are not read` })),
  ];
  return { pages: own.slice(0, MAX_PAGES), skipped };
}

/** A host with `www.` and one without are the same site. */
const siteOf = (host: string): string => host.replace(/^www\./, "");
