import { type ComponentChildren, h } from "preact";

import type { Problem } from "../api/problem.ts";
import type { Resource } from "../api/resource.ts";
import { needsReload } from "../load-part.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { capital, Sentence } from "./text.tsx";

interface NoticeProps {
  kind?: "look" | "fault";
  icon?: IconName;
  title: ComponentChildren;
  children?: ComponentChildren;
}

/** A notice above the content. */
export function Notice({ kind, icon = kind === undefined ? "info" : "warn", title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind ?? ""}`} role={kind === "fault" ? "alert" : undefined}>
      <Icon name={icon} />
      <div>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}

/** A failure: what failed, whether data was lost, what to do, and the request id for the log. */
export function Fault({ what, problem, retry }: { what: string; problem: Problem; retry?: () => void }) {
  return (
    <Notice kind="fault" title={what}>
      <p>
        <Sentence text={problem.message} />
      </p>
      <p class="small">
        {/* A missing permission is explained by the message alone. */}
        {problem.status !== 401 && (
          <span>
            {problem.status > 0 && `${problem.status} `}
            <code>{problem.code}</code>
            {problem.requestId !== undefined && ", "}
          </span>
        )}
        {problem.requestId !== undefined && ["request ", <code key="id">{problem.requestId}</code>]}
      </p>
      <div class="actions">
        {needsReload(problem) ? (
          <Button onClick={() => location.reload()}>Reload the console</Button>
        ) : (
          retry && <Button onClick={retry}>Try again</Button>
        )}
        {problem.status >= 500 && (
          <a class="btn btn-quiet" href="/health">
            Open Health
          </a>
        )}
      </div>
    </Notice>
  );
}

/** An empty list: why it is empty and what to do next. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type SkeletonLine = "w4" | "w6" | "w9" | "tall";

/** A placeholder in the shape of the content being loaded. */
export function Skeleton({ what, lines }: { what: string; lines: readonly SkeletonLine[] }) {
  return (
    <div class="skeleton" role="status" aria-label={`Loading ${what}`}>
      {lines.map((line, at) => (
        <i key={at} class={line} />
      ))}
    </div>
  );
}

const ROWS: readonly SkeletonLine[] = ["w4", "w9", "w6", "w9", "w4", "w9", "w6"];

interface ReadProps<Data> {
  /** As `the tokens`. */
  what: string;
  from: Resource<Data>;
  lines?: readonly SkeletonLine[];
  children: (data: Data) => ComponentChildren;
}

/** Draws loaded data; before that a placeholder, or why loading failed. Earlier data stays during a reload. */
export function Read<Data>({ what, from, lines = ROWS, children }: ReadProps<Data>) {
  const { data, problem, isLoading, reload } = from;
  if (problem?.code === "OFFLINE" && data === undefined) return <NotLoaded what={what} />;
  if (problem !== undefined && data === undefined) {
    return <Fault what={`${capital(what)} could not be loaded`} problem={problem} retry={reload} />;
  }
  if (data === undefined) return isLoading ? <Skeleton what={what} lines={lines} /> : null;
  return (
    <div class="section gap" aria-busy={from.isOld && isLoading}>
      {problem !== undefined && problem.code !== "OFFLINE" && (
        <Fault what={`${capital(what)} could not be refreshed`} problem={problem} retry={reload} />
      )}
      {children(data)}
    </div>
  );
}

/** The banner reports that the server does not respond; the data is loaded when it does. */
function NotLoaded({ what }: { what: string }) {
  return (
    <Empty title={`Not loaded yet: ${what}`}>
      <p>It is loaded as soon as Parley responds again.</p>
    </Empty>
  );
}
