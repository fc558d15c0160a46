/**
 * A help centre of a real product's size: 500 pages of a fictional phone company. Many pages differ only in a name and a few figures, as in real
 * ones: countries, shops, phones, error codes.
 */

/** A page with its address. */
export interface HelpPage {
  path: string;
  markdown: string;
}

export const HELP_CENTRE = "https://nimbus.example/help/";

const COUNTRIES =
  "Austria Belgium Brazil Bulgaria Canada Chile China Colombia Croatia Cyprus Denmark Egypt Estonia Finland France Germany Ghana Greece Hungary Iceland India Indonesia Ireland Israel Italy Japan Jordan Kenya Latvia Lithuania Luxembourg Malaysia Malta Mexico Morocco Nepal Netherlands Nigeria Norway Pakistan Peru Philippines Poland Portugal Qatar Romania Serbia Singapore Slovakia Slovenia Spain Sweden Switzerland Taiwan Thailand Tunisia Turkey Ukraine Vietnam Zambia".split(
    " ",
  );
const CITIES =
  "Aberdeen Bath Belfast Birmingham Bradford Brighton Bristol Cambridge Canterbury Cardiff Carlisle Chester Cork Coventry Derby Derry Dover Dublin Dundee Durham Edinburgh Ely Exeter Galway Glasgow Gloucester Hereford Hull Inverness Kilkenny Lancaster Leeds Leicester Lichfield Limerick Lincoln Lisburn Liverpool London Manchester Newcastle Newport Newry Norwich Nottingham Oxford Perth Peterborough Plymouth Portsmouth Preston Ripon Salford Salisbury Sheffield Southampton Stirling Sunderland Swansea Truro Wakefield Waterford Wells Winchester Worcester York".split(
    " ",
  );
