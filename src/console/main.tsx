import { h, render } from "preact";

import { App } from "./app.tsx";
import { keepDrafts } from "./draft/open-drafts.ts";
import { startKeys } from "./keys.ts";
import { startRouter } from "./router.ts";
import { followSession } from "./session.ts";

startRouter();
startKeys();
keepDrafts();
followSession();
const root = document.getElementById("console")!;
root.replaceChildren();
render(<App />, root);
