import { useEffect, useRef, useState } from "preact/hooks";

import type { ParleyStatus } from "../public.d.ts";
import { useScope, useWords } from "./context.ts";
import { formatDuration } from "./countdown.tsx";

/** Says what only the eye would notice: once when it starts, once when it ends. */
export function Announcer({ status }: { status: ParleyStatus }) {
  const words = useWords();
  const { language } = useScope().shell.options;
  const [said, setSaid] = useState("");
  const previous = useRef(status.kind);
  useEffect(() => {
    const wasLimited = previous.current === "limited";
    previous.current = status.kind;
    if (status.kind === "limited") {
      setSaid(words("limited", { time: formatDuration(status.until - Date.now(), language) }));
    } else if (wasLimited) setSaid(words("limitedOver"));
    else if (status.kind === "waiting") setSaid(words("typing"));
    else if (status.kind !== "streaming") setSaid("");
  }, [status.kind]);
  return (
    <div class="unseen" role="status">
      {said}
    </div>
  );
}
