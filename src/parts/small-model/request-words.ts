/** What a request wants, as far as its words tell, in English, Chinese, German, and Spanish. */
import { lazy } from '../../core/lazy.js';

/** Characters that are read: the beginning of a request states what it is about. */
const MAX_LENGTH = 2_000;

/** Changes something. */
export const CHANGES = lazy(
  () =>
    /(?<![\p{L}\p{N}])(?:add|append|adjust|build|change|clean|convert|copy|correct|create|delete|draw|duplicate|edit|extend|fill|fix|format|generate|implement|improve|insert|increase|install|lower|make|merge|modify|move|paste|prepend|put|raise|reduce|refactor|remove|rename|reorder|replace|rewrite|save|set|shorten|sort|split|store|translate|update|write|ändere|aktualisiere|bau|baue|benenne|entferne|ergänze|ersetze|erstelle?|erzeuge|füge|generiere|kopiere|korrigiere|lösche|mach|mache|programmiere|repariere|schreibe?|setze|sortiere|speichere?|übersetze|verbessere|verschiebe|actualiza|agrega|añade|borra|cambia|copia|corrige|crea|elimina|escribe|genera|guarda|haz|mejora|modifica|mueve|ordena|pon|reemplaza|renombra|sustituye|traduce)(?![\p{L}\p{N}])|写|改|加|删|换|创建|新建|生成|做|修复|保存|复制|移动|插入|翻译|重命名|合并|排序|格式化/iu,
);

/** Adds something to a file. A model with 1.5 billion parameters appends for any change where that is offered. */
export const ADDS = lazy(
  () =>
    /(?<![\p{L}\p{N}])(?:add|append|enter|extend|insert|log|note|put|record|remember|save|store|write)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:ergänz|erweiter|füg|häng|merk|notier|schreib|speicher|trag|agreg|anot|añad|apunt|escrib|guard|insert)|写|加|添|插入|记|存/iu,
);

/** Adds something at the end. */
export const APPENDS = lazy(
  () =>
    /(?<![\p{L}\p{N}])(?:append|(?:at|to) the (?:very )?(?:end|bottom)|am ende|ans ende|(?:an|hinten an)hängen|al final|agrega al)(?![\p{L}\p{N}])|末尾|结尾|最后加|追加/iu,
);

/** Has to do with the present time. */
export const TIME = lazy(
  () =>
    /(?<![\p{L}\p{N}])(?:today|tonight|tomorrow|yesterday|now|currently|current|(?:this|last|next) (?:week|month|year)|ago|how (?:old|long)|what (?:time|day|date|year)|the (?:date|day|time)|age|calendar|clock|deadline|timestamp|heute|morgen|gestern|jetzt|aktuell\p{L}*|datum|uhrzeit|zeit|wie (?:alt|lange)|hoy|mañana|ayer|ahora|actual|fecha|hora|edad)(?![\p{L}\p{N}])|今天|明天|昨天|现在|当前|目前|时间|日期|几点|今年|本月|本周|年龄/iu,
);

/** Asks a question, or for information. */
const ASKS = lazy(
  () =>
    /[?？]|(?<![\p{L}\p{N}])(?:tell (?:me|us)|let (?:me|us) know|show (?:me|us)|say (?:what|which|how|who|when|where|why|whether)|explain|describe|summari[sz]e|list|count|compare|confirm|find out|keep in mind|note that|remember|what|which|how many|how much|who|when|where|why|nenne?|sag|sage|zeige?|erkläre?|beschreibe|zähle|vergleiche|fasse|wie viele|welche[rsnm]?|was|wer|wann|wo|warum|bestätige?|merke? dir|dime|confirma|recuerda|dinos|muestra|explica|describe|resume|cuenta|compara|cuántos|qué|cuál|quién|cuándo|dónde)(?![\p{L}\p{N}])|告诉|说明|解释|描述|总结|列出|比较|多少|哪|谁|什么|几个|记住|确认/iu,
);

/** Says, at the beginning of a clause, that the user is to be asked. */
const ASKS_BACK = lazy(
  () =>
    /(?:^|[.!?;,:\n]\s*|(?<![\p{L}\p{N}])(?:please|first|then|and|always|bitte|zuerst|dann|und|por favor|primero|luego|y)\s+)(?:ask (?:me|us|the user)|frage? (?:mich|uns)|pregúntame|pregúntanos)(?![\p{L}\p{N}])|问我|询问用户|问用户/iu,
);

/** Returns whether a request wants an answer, and no change of anything. */
export function wantsAnswer(request: string): boolean {
  const beginning = request.slice(0, MAX_LENGTH);
  const text = withoutPaths(beginning);
  return ASKS().test(text) && !CHANGES().test(text) && !TARGET().test(beginning);
}

/** Returns whether a request says that the user is to be asked something first. */
export function wantsQuestion(request: string): boolean {
  return ASKS_BACK().test(request.slice(0, MAX_LENGTH));
}

