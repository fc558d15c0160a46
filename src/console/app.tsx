import { h } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Problem } from "./api/problem.ts";
import { asProblem } from "./api/resource.ts";
import { session } from "./api/signed-in.ts";
import { SignIn } from "./pages/sign-in/sign-in.tsx";
import { Fault, Skeleton } from "./parts/states.tsx";
import { place } from "./router.ts";
import { loadSession } from "./session.ts";
import { Shell } from "./shell/shell.tsx";

const SLOW_AFTER_MS = 150;

/** The whole console: the pages for an operator who is signed in, else the sign-in form at the same address. */
export function App() {
  const who = session.value;
  const isSigningIn = place.value.path === "/sign-in";
  if (isSigningIn || who === null) return <SignIn />;
  return who === undefined ? <Starting /> : <Shell session={who} />;
}

/** Shown until the session is known. */
function Starting() {
  const [problem, setProblem] = useState<Problem>();
  const [isSlow, setIsSlow] = useState(false);
  const start = () => {
    setProblem(undefined);
    loadSession().catch((error: unknown) => setProblem(asProblem(error)));
  };
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
