import type { SuggestedQuestion } from "../domain/embed.ts";

/** The content of a demo page around the chat. */
export interface DemoScene {
  /** Selects colours and pictures in the style sheet. */
  look: "shop" | "clinic" | "town" | "plain";
  brand: string;
  links: readonly string[];
  headline: string;
  lead: string;
  listTitle: string;
  /** Either products, or questions to click. */
  items: readonly { title: string; note?: string; asks?: boolean }[];
  promises: readonly string[];
}

/** The pages of the sample bots: an outdoor shop, a clinic and a town hall. */
const SAMPLES: Readonly<Record<string, DemoScene>> = {
  "acme-support": {
    look: "shop",
    brand: "Acme Outdoor",
    links: ["New in", "Tents", "Boots"],
    headline: "Further out, and dry.",
    lead: "Tents, boots and down for walkers, made to be repaired, and sent within a day.",
    listTitle: "New this week",
    items: [
      { title: "Ridge tent, two persons", note: "€ 249" },
      { title: "Trail boot, leather", note: "€ 139" },
      { title: "Wool blanket, rust", note: "€ 79" },
      { title: "Camp lantern", note: "€ 39" },
    ],
    promises: ["Free delivery above € 50", "30 days to change your mind", "Repairs for life"],
  },
  "riverside-clinic": {
    look: "clinic",
    brand: "Riverside Clinic",
    links: ["Appointments", "Services", "Getting here"],
    headline: "Good care, close to the river.",
    lead: "Family doctors, a laboratory and vaccinations under one roof. Come as you are.",
    listTitle: "Our services",
    items: [
      { title: "Family medicine", note: "Monday to Friday" },
      { title: "Laboratory", note: "Mornings, without appointment" },
      { title: "Vaccinations", note: "For travel and for children" },
      { title: "Check-ups", note: "Once a year" },
    ],
    promises: ["In an emergency, call the emergency number", "Accessible entrance on the river side"],
  },
  "city-kiosk": {
    look: "town",
    brand: "City Hall",
    links: ["Offices", "Events", "Council"],
    headline: "What brings you here today?",
    lead: "Passports, registrations and everything else a city does, on three floors.",
    listTitle: "Offices",
    items: [
      { title: "Citizens' office", note: "Ground floor" },
      { title: "Passports", note: "First floor" },
      { title: "Library", note: "First floor" },
      { title: "Registry", note: "Third floor" },
    ],
    promises: ["Open Monday to Friday", "Free Wi-Fi in the lobby"],
  },
};

interface SceneParts {
  botId: string;
  botName: string;
  suggestedQuestions?: readonly Pick<SuggestedQuestion, "text">[] | undefined;
}

/** The page of a sample bot; for other bots a plain page with name and suggested questions. */
export function demoSceneOf({ botId, botName, suggestedQuestions = [] }: SceneParts): DemoScene {
  return (
    SAMPLES[botId] ?? {
      look: "plain",
      brand: botName,
      links: [],
      headline: `Ask ${botName}.`,
      lead: "A page as any other of yours, with the chat in its corner.",
      listTitle: suggestedQuestions.length > 0 ? "What visitors ask" : "",
      items: suggestedQuestions.slice(0, 4).map(({ text }) => ({ title: text, asks: true })),
      promises: [],
    }
  );
}
