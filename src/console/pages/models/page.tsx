import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Models. */
export default function Page() {
  return <PageHead title="Models" />;
}
