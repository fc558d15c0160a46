import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Tokens. */
export default function Page() {
  return <PageHead title="Tokens" />;
}
