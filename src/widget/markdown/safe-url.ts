const LINK = /^(https?|mailto|tel):/;
const IMAGE = /^https?:/;

function allowed(url: string, pattern: RegExp): string | undefined {
  try {
    const { href } = new URL(url, document.baseURI);
    return pattern.test(href) ? href : undefined;
  } catch {
    return undefined; // Not an address: shown as text.
  }
}

/** The address in its canonical form if a link may lead there: http, https, mailto or tel; relative to the page. */
export const safeLinkUrl = (url: string) => allowed(url, LINK);

const bareHost = (url: string) => new URL(url).hostname.replace(/^www\./, "");

/** Whether an address is on the page's own site: the hosts are the same, or one is a part of the other. */
export function isSameSite(href: string): boolean {
  const [host, own] = [bareHost(href), bareHost(document.baseURI)];
  return host === own || host.endsWith(`.${own}`) || (host !== "" && own.endsWith(`.${host}`));
}

/** The address of an image that a visitor may choose to load. */
export const safeImageUrl = (url: string) => allowed(url, IMAGE);
