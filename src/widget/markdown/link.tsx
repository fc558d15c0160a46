import { Component, type ComponentChildren, Fragment, h } from "preact";

import { isSameSite, safeImageUrl, safeLinkUrl } from "./safe-url.ts";

/** What every link of an answer carries: its target learns nothing, and gains nothing. */
const REL = "noopener noreferrer nofollow ugc";

interface LinkProps {
  url: string;
  children: ComponentChildren;
  /** Opens where the page's own links do. Absent: only what is on the page's own site does; the rest has a tab of its own. */
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

/** A remote image tells its server who looks at it: it is a link until the visitor asks for it. */
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
