import { h } from "preact";

const PATHS = {
  close: "m6.5 6.5 11 11m0-11-11 11",
  restart: "M12 5v14M5 12h14",
  send: "M12 19V5m-6 6 6-6 6 6",
  stop: "M8 8h8v8H8z",
  down: "M12 5v14m6-6-6 6-6-6",
  back: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  page: "M14 3H6v18h12V7zv4h4",
  note: "M12 11v5m0-8v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
  alert: "M12 8v5m0 3v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={name === "stop" ? "icon solid" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface IconButtonProps {
  name: IconName;
  label: string;
  onClick: () => void;
  class?: string;
}

/** A button with an icon only; the label is its accessible name and its tooltip. */
export function IconButton({ name, label, onClick, class: extra = "" }: IconButtonProps) {
  return (
    <button type="button" class={`icon-button ${extra}`} aria-label={label} title={label} onClick={onClick}>
      <Icon name={name} />
    </button>
  );
}
