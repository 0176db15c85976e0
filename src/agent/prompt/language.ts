import { lazy } from '../../core/lazy.js';

/** Minimum letters of a text: "ok" and "continue" do not reveal a language. */
const MIN_LETTERS = 12;
/** Maximum characters that are read. */
const MAX_DETECTED = 4_000;
/** Letters that one ideograph counts as. */
const MIN_IDEOGRAPHS = 4;

/** Scripts of a single language, or nearly. Japanese comes before Chinese, because it mixes its syllables with Chinese characters. */
const SCRIPTS = lazy((): readonly (readonly [string, RegExp])[] => [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['Chinese', /\p{Script=Han}/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Thai', /\p{Script=Thai}/gu],
  ['Hindi', /\p{Script=Devanagari}/gu],
]);

/** Function words of each language. Nearly every sentence has some, and together they occur in no other language. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  English:
    'the a an and or of to in on for with is are was be it its this that these you your i my me we can could would please what how why do does from at by as not have has make add all into which who when',
  German:
    'der die das den dem ein eine einen einem einer und oder zu zum zur im in auf für mit ist sind war es dies diese dieser ich du mir mich mein meine wir kann könntest bitte was wie warum von vom bei aus nicht noch nach auch wenn dass mach wer hat sich',
  French:
    "le la les un une des du de et ou à au aux en dans sur pour avec est sont c'est il elle ce cette ces je tu vous nous mon ma mes peux pouvez quel quelle que qui comment pourquoi pas ne plus moi fait faire s'il",
  Spanish:
    'el la los las un una unos del de y o a al en sobre para por con es son está este esta estos yo tú tu mi mis me nos puedes podrías cómo qué que cuál quién no más haz hacer se lo hay tengo quiero como',
  Italian:
    'il lo la i gli le un una uno del della dei di e o a al alla in nel nella su per con è sono questo questa io tu mi mio mia puoi potresti come che cosa perché non più fai fare chi quale ho vorrei',
  Portuguese:
    'o a os as um uma do da dos das de e ou ao à em no na nos nas para por com é são está este esta isto eu você meu minha me pode poderia como que qual quem não mais faça fazer uns quero tem',
  Dutch:
    'de het een en of van naar in op voor met is zijn was dit dat deze die ik jij je mij mijn we kan kun kunt wat hoe waarom niet ook maak te om bij uit er aan wil graag',
  Polish:
    'i w na z do że to jest są nie się jak co czy dla od po o ten ta te mi mój moja proszę możesz który która kto dlaczego jestem mam przez oraz lub zrób',
};

const CYRILLIC = lazy(() => /\p{Script=Cyrillic}/gu);
const UKRAINIAN = /[іїєґ]/iu;

const INDEX = lazy(() => indexed(SMALL_WORDS));

/**
 * Detects the natural language of a text by its script and function words. Returns its English name ("German"), or null for short or
 * mixed texts. Code, paths, and links are ignored.
 */
export function detectLanguage(text: string): string | null {
  const prose = text
    .slice(0, MAX_DETECTED)
    .replace(/```[^`]*```|`[^`\n]*`|https?:\/\/\S+|\S*[/\\]\S*|\b[\w-]+\.\w{1,5}\b/g, ' ');
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return null;
  for (const [language, script] of SCRIPTS()) {
    const found = prose.match(script)?.length ?? 0;
    const enough = language === 'Japanese' ? found >= 2 : found >= MIN_IDEOGRAPHS && found / letters > 0.3;
    if (enough) return language;
  }
  if (letters < MIN_LETTERS) return null;
  if ((prose.match(CYRILLIC())?.length ?? 0) / letters > 0.5)
    return UKRAINIAN.test(prose) ? 'Ukrainian' : 'Russian';
  return byWords(prose.toLowerCase().match(/[\p{L}']+/gu) ?? []);
}

/** Returns the language with the most function words, if it is well ahead of the next. */
function byWords(words: readonly string[]): string | null {
  const scores = new Map<string, number>();
  for (const word of words) {
    const languages = INDEX().get(word) ?? [];
    // A word of two languages counts half for each.
    for (const language of languages)
      scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const ranked = [...scores].sort(([, a], [, b]) => b - a);
  const [best, second] = ranked;
  if (best === undefined || best[1] < 1) return null;
  return best[1] >= (second?.[1] ?? 0) * 1.5 ? best[0] : null;
}

function indexed(lists: Readonly<Record<string, string>>): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const [language, list] of Object.entries(lists)) {
    for (const word of list.split(' ')) index.set(word, [...(index.get(word) ?? []), language]);
  }
  return index;
}
