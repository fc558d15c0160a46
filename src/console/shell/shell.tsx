import { Fragment, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Session } from "../../domain/operator/access.ts";
import { refreshBots } from "../bots.ts";
import { FaultsToAccept } from "../change/accept-faults.tsx";
import { useKeys } from "../keys.ts";
import { go, place } from "../router.ts";
import { undoLast } from "../toasts.ts";
import { useWaitingVisitors } from "../waiting-visitors.ts";
import { CurrentPage } from "./current-page.tsx";
import { GoTo, KeyList } from "./dialogs.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { PhoneFooter, Side } from "./side.tsx";
import { Toasts } from "./toasts.tsx";

/** Focuses the page's search field. @returns whether it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>("[data-search]");
  search?.focus();
  search?.select();
  return search !== null;
}

/** The frame around all pages. */
export function Shell({ session }: { session: Session }) {
  const [over, setOver] = useState<"go-to" | "keys">();
  const close = () => setOver(undefined);
  useWaitingVisitors();
  useEffect(() => {
    void refreshBots();
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
      <FaultsToAccept />
      {over === "go-to" && <GoTo onClose={close} />}
      {over === "keys" && <KeyList onClose={close} />}
    </Fragment>
  );
}

/** The elements that scroll on their own: panes for the selected item, and the frame that contains them. */
const SHOWING = ".split, .split > .pane:not(.list)";

/** A newly opened item is scrolled to its top; a list keeps its position when it is shown again. */
function useScrolling(path: string): void {
  const left = useRef(new Map<string, number>());
  const shown = useRef({ path, at: 0 });
  // Read before rendering: the new content may be shorter.
  if (shown.current.path !== path) shown.current.at = scrollY;
  useEffect(() => {
    const { path: before, at } = shown.current;
    if (before === path) return;
    left.current.set(before, at);
    scrollTo(0, before.startsWith(`${path}/`) ? (left.current.get(path) ?? 0) : 0);
    for (const pane of document.querySelectorAll(SHOWING)) pane.scrollTop = 0;
    shown.current = { path, at: 0 };
  }, [path]);
}

function Main() {
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  const shown = useRef(path);
  useScrolling(path);
  useEffect(() => {
    // A new page moves the focus to its start, for screen readers. Selections within a page keep the focus.
    if (shown.current.split("/")[1] !== path.split("/")[1]) main.current!.focus({ preventScroll: true });
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
