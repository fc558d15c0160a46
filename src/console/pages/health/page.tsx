import { h } from "preact";

import { PageHead } from "../../parts/page-head.tsx";

/** Health. */
export default function Page() {
  return <PageHead title="Health" />;
}
