import { Component, type ComponentChildren, Fragment, h } from "preact";

import { isSameSite, safeImageUrl, safeLinkUrl } from "./safe-url.ts";

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
