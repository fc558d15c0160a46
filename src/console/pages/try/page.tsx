import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Try it. */
export default function Page() {
  return <PageHead title="Try it" />;
}
