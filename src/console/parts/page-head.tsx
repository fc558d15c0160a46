import { type ComponentChildren, Fragment, h } from "preact";
import { useEffect } from "preact/hooks";

import { nameWindow } from "../waiting-visitors.ts";

interface PageHeadProps {
  title: string;
  /** Filters and actions, beside the title. */
  children?: ComponentChildren;
  /** One sentence that says how it stands. */
  lead?: ComponentChildren;
}

/** The head of every page: its name, which is the window's, too; what it is filtered by; and a sentence. */
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
