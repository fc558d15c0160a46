import { h } from "preact";

import { sourcesOf } from "../conversation/choices.ts";
import { Link } from "../markdown/link.tsx";
import type { ParleyMessage } from "../public.d.ts";
import { Icon } from "./icons.tsx";
import type { PanelView } from "./view.ts";

interface SourcesProps {
  view: PanelView;
  message: ParleyMessage;
}

/** Links to the answer's sources, below it. They open in the same way as links of the page. */
export function Sources({ view, message }: SourcesProps) {
  const sources = sourcesOf(message);
  if (sources.length === 0) return null;
  return (
    <ul class="sources" aria-label={view.words("sources")}>
      {sources.map(({ title, url }) => (
        <li key={url ?? title}>
          <Icon name="page" />
          <bdi>
            {url ? (
              <Link url={url} inPage>
                {title}
              </Link>
            ) : (
              title
            )}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
