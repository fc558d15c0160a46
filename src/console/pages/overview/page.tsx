import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Overview. */
export default function Page() {
  return <PageHead title="Overview" />;
}
