import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Audit. */
export default function Page() {
  return <PageHead title="Audit" />;
}