const MAKERS = ["Orion", "Vela", "Lyra", "Corvus", "Draco", "Pavo"];
const MODELS = ["One", "Two", "Mini", "Max", "Lite", "Fold", "Go", "Pro", "Plus", "Ultra"];
const FAULTS: readonly [string, string][] = [
  [
    "SIM card not recognised",
    "Switch the phone off, take the SIM card out, wipe it with a dry cloth and put it back.",
  ],
  ["No network found", "Turn flight mode on for ten seconds and off again, and choose the network by hand."],
  ["Activation failed", "Wait an hour after the SIM card was scanned in the shop, and restart the phone."],
  ["Message not delivered", "Check that the message centre is +44 7700 900111, under Messages, Settings."],
  ["Call barred", "Calls to premium numbers are barred by default. Unbar them in the app under Limits."],
  ["Data session refused", "Set the access point to nimbus.data, without user name and password."],
  ["Voicemail full", "Delete old messages with key 7. The box holds thirty messages."],
  [
    "Payment not authorised",
    "Your bank has declined. Open your bank's app, confirm the payment, and try again.",
  ],
];
const FEATURES: readonly [name: string, what: string, android: string, iphone: string][] = [
  [
    "call forwarding",
    "Calls go to another number when you are busy or away.",
    "Phone, Settings, Calls, Forwarding",
    "Settings, Phone, Call Forwarding",
  ],
  [
    "call waiting",
    "You hear a tone when somebody else calls during a call.",
    "Phone, Settings, Calls, More",
    "Settings, Phone, Call Waiting",
  ],
  [
    "voicemail",
    "Callers leave a message; you listen to it on 121.",
    "Phone, Settings, Voicemail",
    "Phone, Voicemail, Greeting",
  ],
  [
    "visual voicemail",
    "Messages appear as a list, and are written out.",
    "the Nimbus app, Voicemail",
    "Phone, Voicemail",
  ],
  [
    "caller ID",
    "Whether the person you call sees your number.",
    "Phone, Settings, Calls, Show my number",
    "Settings, Phone, Show My Caller ID",
  ],
  [
    "Wi-Fi calling",
    "Calls go over Wi-Fi where there is no signal, at no extra cost.",
    "Settings, Network, SIM, Wi-Fi calling",
    "Settings, Mobile Data, Wi-Fi Calling",
  ],
  [
    "4G calling",
    "Calls connect faster, and data goes on during a call.",
    "Settings, Network, SIM, 4G calling",
    "Settings, Mobile Data, Voice & Data",
  ],
  [
    "5G",
    "Faster data where there is 5G.",
    "Settings, Network, SIM, Preferred network",
    "Settings, Mobile Data, Voice & Data",
  ],
  [
    "a personal hotspot",
    "Other devices use the data of your phone.",
    "Settings, Network, Hotspot",
    "Settings, Personal Hotspot",
  ],
  [
    "data saver",
    "Apps in the background use no mobile data.",
    "Settings, Network, Data Saver",
    "Settings, Mobile Data, Low Data Mode",
  ],
  [
    "data roaming",
    "Mobile data abroad.",
    "Settings, Network, SIM, Roaming",
    "Settings, Mobile Data, Data Roaming",
  ],
  [
    "blocking a number",
    "A blocked caller hears that you are busy.",
    "Phone, Recents, hold the number, Block",
    "Phone, Recents, i, Block this Caller",
  ],
  [
    "an eSIM",
    "A SIM card without a card: scan the code that we mail you.",
    "Settings, Network, SIM, Add eSIM",
    "Settings, Mobile Data, Add eSIM",
  ],
  ["a second SIM", "Two numbers in one phone.", "Settings, Network, SIM", "Settings, Mobile Data, SIMs"],
  [
    "a SIM PIN",
    "The phone asks for a code when it is switched on. Three wrong codes lock the SIM card.",
    "Settings, Security, SIM lock",
    "Settings, Mobile Data, SIM PIN",
  ],
  [
    "parental controls",
    "Adult sites and in-app purchases are closed for children.",
    "the Nimbus app, Family, Controls",
    "the Nimbus app, Family, Controls",
  ],
  [
    "location sharing",
    "Your family sees where the phone is.",
    "the Nimbus app, Family, Location",
    "the Nimbus app, Family, Location",
  ],
  [
    "emergency alerts",
    "The government's warnings of floods and storms.",
    "Settings, Safety, Alerts",
    "Settings, Notifications, Emergency Alerts",
  ],
  [
    "text to landline",
    "A text to a landline is read out.",
    "write the text as ever",
    "write the text as ever",
  ],
  [
    "conference calls",
    "Up to five people in one call.",
    "Phone, Add call, Merge",
    "Phone, Add Call, Merge Calls",
  ],
];
const TOPICS: readonly [title: string, sections: readonly (readonly [string, string])[]][] = [
  [
    "Your bill",
    [
      [
        "When the bill comes",
        "Your bill is ready on the 3rd of each month, in the app and by e-mail. Paper bills cost £1.50 each.",
      ],
      [
        "Why the first bill is higher",
        "The first bill has the days before the 3rd and the whole month after it.",
      ],
      [
        "Disputing a charge",
        "Tell us within 60 days in the app under Bills, Something is wrong. Nothing is collected for that charge while we look.",
      ],
    ],
  ],
  [
    "Ways to pay",
    [
      ["Direct debit", "We collect ten days after the bill. Change the account in the app under Payments."],
      ["Card and PayPal", "Pay any bill by card or PayPal in the app."],
      ["Cash", "Pay cash in any of our shops; bring the bill's barcode."],
    ],
  ],
  [
    "Paying late",
    [
      [
        "What it costs",
        "After 14 days we add £5. After 30 days you can only receive calls, after 60 days the number is closed.",
      ],
      ["If you cannot pay", "Ask for a payment plan in the app: three or six parts, without interest."],
    ],
  ],
  [
    "Refunds",
    [
      [
        "When you get it",
        "Refunds are back on your card within five working days, on an account within ten.",
      ],
      ["Credit that is left", "Prepaid credit is refunded when you leave, minus £2."],
    ],
  ],
  [
    "Cancelling your contract",
    [
      ["Notice", "Give 30 days' notice in the app, by letter or in a shop."],
      ["Leaving early", "During the minimum term you pay the monthly price of what remains, minus 20 %."],
      ["Cooling off", "Within 14 days of signing you may cancel without a reason and without cost."],
    ],
  ],
  [
    "Keeping your number",
    [
      [
        "Coming to us",
        "Text PAC to 65075 from your old SIM card, and give us the code. Your number moves on the next working day.",
      ],
      ["Leaving us", "Text PAC to 65075. The code holds for 30 days."],
    ],
  ],
  [
    "Changing your plan",
    [
      ["Upgrading", "A bigger plan begins at once; you pay the difference for the days that are left."],
      ["Downgrading", "A smaller plan begins with the next bill."],
    ],
  ],
  [
    "Lost or stolen phone",
    [
      [
        "Block it at once",
        "Block the SIM card in the app or call 0800 555 0199, day and night. Calls made before that are yours to pay, up to £100.",
      ],
      [
        "A new SIM card",
        "A new SIM card with the same number is free, and there in two days; in a shop at once.",
      ],
      ["Insurance", "Tell the insurance within 48 hours, with the number of the police report."],
    ],
  ],
  [
    "Insurance",
    [
      ["What it covers", "Broken screens, water and theft. The excess is £50, for folding phones £90."],
      ["What it does not cover", "Scratches, lost phones and accessories."],
      ["Making a claim", "In the app under Insurance, with a photo. A replacement comes the next day."],
    ],
  ],
  [
    "Repairs",
    [
      ["Screens", "A screen is replaced in our shops in two hours, from £89."],
      ["Batteries", "A new battery costs £49, and is free within two years if it holds less than 80 %."],
      [
        "Water damage",
        "Switch the phone off, do not charge it, and bring it in. We dry and check it for £25.",
      ],
    ],
  ],
  [
    "Returning a phone",
    [
      ["How long", "14 days from delivery if you bought online, 7 days if in a shop."],
      [
        "How",
        "Print the label in the app, wipe the phone and remove your account. Missing chargers cost £15.",
      ],
    ],
  ],
  [
    "Trading in an old phone",
    [
      ["What it is worth", "Answer four questions in the app; the offer holds for 14 days."],
      ["Sending it", "We send a padded bag. The money is paid within five days of its arrival."],
    ],
  ],
  [
    "Delivery",
    [
      ["Times", "Orders before 20:00 arrive the next working day. Saturday delivery costs £4."],
      ["Not at home", "The courier tries twice, then leaves it at a parcel shop for ten days."],
    ],
  ],
  [
    "Student discount",
    [["Who gets it", "Students over 16 get 15 % off any SIM-only plan, checked once a year by UniDays."]],
  ],
  [
    "Family plans",
    [
      ["Adding a line", "Up to six lines on one bill; each further line is £8 a month."],
      ["Sharing data", "Move gigabytes between lines in the app, at any time."],
    ],
  ],
  [
    "Business accounts",
    [
      ["Opening one", "You need a company number and 20 minutes. Bills have VAT stated."],
      ["Several users", "Managers see all lines, users only their own."],
    ],
  ],
  [
    "Credit check",
    [
      [
        "What we look at",
        "We ask one agency when you order a contract. It shows on your file as one search.",
      ],
      ["If you are refused", "Take a prepaid plan, or pay a deposit of £150, given back after six bills."],
    ],
  ],
  [
    "Prepaid",
    [
      ["Topping up", "In the app, in shops, or by *131#. The smallest top-up is £5."],
      ["How long credit lasts", "Credit lasts 180 days from the last top-up."],
      ["Checking the balance", "Dial *131# or look in the app."],
    ],
  ],
  [
    "Using less data",
    [
      ["What uses most", "An hour of video takes 1 GB, an hour of music 70 MB."],
      [
        "When it is used up",
        "Data slows down to 512 kbit/s; nothing is charged. Add 5 GB for £6 in the app.",
      ],
    ],
  ],
  [
    "Spend cap",
    [["Setting it", "Choose £0 to £100 in the app under Limits. Calls beyond your plan stop there."]],
  ],
  [
    "Coverage",
    [
      ["Checking it", "Enter a postcode at nimbus.example/coverage."],
      [
        "No signal at home",
        "Turn on Wi-Fi calling first. Where that is no help, ask for a signal box; it is free on contracts above £20.",
      ],
    ],
  ],
  [
    "Network outages",
    [
      [
        "Is there one?",
        "The app shows works and faults near you. We write a text when a mast near your home is off for more than an hour.",
      ],
      [
        "Compensation",
        "For each full day without service you get a day's price back, if you ask within a month.",
      ],
    ],
  ],
  [
    "Unwanted calls and texts",
    [
      ["Spam texts", "Forward them to 7726, free of charge."],
      ["Stopping our offers", "Text STOP to 40404, or turn them off in the app under Privacy."],
    ],
  ],
  [
    "Fraud",
    [
      ["We never ask", "We never ask for your password or a code by phone. Hang up and call 191."],
      ["SIM swap", "If your phone suddenly has no service, call us at once from another phone."],
    ],
  ],
  [
    "Your account",
    [
      [
        "Forgotten password",
        "Choose Forgotten on the sign-in page; a link comes by text and holds for 30 minutes.",
      ],
      ["Changing your address", "In the app under Profile. Bills show it from the next month on."],
      ["Changing the owner", "Both people come to a shop with photo ID."],
    ],
  ],
  [
    "Death of a customer",
    [
      [
        "What to do",
        "Send the certificate to bereavement@nimbus.example. We close the line without notice or fee.",
      ],
    ],
  ],
  [
    "Accessibility",
    [
      ["Relay UK", "Dial 18001 before the number for text relay, at no extra cost."],
      ["Bills in Braille", "Bills in Braille, large print or on CD are free; call 191."],
    ],
  ],
  [
    "Moving abroad",
    [
      [
        "Can I keep my plan?",
        "Plans are for people who live in the United Kingdom or Ireland. After 60 days abroad we may ask you to leave.",
      ],
    ],
  ],
  [
    "Ships and planes",
    [
      [
        "What it costs",
        "No plan covers ships and planes: £6 a minute, £5 a megabyte. Turn roaming off before you board.",
      ],
    ],
  ],
  [
    "Calling abroad from home",
    [
      [
        "Prices",
        "Calls to the EU are 22p a minute, to all other countries £1.50. The World add-on makes 40 countries free for £5 a month.",
      ],
    ],
  ],
];

