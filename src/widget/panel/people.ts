import { h, render } from "preact";

import { readEvents } from "../../client/read-events.ts";
import type { PeopleModule } from "../people/main.tsx";
import type { People, PanelView } from "./view.ts";

/** The hash in the file names of `people/main.tsx`; filled in by the build. */
declare const PEOPLE_HASH: string;

/** Loads the chunk for ratings, hand-off and operators' messages with the first message. */
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
      // A browser may remember the failure of this URL. The conversation continues, and the next message tries another URL.
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
