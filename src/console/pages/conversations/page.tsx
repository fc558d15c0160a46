import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Conversations. */
export default function Page() {
  return <PageHead title="Conversations" />;
}
