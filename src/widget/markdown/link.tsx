import { Component, type ComponentChildren, Fragment, h } from "preact";

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
const safeLinkUrl = (url: string) => allowed(url, LINK);

const bareHost = (url: string) => new URL(url).hostname.replace(/^www\./, "");

/** Whether a URL is on the page's own site: the same host, or one host is a subdomain of the other. */
function isSameSite(href: string): boolean {
  const [host, own] = [bareHost(href), bareHost(document.baseURI)];
  return host === own || host.endsWith(`.${own}`) || (host !== "" && own.endsWith(`.${host}`));
}

/** The URL of an image that a visitor may load. */
const safeImageUrl = (url: string) => allowed(url, IMAGE);

/** `rel` of all links in answers: the target gets no referrer, no `window.opener` and no search rank. */
const REL = "noopener noreferrer nofollow ugc";

interface LinkProps {
  url: string;
  children: ComponentChildren;
  /** Opens in the same tab. Default: only links to the page's own site do. */
  inPage?: boolean;
}

export function Link({ url, children, inPage }: LinkProps) {
  const href = safeLinkUrl(url);
  if (href === undefined) return <Fragment>{children}</Fragment>;
  return (
    <a href={href} rel={REL} target={inPage || isSameSite(href) ? undefined : "_blank"}>
      {children}
    </a>
  );
}

interface ImageProps {
  url: string;
  alt: string;
  label: string;
}

/** Loading a remote image shows the visitor's address to its server, so the image is a link until the visitor clicks it. */
export class Image extends Component<ImageProps, { shown: boolean }> {
  readonly show = (event: Event) => {
    event.preventDefault();
    this.setState({ shown: true });
  };

  override render() {
    const { url, alt, label } = this.props;
    const href = safeImageUrl(url);
    if (href === undefined) return alt;
    if (this.state.shown) return <img src={href} alt={alt} referrerpolicy="no-referrer" />;
    return (
      <a href={href} rel={REL} target="_blank" onClick={this.show}>
        {alt ? `${label}: ${alt}` : label}
      </a>
    );
  }
}
