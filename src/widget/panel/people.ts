import { h, render } from "preact";

import { readEvents } from "../../client/read-events.ts";
import type { PeopleModule } from "../people/main.tsx";
import type { People, PanelView } from "./view.ts";

/** The hash in the file names of `people/main.tsx`; filled in by the build. */
declare const PEOPLE_HASH: string;

/** Ratings, hand-off and people who write: a chunk of its own, which comes with the first message. */
export function followPeople(view: PanelView): People {
  const { assetsUrl, language } = view.shell.options;
  let url = `${assetsUrl}people-${language}-${PEOPLE_HASH}.js`;
  let people: People | undefined;
  let tried = 0;
  let gone = false;

  async function load(): Promise<void> {
    tried = view.session.messages().length;
    try {
      const { createPeople } = (await import(url)) as PeopleModule;
      if (gone || people) return;
      people = createPeople(view, { h, render, readEvents });
      view.draw();
    } catch {
      // The conversation goes on without. The next message tries again, by another address: a browser may remember the failure.
      url += "?";
    }
  }

  return {
    draw() {
      if (people) people.draw();
      else if (view.session.messages().length > tried) void load();
    },
    destroy() {
      gone = true;
      people?.destroy();
    },
  };
}
