import { normaliseText } from "./normalise.ts";

/** The set of words in some lines, in the spelling of `normaliseText`. */
const wordsIn = (...lines: string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ").map(normaliseText)));

/** First words of a message that continues the one before ("and on Sundays?", "what about kids", "und mit Hund?"), in seven languages. */
export const GOING_ON: ReadonlySet<string> = wordsIn(
  "and but or so also then ok okay great good fine cool right thanks ah oh even if with without for in on at",
  "und aber oder also auch dann ok okay gut super danke ah ach sogar wenn mit ohne für fuer bei im am an",
  "et mais ou aussi alors donc ok bon bien super merci ah oh meme si avec sans pour",
  "y e pero o tambien entonces vale ok bien gracias ah incluso si con sin para",
  "e ed ma o anche allora quindi ok bene grazie ah perfino se con senza per",
  "en maar of ook dan dus ok oke goed prima dank ah zelfs als met zonder voor",
  "e mas ou tambem entao ok bom certo obrigado obrigada ah ate se com sem para",
);

/** Questions without a subject of their own ("what about …", "does that …", "wie ist es mit …"), in the spelling of `normaliseText`. */
const POINTING_BACK =
  /^(what|how) about\b|^(what|how|is|are|was|does|do|did|can|could|will|would|when|where|which|why|how much|how long)\b.{0,24}\b(that|it|they|them|those|these|one|ones|this)\b|^(was|wie) (ist|sieht|siehts|ists)( es| das)? (mit|bei|aus)\b|^(geht|gilt|kostet|ist|sind|macht|wie|was|wann|wo|warum|kann|darf)\b.{0,24}\b(das|die|der|es|dies|davon|dafur|damit)\b|\b(ca|cela|celui|celle|ceux|celles)\b|\b(eso|esto|ese|esa|esos|esas)\b|\b(quello|quella|quelli|quelle|questo|questa)\b|\b(dat|die|deze|daarvan|daarvoor)\b|\b(isso|isto|esse|essa|esses|essas|aquele|aquela)\b/;

/** Whether a question has no subject of its own: "what about …", "does that …". */
export function pointsBack(words: readonly string[]): boolean {
  return POINTING_BACK.test(words.join(" "));
}

/**
 * Words that modify an earlier question without a new subject: times, days, amounts, sizes, colours, people. Only these may be new in a
 * follow-up; others may name something denied.
 */
export const HARMLESS: ReadonlySet<string> = wordsIn(
  "today tomorrow tonight yesterday now later soon morning noon afternoon evening night day days week weeks weekend weekends month months",
  "year years hour hours minute minutes monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays",
  "fridays saturdays sundays january february march april may june july august september october november december christmas easter holiday",
  "holidays summer winter spring autumn early late before after until since between half one two three four five six seven eight nine ten",
  "twelve twenty more less most least much many price prices cost costs cheap cheaper cheapest expensive big bigger small smaller large",
  "larger long longer short shorter fast faster quick quicker new newer old older used red blue green black white yellow grey pink silver kid",
  "kids child children adult adults baby student students senior seniors family group groups person people man men woman women both all each",
  "free included possible allowed available paid enough kostenlos gratis inklusive moeglich erlaubt gratuit gratuite inclus possible gratuito",
  "gratuita incluido posible incluso possibile inbegrepen mogelijk incluido possivel",
  "other others another same different first second third last next whole extra roughly about exactly online phone email there here that those",
  "heute morgen abend abends gestern jetzt spaeter bald frueh morgens mittag mittags nachmittag nachmittags nacht nachts tag tage woche wochen",
  "wochenende monat monate jahr jahre stunde stunden minuten montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags",
  "mittwochs donnerstags freitags samstags sonntags sonnabend feiertag feiertage feiertagen weihnachten ostern neujahr jahren sommer winter",
  "ferien vor nach bis seit zwischen halb eins zwei drei vier fuenf sechs sieben acht neun zehn zwoelf zwanzig mehr weniger viel viele preis",
  "preise kosten kostet billig billiger guenstig guenstiger teuer teurer gross groesser klein kleiner lang lange laenger kurz kuerzer schnell",
  "schneller neu neuer alt aelter gebraucht rot blau gruen schwarz weiss gelb grau kind kinder kindern erwachsene erwachsenen baby schueler",
  "studenten senioren rentner familie gruppe gruppen person personen leute beide beides alle jede andere anderen gleiche erste zweite dritte",
  "letzte naechste ganze extra ungefaehr etwa genau telefon mail dort hier",
  "aujourd'hui demain hier maintenant tard tot bientot matin midi soir nuit jour jours semaine semaines weekend mois an ans annee annees heure",
  "heures minutes lundi mardi mercredi jeudi vendredi samedi dimanche feries ferie noel paques vacances ete hiver avant apres jusqu'a depuis",
  "entre demi un deux trois quatre cinq six sept huit neuf dix douze vingt plus moins beaucoup prix cout coute combien cher chere moins grand",
  "grande petit petite long longue court rapide vite nouveau neuf vieux occasion rouge bleu vert noir blanc jaune gris enfant enfants adulte",
  "adultes bebe etudiant etudiants senior seniors famille groupe groupes personne personnes gens deux tous toutes chaque autre autres meme",
  "premier deuxieme dernier prochain environ exactement ligne telephone mail",
  "hoy manana ayer ahora tarde pronto mediodia noche dia dias semana semanas finde mes meses ano anos hora horas minutos lunes martes miercoles",
  "jueves viernes sabado sabados domingo domingos festivo festivos navidad pascua vacaciones verano invierno antes despues hasta desde entre",
  "medio media uno una dos tres cuatro cinco seis siete ocho nueve diez doce veinte mas menos mucho mucha precio precios cuesta cuestan cuanto",
  "barato barata caro cara grande pequeno pequena largo corto rapido nuevo viejo usado rojo azul verde negro blanco amarillo gris nino ninos",
  "adulto adultos bebe estudiante estudiantes mayores familia grupo grupos persona personas gente ambos todos todas cada otro otra otros otras",
  "mismo primero segundo ultimo proximo online telefono correo",
  "oggi domani ieri adesso tardi presto mattina mezzogiorno pomeriggio sera notte giorno giorni settimana settimane weekend mese mesi anno anni",
  "ora ore minuti lunedi martedi mercoledi giovedi venerdi sabato domenica festivi festivo natale pasqua vacanze estate inverno prima dopo fino",
  "tra mezzo mezza uno una due tre quattro cinque sei sette otto nove dieci dodici venti piu meno molto prezzo prezzi costa costano quanto",
  "economico caro cara grande piccolo piccola lungo corto veloce nuovo vecchio usato rosso blu verde nero bianco giallo grigio bambino bambini",
  "adulto adulti bebe studente studenti anziani famiglia gruppo gruppi persona persone gente entrambi tutti tutte ogni altro altra altri altre",
  "stesso primo secondo ultimo prossimo telefono mail quelle quelli",
  "vandaag morgen gisteren nu later straks ochtend middag avond nacht dag dagen week weken weekend maand maanden jaar jaren uur uren minuten",
  "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag feestdag feestdagen kerst pasen vakantie zomer winter voor na tot sinds tussen",
  "half een twee drie vier vijf zes zeven acht negen tien twaalf twintig meer minder veel prijs prijzen kost kosten goedkoop goedkoper duur",
  "duurder groot groter klein kleiner lang langer kort snel sneller nieuw oud gebruikt rood blauw groen zwart wit geel grijs kind kinderen",
  "volwassene volwassenen baby student studenten ouderen gezin groep groepen persoon personen mensen beide alle elke ander andere zelfde eerste",
  "tweede laatste volgende ongeveer precies telefoon mail",
  "hoje amanha ontem agora tarde cedo logo manha meio-dia noite dia dias semana semanas mes meses ano anos hora horas minutos segunda terca",
  "quarta quinta sexta sabado domingo feriado feriados natal pascoa ferias verao inverno antes depois ate desde entre meio meia um uma dois",
  "duas tres quatro cinco seis sete oito nove dez doze vinte mais menos muito preco precos custa custam quanto barato barata caro cara grande",
  "pequeno pequena longo curto rapido novo velho usado vermelho azul verde preto branco amarelo cinza crianca criancas adulto adultos bebe",
  "estudante estudantes idosos familia grupo grupos pessoa pessoas gente ambos todos todas cada outro outra outros outras mesmo primeiro",
  "segundo ultimo proximo telefone email",
);
