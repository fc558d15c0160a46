import { useEffect, useState } from "preact/hooks";

import { useScope, useWords } from "./context.ts";

/** `17 s`, `2 min`: in the visitor's language. */
export function formatDuration(milliseconds: number, language: string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [value, unit] = seconds < 120 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);
}

/** Counts down for the eye only: a screen reader hears the start and the end elsewhere. */
export function Countdown({ until }: { until: number }) {
  const words = useWords();
  const { language } = useScope().shell.options;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="countdown" aria-hidden="true">
      {words("limited", { time: formatDuration(until - now, language) })}
    </p>
  );
}
