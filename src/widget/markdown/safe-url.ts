const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:", "tel:"]);
const IMAGE_PROTOCOLS = new Set(["http:", "https:"]);

function parse(url: string, base: string, protocols: ReadonlySet<string>): string | undefined {
  try {
    const parsed = new URL(url, base);
    return protocols.has(parsed.protocol) ? parsed.href : undefined;
  } catch {
    return undefined; // Not an address: shown as text.
  }
}

/** The address in its canonical form if a link may lead there: http, https, mailto or tel; relative to the page. */
export const safeLinkUrl = (url: string, base: string) => parse(url, base, LINK_PROTOCOLS);

/** The address of an image that a visitor may choose to load. */
export const safeImageUrl = (url: string, base: string) => parse(url, base, IMAGE_PROTOCOLS);
