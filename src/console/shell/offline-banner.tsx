import { h } from "preact";
import { useEffect, useState } from "preact/hooks";

import { ask } from "../api/client.ts";
import { offline } from "../api/connection.ts";
import { Problem } from "../api/problem.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { clock, zone } from "../words/times.ts";

const EVERY_S = 10;

async function probe(): Promise<void> {
  await ask("GET /session", {}).catch((error: unknown) => {
    // The banner already shows that the server does not respond.
    if (!(error instanceof Problem)) throw error;
  });
}

/** Shown while the server does not respond: the age of the data, and when it is tried again. */
export function OfflineBanner() {
  const state = offline.value;
  const isOffline = state !== undefined;
  const [left, setLeft] = useState(EVERY_S);
  useEffect(() => {
    if (!isOffline) return undefined;
    setLeft(EVERY_S);
    const timer = setInterval(() => setLeft((before) => (before <= 1 ? EVERY_S : before - 1)), 1000);
    return () => clearInterval(timer);
  }, [isOffline]);
  useEffect(() => {
    if (isOffline && left === 1) void probe();
  }, [isOffline, left]);
  if (state === undefined) return null;
  return (
    <div class="banner" role="status">
      <Icon name="off" />
      <span>
        <b>Parley has not responded since {clock(state.since)}.</b> This page shows the data of{" "}
        {clock(state.loadedAt)} {zone()}.
      </span>
      <Button onClick={probe}>Try now</Button>
      <span class="tn" aria-hidden="true">
        retrying in {left} s
      </span>
    </div>
  );
}
