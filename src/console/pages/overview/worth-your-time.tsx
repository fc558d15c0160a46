import { h } from "preact";

import type { Overview } from "../../../domain/operator/overview.ts";
import type { ModelRow } from "../../../domain/operator/server.ts";
import { botName } from "../../bots.ts";
import { count, counted, percentSign } from "../../words/numbers.ts";
import { utcDay } from "../../words/times.ts";
import type { Limit } from "./limits.tsx";
import { shareOf } from "./sentences.ts";

interface Task {
  title: string;
  figure: string;
  about: string;
  next: string;
  href: string;
}

/** Failures from this share on are listed; a smaller share may come from the network. Chosen by hand. */
const FAILED_FROM = 0.01;

function tasksOf(overview: Overview, limits: readonly Limit[], models: readonly ModelRow[]): Task[] {
  const failed = shareOf(overview.sums, "failed");
  return [
    ...(overview.waiting > 0
      ? [
          {
            title: `${counted(overview.waiting, "group")} of messages ${overview.waiting === 1 ? "waits" : "wait"} in Improve`,
            figure: counted(overview.waitingMessages, "message"),
            about: "not answered, or rated unhelpful",
            next: "Improve",
            href: "/improve",
          },
        ]
      : []),
    ...limits.flatMap((limit) => limitTask(limit)),
    ...models
      .filter(({ circuit }) => circuit === "open")
      .map(({ name, failures, calls }) => ({
        title: `The model server ${name} keeps failing and is paused`,
        figure: `${count(failures)} of ${count(calls)} failed`,
        about: "it is retried automatically",
        next: "Models",
        href: "/models",
      })),
    ...(failed >= FAILED_FROM
      ? [
          {
            title: `${percentSign(failed)} of messages failed`,
            figure: counted(overview.sums.failed, "message"),
            about: "an error in Parley, or an answer that did not fit its schema",
            next: "Show them",
            href: "/conversations?decision=failed",
          },
        ]
      : []),
  ];
}

function limitTask({ bot, kind, used, most, spentAt }: Limit): Task[] {
  if (most === undefined || spentAt === undefined) return [];
  const what = kind === "messages" ? "message cap" : "token budget";
  const isSpent = used >= most;
  return [
    {
      title: isSpent ? `The ${what} is used up` : `The ${what} lasts until ${utcDay(spentAt)} at this pace`,
      figure: `${count(used)} of ${count(most)}`,
      about: `${botName(bot)} · once it is used up, visitors are told so until next month`,
      next: "Change it",
      href: `/bots/${encodeURIComponent(bot)}/basics`,
    },
  ];
}

/** The operator's tasks, each with a link. */
export function WorthYourTime(parts: {
  overview: Overview;
  limits: readonly Limit[];
  models: readonly ModelRow[];
}) {
  const tasks = tasksOf(parts.overview, parts.limits, parts.models);
  return (
    <section class="section" aria-labelledby="h-todo">
      <header>
        <h2 id="h-todo">To do</h2>
      </header>
      <ul class="rows frame">
        {tasks.length === 0 && (
          <li class="row-link dim">
            Nothing to do. No groups are left in Improve, and no cap is nearly used up.
          </li>
        )}
        {tasks.map(({ title, figure, about, next, href }) => (
          <li key={title}>
            <a class="row-link" href={href}>
              <span class="top">
                <span class="title strong">{title}</span>
                <span class="num faint">{figure}</span>
              </span>
              <span class="meta">
                <bdi>{about}</bdi>
                <span class="end">{next} →</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
