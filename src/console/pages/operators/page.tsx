import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Operators, keys. */
export default function Page() {
  return <PageHead title="Operators, keys" />;
}
