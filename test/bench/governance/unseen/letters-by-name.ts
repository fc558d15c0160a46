// Made by test/bench/governance/unicode/make-letters-by-name.ts from Unicode 15.0 (confusables.txt, UnicodeData.txt);
// © Unicode, Inc., used under the Unicode License. Change the script, not this file.

/** Latin letters, each before the letter of another alphabet whose name begins with it. */
export const ALPHABETS: Readonly<Record<string, string>> = {
  Arabic: "aە bب dد eې fف gگ hح jژ kك lل m؜ nڭ oۆ pپ qق rر sص tت uۇ vۋ wو yۈ zظ",
  Armenian: "aա bբ cծ dդ eե fֆ gգ hէ iի jձ kկ lլ mմ nն oօ pպ rռ sշ tը vո xխ yյ zզ",
  Cyrillic: "aа bб cч dд eэ fф gг hх iи jј kк lл mм nн oо pп qԛ rр sс tт uу vв wԝ yю zз",
  Devanagari: "aअ bब cच dद eए fफ़ gग hह iइ jज kक lल mम nन oओ pप qक़ rर sस tत uउ vव yय zज़",
  Georgian: "aა bბ cც dდ eჸ fჶ gგ hჱ iი jძ kკ lლ mმ nე oო pპ qყ rრ sს tთ uუ vვ wჳ xხ yჷ zზ",
  Gothic: "a𐌰 b𐌱 d𐌳 e𐌹 f𐍆 g𐌲 h𐌷 i𐌶 j𐌾 k𐌺 l𐌻 m𐌼 n𐌽 o𐍉 p𐍀 q𐌵 r𐍂 s𐍃 t𐍄 u𐌿 w𐍅",
  Greek: "aα bβ cχ dδ eη gγ hͱ iι kκ lλ mμ nν oω pπ rρ sϸ tτ uυ xξ zζ",
  Hebrew: "aא bב dד gג hה kכ lל mמ nנ pפ qק rר sש tט vו yי zז",
  Runic: "aᚪ bᛒ cᛍ dᛑ eᛂ fᚠ gᚵ hᚻ iᛝ jᛃ kᛱ lᚬ mᛗ nᚾ oᚮ pᛈ qᛩ rᚱ sᛲ tᛏ uᚢ vᚡ wᚥ xᛪ yᚤ zᛎ",
};

/** Two Latin letters, each pair before the character that can be taken for both. */
export const PAIRS = "aaꜳ aeӕ aoꜵ auꜷ avꜻ ayꜽ blы dzʣ llװ loю lsʪ lzʫ oeœ ooꚙ rn𑜀 tfꝷ tsʦ ueᵫ uoꭣ";
