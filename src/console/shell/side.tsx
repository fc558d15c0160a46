import { type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";

import type { Session } from "../../domain/operator/access.ts";
import { bots, hasManyBots, isNamed, waiting } from "../bots.ts";
import { PAGES } from "../pages.ts";
import { Icon, type IconName, Mark } from "../parts/icon.tsx";
import { findPage, place } from "../router.ts";
import { may, signOut } from "../session.ts";
import { attempt } from "../toasts.ts";
import { waitingVisitors } from "../waiting-visitors.ts";
import { count } from "../words/numbers.ts";

interface Entry {
  href: string;
  icon: IconName;
  says: string;
}

const WORK: readonly Entry[] = [
  { href: "/", icon: "overview", says: "Overview" },
  { href: "/improve", icon: "improve", says: "Improve" },
  { href: "/conversations", icon: "talk", says: "Conversations" },
  { href: "/handoffs", icon: "person", says: "Hand-offs" },
  { href: "/try", icon: "try", says: "Try it" },
];

const SERVER: readonly Entry[] = [
  { href: "/tokens", icon: "key", says: "Tokens" },
  { href: "/models", icon: "model", says: "Models" },
  { href: "/audit", icon: "audit", says: "Audit" },
  { href: "/deliveries", icon: "mail", says: "Deliveries" },
  { href: "/health", icon: "health", says: "Health" },
  { href: "/operators", icon: "people", says: "Operators, keys" },
];

/** Address of the page's documentation. It opens in a new window, so that typed text is not lost. */
function helpAddress(): string {
  return `/help/${findPage(PAGES, place.value.path)?.page.help ?? "operating"}`;
}

function isCurrent(href: string): boolean {
  const { path } = place.value;
  return path === href || (href !== "/" && path.startsWith(`${href}/`));
}

function Link({
  href,
  icon,
  says,
  children,
  only = "",
}: Entry & { children?: ComponentChildren; only?: string }) {
  return (
    <a
      class={`nav-link ${only}`}
      href={href}
      title={says}
      aria-current={isCurrent(href) ? "page" : undefined}
    >
      <Icon name={icon} />
      <span>{says}</span>
      {children}
    </a>
  );
}

/** The count beside an entry. @param kind `now`: a visitor is waiting for a person. */
function Waiting({
  number = 0,
  what,
  kind = "",
}: {
  number: number | undefined;
  what: string;
  kind?: "now" | "";
}) {
  if (number === 0) return null;
  return (
    <span class={`count ${kind}`}>
      {count(number)}
      <span class="vh"> {what} waiting</span>
    </span>
  );
}

/** The list of bots scrolls on its own, so that the entries below stay in reach. */
function Bots() {
  const [typed, setTyped] = useState("");
  const isMany = hasManyBots();
  const shown = isMany ? bots.value?.filter((bot) => isNamed(bot, typed)) : bots.value;
  return (
    <nav class="nav bots" aria-labelledby="nav-bots">
      <h2 id="nav-bots" class="vh">
        Bots
      </h2>
      <div class="nav-head">
        <a href="/bots" aria-current={place.value.path === "/bots" ? "page" : undefined}>
          All bots
        </a>
        {may("bots.write") && <a href="/bots?new=1">New bot…</a>}
      </div>
      {isMany && (
        <input
          class="input"
          type="search"
          aria-label="Filter bots"
          placeholder={`Filter ${count(bots.value!.length)} bots`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div class="nav-scroll">
        {shown?.map(({ id, name, enabled }) => (
          <Link key={id} href={`/bots/${encodeURIComponent(id)}`} icon="bot" says={name}>
            {!enabled && <span class="count">off</span>}
          </Link>
        ))}
        {shown?.length === 0 && typed !== "" && <p class="small faint">No bot has this name.</p>}
      </div>
    </nav>
  );
}

const leave = () =>
  attempt("You are still signed in", () =>
    signOut(() => confirm("You have unsaved text. It is lost when you sign out. Sign out?")),
  );

function WhoAmI({ session }: { session: Session }) {
  const { operator, version } = session;
  return (
    <div class="whoami">
      <b>{operator.name}</b>
      <span>
        {operator.role} · Parley {version}
      </span>
      <button class="link" type="button" onClick={() => void leave()}>
        Sign out
      </button>
    </div>
  );
}

/** The sidebar. On narrow screens it is a rail of icons, on phones five tabs at the bottom. */
export function Side({ session, onJump }: { session: Session; onJump: () => void }) {
  return (
    <header class="side">
      <a class="brand" href="/" title="Overview">
        <Mark />
        <span>Parley</span>
      </a>
      <button class="jump" type="button" aria-label="Go to, or search" onClick={onJump}>
        <Icon name="search" />
        <span>Go to…</span>
        <kbd>/</kbd>
      </button>
      <nav class="nav primary" aria-label="Work">
        {WORK.map((entry) => (
          <Link key={entry.href} {...entry}>
            {entry.href === "/improve" && <Waiting number={waiting.value} what="groups" />}
            {entry.href === "/handoffs" && (
              <Waiting number={waitingVisitors.value} what="visitors" kind="now" />
            )}
          </Link>
        ))}
        <Link href="/bots" icon="bot" says="Bots" only="only-narrow" />
      </nav>
      <Bots />
      <nav class="nav" aria-labelledby="nav-server">
        <h2 id="nav-server">Server</h2>
        {SERVER.map((entry) => (
          <Link key={entry.href} {...entry} />
        ))}
        <a class="nav-link" href={helpAddress()} target="_blank" title="Help">
          <Icon name="info" />
          <span>Help</span>
        </a>
      </nav>
      <WhoAmI session={session} />
    </header>
  );
}

/** Links to the server pages, below the content on phones, where the tabs have no room for them. */
export function PhoneFooter() {
  return (
    <nav class="only-phone more" aria-label="Server">
      {SERVER.map(({ href, says }) => (
        <a key={href} href={href} aria-current={isCurrent(href) ? "page" : undefined}>
          {says}
        </a>
      ))}
      <a href={helpAddress()} target="_blank">
        Help
      </a>
      <button class="link" type="button" onClick={() => void leave()}>
        Sign out
      </button>
    </nav>
  );
}
