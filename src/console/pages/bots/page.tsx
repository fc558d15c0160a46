import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Bots. */
export default function Page() {
  return <PageHead title="Bots" />;
}
