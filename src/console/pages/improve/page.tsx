import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Improve. */
export default function Page() {
  return <PageHead title="Improve" />;
}