/** Figures that differ between pages, and are equal in each run. */
const pick = (seed: number, from: number, to: number) =>
  from + (((seed * 2654435761) % 4294967296) % (to - from + 1));

/** All pages, equal in each run. */
export function helpPages(): HelpPage[] {
  return [
    ...TOPICS.map(([title, sections]) => page("account", title, sections)),
    ...COUNTRIES.map((name, i) => page("roaming", `Roaming in ${name}`, roaming(name, i))),
    ...CITIES.map((name, i) => page("shops", `Our shop in ${name}`, shop(name, i))),
    ...FEATURES.flatMap(([name, what, android, iphone]) => [
      page("features", `Using ${name} on Android`, feature(name, what, android)),
      page("features", `Using ${name} on iPhone`, feature(name, what, iphone)),
    ]),
    ...phones().flatMap((phone, i) => [
      page("phones", `Setting up the ${phone}`, setUp(phone, i)),
      page("phones", `${phone}: battery, memory and reset`, care(phone, i)),
    ]),
    ...errors().map(([code, [title, cure]]) => page("errors", `Error ${code}: ${title}`, error(code, cure))),
    ...plans().map(([name, i]) => page("plans", `The ${name} plan`, plan(name, i))),
  ];
}

type Sections = readonly (readonly [heading: string, text: string])[];

