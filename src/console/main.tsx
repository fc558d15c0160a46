import { h, render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { session } from "./api/connection.ts";
import { keepDrafts } from "./draft/open-drafts.ts";
import { startKeys } from "./keys.ts";
import { SignIn } from "./pages/sign-in/sign-in.tsx";
import { Fault, Skeleton } from "./parts/states.tsx";
import { place, startRouter } from "./router.ts";
import { followSession, loadSession } from "./session.ts";
import { Shell } from "./shell/shell.tsx";
import { useAction } from "./use-action.ts";

const SLOW_AFTER_MS = 150;

/** The whole console: the pages for an operator who is signed in, else the sign-in form at the same address. */
function App() {
  const who = session.value;
  const isSigningIn = place.value.path === "/sign-in";
  if (isSigningIn || who === null) return <SignIn />;
  return who === undefined ? <Starting /> : <Shell session={who} />;
}

/** Shown until the session is known. */
function Starting() {
  const { problem, run: start } = useAction(loadSession);
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    start();
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main class="door">
      {problem !== undefined && <Fault what="The console cannot start" problem={problem} retry={start} />}
      {problem === undefined && isSlow && <Skeleton what="the console" lines={["w4", "w9", "w6"]} />}
    </main>
  );
}

startRouter();
startKeys();
keepDrafts();
followSession();
const root = document.getElementById("console")!;
root.replaceChildren();
render(<App />, root);
