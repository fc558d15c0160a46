import { Fragment, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Session } from "../../domain/operator/access.ts";
import { asProblem } from "../api/resource.ts";
import { refreshBots } from "../bots.ts";
import { useKeys } from "../keys.ts";
import { go, place } from "../router.ts";
import { sayFault, undoLast } from "../toasts.ts";
import { useWaitingVisitors } from "../waiting-visitors.ts";
import { CurrentPage } from "./current-page.tsx";
import { GoTo } from "./go-to.tsx";
import { KeyList } from "./key-list.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { PhoneFooter, Side } from "./side.tsx";
import { Toasts } from "./toasts.tsx";

/** Puts the cursor into the page's own search. @returns whether it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>("[data-search]");
  search?.focus();
  search?.select();
  return search !== null;
}

/** Everything around a page. */
export function Shell({ session }: { session: Session }) {
  const [over, setOver] = useState<"go-to" | "keys">();
  const close = () => setOver(undefined);
  useWaitingVisitors();
  useEffect(() => {
    refreshBots().catch((error: unknown) =>
      sayFault(`The bots could not be listed: ${asProblem(error).message}`),
    );
  }, []);
  useKeys([
    { key: "/", says: "search, go to", run: () => focusSearch() || setOver("go-to") },
    { key: "g o", says: "Overview", run: () => go("/") },
    { key: "g i", says: "Improve", run: () => go("/improve") },
    { key: "g c", says: "Conversations", run: () => go("/conversations") },
    { key: "g h", says: "Hand-offs", run: () => go("/handoffs") },
    { key: "g t", says: "Try it", run: () => go("/try") },
    { key: "z", says: "undo", run: undoLast },
    { key: "?", says: "this list", run: () => setOver("keys") },
  ]);
  return (
    <Fragment>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div class="shell">
        <Side session={session} onJump={() => setOver("go-to")} />
        <Main />
      </div>
      <Toasts />
      {over === "go-to" && <GoTo onClose={close} />}
      {over === "keys" && <KeyList onClose={close} />}
    </Fragment>
  );
}

function Main() {
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  const shown = useRef(path);
  useEffect(() => {
    // Another page: those who listen start at its head, and those who look, too. What is chosen within a page moves nothing.
    if (shown.current.split("/")[1] !== path.split("/")[1]) {
      main.current!.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown.current = path;
  }, [path]);
  return (
    <main class="main" id="main" tabIndex={-1} ref={main}>
      <OfflineBanner />
      <CurrentPage />
      <PhoneFooter />
    </main>
  );
}