/** An example of what is wanted: "only the number, such as 9.99". */
const EXAMPLE = lazy(
  () =>
    /(?:(?<![\p{L}\p{N}])(?:such as|for example|e\.g\.|zum Beispiel|z\. ?B\.|etwa|por ejemplo)|例如|比如)[\s:,，：]*["“'`]?([\p{L}\p{N}][\p{L}\p{N}.,:/%-]{0,30})/giu,
);

/** Returns the examples of a request that have a digit: others are often what is wanted. */
export function examplesIn(request: string): string[] {
  const examples = Array.from(request.matchAll(EXAMPLE()), ([, example = '']) =>
    example.replace(/[.,:]+$/u, ''),
  );
  return examples.filter((example) => /\p{N}/u.test(example));
}

/** An address of a page. */
export const URL_IN_TEXT = lazy(() => /https?:\/\/[^\s<>"'()，。；]+[^\s<>"'()，。；.,;:!?]/iu);

/** A path with an ending, or from the root. */
const PATH = lazy(
  () => /(?<![\p{L}\p{N}._/-])\/?[\p{L}\p{N}_-][\p{L}\p{N}_./-]*\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])/gu,
);
/** Precedes a path in which the result is wanted. */
const INTO = lazy(
  () =>
    /(?<![\p{L}\p{N}])(?:in|into|to|as|nach|en|a)(?: (?:the|a|new|file|die|der|eine|neue|datei|el|un|archivo))*|到|入|成/iu,
);
/** Precedes a path of which something is wanted. */
const OUT_OF = lazy(() => /(?:(?<![\p{L}\p{N}])(?:of|from|aus|von|de|del)|从|中)[\s"'`]*$/iu);
/** Precedes a path that is left out: "everywhere, except in /history.md". */
const EXCEPT = lazy(
  () =>
    /(?:(?<![\p{L}\p{N}])(?:except|excluding|apart from|other than|but not|außer|ausgenommen|bis auf|aber nicht|excepto|salvo|menos|pero no)(?:(?: (?:for|in|of|the|file|those|that|der|die|das|den|dem|datei|für|von|de|en|el|la|archivo|los|las)){0,3})|除了?|不包括)[\s:"'`]*$/iu,
);
/** Precedes or follows a path that is not to be changed, unless an exception follows: "Do not change /config.json". */
const UNTOUCHED = lazy(
  () =>
    /(?:(?<![\p{L}\p{N}])(?:do not|don['’]t|never|without|no|ohne|sin)(?: to)? (?:chang(?:e|ing)|touch(?:ing)?|edit(?:ing)?|modify(?:ing)?|alter(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|overwrit(?:e|ing)|cambi(?:es|ar)|modifi(?:ques|car)|edit(?:es|ar)|toques?|tocar|borr(?:es|ar))(?:(?: (?:the|a|file|el|la|archivo|anything|nada|in|en)){0,3})|(?:不要|别|不得|不能)(?:修改|更改|改动|改|动|删除)(?:文件)?)[\s:"'`]*$/iu,
);
const NOT_CHANGED = lazy(
  () => /^["'`]?\s*(?:nicht(?:s)?(?: (?:ge|ver)?änder[tn]| an(?:fassen|rühren)| bearbeiten)|保持不变)/iu,
);
const EXCEPTION = lazy(
  () =>
    /^["'`]?,?\s*(?:except|excluding|but|unless|until|apart from|other than|außer|ausgenommen|bis auf|es sei denn|salvo|excepto|menos|a no ser|除)/iu,
);
/** Separates the paths of a list. */
const BETWEEN = lazy(
  () =>
    /^["'`]?\s*(?:(?:,|、|，|(?<![\p{L}\p{N}])(?:and|or|und|oder|y|o|e)(?![\p{L}\p{N}])|和|或|与)\s*(?:in|the|file)?\s*)+["'`]?$/iu,
);
/** Names that are written like a file. */
const LIBRARY = /^(?:node|vue|next|nuxt|three|react|d3|express|p5|chart|ember|backbone|alpine)\.js$/i;
/** A second path, in which the result is wanted: "Sum up /mail.txt in /summary.md". */
export const TARGET = lazy(
  () =>
    new RegExp(
      String.raw`${PATH().source}[^!?！？。]*?(?:${INTO().source})[\s"'\x60]*${PATH().source}`,
      'iu',
    ),
);
/** Maximum number of paths of a request. */
const MAX_PATHS = 10;

/** Returns a request without the words in its paths: `/list/index.html` asks for no list. */
export function withoutPaths(request: string): string {
  return request.replace(PATH(), ' ');
}

/** Returns the paths of a request of which something is wanted, as they are written. */
export function sourcesIn(request: string): string[] {
  return matchesIn(request)
    .filter(({ before }) => OUT_OF().test(before))
    .map(({ path }) => path);
}

/** Returns the paths that a request leaves out or does not want to be changed, as they are written. */
export function untouchedIn(request: string): string[] {
  return matchesIn(request)
    .filter(
      ({ isLeftOut, before, after }) =>
        isLeftOut || ((UNTOUCHED().test(before) || NOT_CHANGED().test(after)) && !EXCEPTION().test(after)),
    )
    .map(({ path }) => path);
}

/** Returns the file names and paths that a request contains, in its order, each once, without those that it leaves out. */
export function pathsIn(request: string): string[] {
  const paths = matchesIn(request.slice(0, MAX_LENGTH))
    .filter(({ isLeftOut }) => !isLeftOut)
    .map(({ path }) => path);
  return [...new Set(paths)].filter((path) => !path.includes('..')).slice(0, MAX_PATHS);
}

/** A path in a text. */
interface PathMatch {
  path: string;
  before: string;
  after: string;
  /** It follows an "except", or a path that does. */
  isLeftOut: boolean;
}

function matchesIn(text: string): PathMatch[] {
  let end = 0;
  let isLeftOut = false;
  const matches: PathMatch[] = [];
  for (const { 0: path, index } of text.matchAll(PATH())) {
    if (LIBRARY.test(path)) continue;
    const before = text.slice(0, index);
    isLeftOut = EXCEPT().test(before) || (isLeftOut && BETWEEN().test(text.slice(end, index)));
    end = index + path.length;
    matches.push({ path, before, after: text.slice(end), isLeftOut });
  }
  return matches;
}