function page(folder: string, title: string, sections: Sections): HelpPage {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const parts = sections.map(([heading, text]) => `## ${heading}\n\n${text}\n`);
  return {
    path: `${folder}/${slug}.md`,
    markdown: `---\nurl: ${HELP_CENTRE}${folder}/${slug}\n---\n# ${title}\n\n${parts.join("\n")}`,
  };
}

function roaming(name: string, i: number): Sections {
  return [
    [
      "What it costs",
      `In ${name} a call costs ${pick(i, 9, 160)}p a minute, a text ${pick(i + 99, 5, 60)}p, and a megabyte of data ${pick(i + 7, 1, 90)}p. Receiving a text is free.`,
    ],
    [
      "Day pass",
      `A day pass for ${name} costs £${pick(i + 31, 2, 9)}: all calls and texts, and ${pick(i + 5, 1, 12)} GB of data until midnight there.`,
    ],
    [
      "Networks",
      `Your phone chooses the network in ${name} by itself. Emergency calls work without a plan: dial ${pick(i, 100, 199)} or 112.`,
    ],
  ];
}

function shop(name: string, i: number): Sections {
  return [
    [
      "Address and hours",
      `You find us at ${pick(i, 1, 140)} ${["High Street", "Market Square", "Station Road", "Bridge Street"][i % 4]}, ${name}. Open Monday to Saturday from ${pick(i, 8, 10)}:00 to ${pick(i + 3, 17, 20)}:00${i % 3 === 0 ? ", on Sundays from 11:00 to 16:00" : ", closed on Sundays"}.`,
    ],
    [
      "What we do there",
      `${i % 2 === 0 ? "Repairs while you wait, trade-ins and new contracts." : "New contracts and trade-ins; repairs are sent in and take four days."} ${i % 5 === 0 ? "There is parking behind the shop." : "There is no parking at the shop."}`,
    ],
  ];
}

