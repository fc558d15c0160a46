const LINK = /^(https?|mailto|tel):/;
const IMAGE = /^https?:/;

function allowed(url: string, pattern: RegExp): string | undefined {
  try {
    const { href } = new URL(url, document.baseURI);
    return pattern.test(href) ? href : undefined;
  } catch {
    return undefined; // Not a URL: shown as text.
  }
}

/** The canonical URL if links may lead to it: http, https, mailto or tel, or relative to the page. */
export const safeLinkUrl = (url: string) => allowed(url, LINK);

const bareHost = (url: string) => new URL(url).hostname.replace(/^www\./, "");

/** Whether a URL is on the page's own site: the same host, or one host is a subdomain of the other. */
export function isSameSite(href: string): boolean {
  const [host, own] = [bareHost(href), bareHost(document.baseURI)];
  return host === own || host.endsWith(`.${own}`) || (host !== "" && own.endsWith(`.${host}`));
}

/** The URL of an image that a visitor may load. */
export const safeImageUrl = (url: string) => allowed(url, IMAGE);
