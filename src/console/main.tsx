import { h, render } from "preact";

import { App } from "./app.tsx";
import { startKeys } from "./keys.ts";
import { startRouter } from "./router.ts";

startRouter();
startKeys();
const root = document.getElementById("console")!;
root.replaceChildren();
render(<App />, root);
