import { h } from "preact";

import type { PageProps } from "../../page.ts";
import { BotPage } from "./bot.tsx";
import { BotList } from "./list.tsx";

/** Bots: all of them, or one. */
export default function Page({ params, query }: PageProps) {
  const bot = params["bot"];
  if (bot === undefined) return <BotList isNew={query.has("new")} />;
  return <BotPage key={bot} bot={bot} tab={params["tab"]} rest={params["range"]} />;
}
