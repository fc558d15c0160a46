import { type ComponentChildren, Fragment, h } from "preact";
import { useEffect } from "preact/hooks";

import { nameWindow } from "../waiting-visitors.ts";

interface PageHeadProps {
  title: string;
  /** Filters and actions, beside the title. */
  children?: ComponentChildren;
  /** One sentence that sums up the state. */
  lead?: ComponentChildren;
}

/** The head of a page: title, which is also the window's, filters and a summary. */
export function PageHead({ title, children, lead }: PageHeadProps) {
  useEffect(() => {
    nameWindow(title);
  }, [title]);
  return (
    <Fragment>
      <div class="page-head">
        <h1>{title}</h1>
        {children}
      </div>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </Fragment>
  );
}
