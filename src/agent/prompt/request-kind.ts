/** What a request wants, as far as its words tell, in English, Chinese, German, and Spanish. */

/** Characters that are read: the beginning of a request states what it is about. */
const MAX_LENGTH = 2_000;

/** Changes something. */
const CHANGES =
  /(?<![\p{L}\p{N}])(?:add|append|adjust|build|change|clean|convert|copy|correct|create|delete|draw|duplicate|edit|extend|fill|fix|format|generate|implement|improve|insert|install|make|merge|modify|move|paste|prepend|put|refactor|remove|rename|reorder|replace|rewrite|save|set|shorten|sort|split|store|translate|update|write|ändere|aktualisiere|bau|baue|benenne|entferne|ergänze|ersetze|erstelle?|erzeuge|füge|generiere|kopiere|korrigiere|lösche|mach|mache|programmiere|repariere|schreibe?|setze|sortiere|speichere?|übersetze|verbessere|verschiebe|actualiza|agrega|añade|borra|cambia|copia|corrige|crea|elimina|escribe|genera|guarda|haz|mejora|modifica|mueve|ordena|pon|reemplaza|renombra|sustituye|traduce)(?![\p{L}\p{N}])|写|改|加|删|换|创建|新建|生成|做|修复|保存|复制|移动|插入|翻译|重命名|合并|排序|格式化/iu;

/** Asks a question, or for information. */
const ASKS =
  /[?？]|(?<![\p{L}\p{N}])(?:tell (?:me|us)|let (?:me|us) know|show (?:me|us)|say (?:what|which|how|who|when|where|why|whether)|explain|describe|summari[sz]e|list|count|compare|find out|what|which|how many|how much|who|when|where|why|nenne?|sag|sage|zeige?|erkläre?|beschreibe|zähle|vergleiche|fasse|wie viele|welche[rsnm]?|was|wer|wann|wo|warum|dime|dinos|muestra|explica|describe|resume|cuenta|compara|cuántos|qué|cuál|quién|cuándo|dónde)(?![\p{L}\p{N}])|告诉|说明|解释|描述|总结|列出|比较|多少|哪|谁|什么|几个/iu;

/** Says, at the beginning of a clause, that the user is to be asked. */
const ASKS_BACK =
  /(?:^|[.!?;,:\n]\s*|(?<![\p{L}\p{N}])(?:please|first|then|and|always|bitte|zuerst|dann|und|por favor|primero|luego|y)\s+)(?:ask (?:me|us|the user)|frage? (?:mich|uns)|pregúntame|pregúntanos)(?![\p{L}\p{N}])|问我|询问用户|问用户/iu;

/** Returns whether a request wants an answer, and no change of anything. */
export function wantsAnswer(request: string): boolean {
  const text = request.slice(0, MAX_LENGTH);
  return ASKS.test(text) && !CHANGES.test(text);
}

/** Returns whether a request says that the user is to be asked something first. */
export function wantsQuestion(request: string): boolean {
  return ASKS_BACK.test(request.slice(0, MAX_LENGTH));
}

/** A path with an ending, or from the root. */
const PATH =
  /(?<![\p{L}\p{N}._/-])\/?[\p{L}\p{N}_-][\p{L}\p{N}_./-]*\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])/gu;
/** Maximum number of paths of a request. */
const MAX_PATHS = 10;

/** Returns the file names and paths that a request contains, in its order, each once. */
export function pathsIn(request: string): string[] {
  const paths = request.slice(0, MAX_LENGTH).match(PATH) ?? [];
  return [...new Set(paths)].filter((path) => !path.includes('..')).slice(0, MAX_PATHS);
}