function feature(name: string, what: string, where: string): Sections {
  return [
    ["What it is", what],
    ["Turning it on", `Open ${where}, and turn ${name} on.`],
    ["Turning it off", `Open ${where}, and turn it off. It takes up to a minute until the network knows.`],
  ];
}

function phones(): string[] {
  return MAKERS.flatMap((maker) => MODELS.map((model) => `${maker} ${model}`));
}

function setUp(phone: string, i: number): Sections {
  return [
    [
      "Putting the SIM card in",
      `The tray of the ${phone} is on the ${["left", "right", "upper", "lower"][i % 4]} edge. Push the pin in, lay the card in with the corner ${i % 2 === 0 ? "up" : "down"}, and push the tray back.`,
    ],
    [
      "Moving your data",
      `The ${phone} copies photos, contacts and messages from your old phone: lay both side by side and choose Copy. It takes about ${pick(i, 10, 50)} minutes.`,
    ],
  ];
}

function care(phone: string, i: number): Sections {
  return [
    [
      "Battery",
      `The battery of the ${phone} has ${3000 + 100 * pick(i, 1, 25)} mAh and is full in ${pick(i, 35, 110)} minutes with a ${pick(i + 1, 15, 65)} watt charger.`,
    ],
    [
      "Memory",
      `The ${phone} has ${[64, 128, 256, 512][i % 4]} GB. ${i % 3 === 0 ? "A memory card can be added." : "It takes no memory card."}`,
    ],
    [
      "Resetting it",
      `Hold the power key and volume ${i % 2 === 0 ? "up" : "down"} for ${pick(i, 8, 20)} seconds. What is on the phone is deleted only if you choose Erase.`,
    ],
  ];
}

function errors(): [number, (typeof FAULTS)[number]][] {
  return Array.from({ length: 129 }, (_, i) => [100 + 7 * i, FAULTS[i % FAULTS.length]!]);
}

function error(code: number, cure: string): Sections {
  return [
    ["What to do", `${cure} If ${code} is shown again, send us the code in the app.`],
    [
      "What it means",
      `The phone shows ${code} when the network has answered with class ${Math.floor(code / 100)}.`,
    ],
  ];
}

const SIZES = ["XS", "S", "M", "L", "XL"];
const KINDS = [
  "SIM-only",
  "Prepaid",
  "Family",
  "Business",
  "Data",
  "Student",
  "Senior",
  "Kids",
  "Home",
  "World",
  "Green",
];

function plans(): [string, number][] {
  return KINDS.flatMap((kind) => SIZES.map((size) => `${kind} ${size}`)).map((name, i) => [name, i]);
}

function plan(name: string, i: number): Sections {
  return [
    [
      "Price and data",
      `${name} costs £${pick(i, 6, 48)} a month and has ${pick(i + 11, 1, 120)} GB of data, with all calls and texts in the country.`,
    ],
    ["Term", i % 2 === 0 ? `${name} runs for 24 months.` : `${name} can be cancelled every month.`],
    [
      "Extras",
      `${i % 3 === 0 ? "Roaming in the EU is included." : "Roaming costs extra."} ${i % 4 === 0 ? "5G is included." : "5G is £3 more."}`,
    ],
  ];
}
