/**
 * What a message to the user claims to be done, in English and Chinese. A claim is found only where the sentence leaves little doubt: a false
 * alarm costs a call of the model.
 */

/** What is known to have happened. */
export interface Confirmed {
  /** Paths that were created, changed, or removed. */
  paths: readonly string[];
  /** Tests may have run. */
  tests: boolean;
}

const DONE =
  'created|written|wrote|saved|stored|copied|updated|changed|modified|edited|replaced|added|inserted|appended|deleted|removed|renamed|moved|fixed|corrected|rewritten|rewrote|generated|implemented';
/** A finished action, and not of the user: at the start of a sentence, of the model, or in the passive voice. */
const ENGLISH: readonly RegExp[] = [
  new RegExp(String.raw`^\W*(?:successfully )?(?:${DONE})\b`, 'i'),
  new RegExp(String.raw`\b(?:I|we)(?:['’]ve| have)?(?: now| also| just| successfully)* (?:${DONE})\b`, 'i'),
  new RegExp(
    String.raw`\b(?:has|have|is|are|was|were)(?: now| been| also| successfully)* (?:${DONE})\b`,
    'i',
  ),
];
/** Negations, possibilities, plans, earlier times, and actions of others. */
const NO_ENGLISH =
  /n['’]t\b|\b(?:not|never|no|none|nothing|cannot|could|should|would|will|shall|may|might|must|can|if|when|unless|until|before|earlier|previously|originally|ago|last|already|by|please|want|whether|says?)\b|\b(?:you|user)(?:['’]ve| have| had)? \w+ed\b|\?\s*$/i;
const CHINESE =
  /(?:已经?|成功|刚刚?)[^，。；]{0,16}?(?:创建|写入|写好|保存|存储|修改|更改|改为|改成|更新|编辑|替换|添加|插入|删除|移除|重命名|移动|复制|修复|生成)|(?:创建|写入|写好|保存|修改|更改|更新|编辑|替换|添加|删除|移除|重命名|移动|复制|修复|生成|做好)好?了/;
const NO_CHINESE =
  /没|未|不|无法|无需|如果|将[会要在]|我将|会|可以|应该|请|需要|您|用户|之前|原来|早先|吗|[？?]\s*$/;

const TESTS =
  /\btests? (?:all )?(?:now )?(?:pass(?:ed|es)?|succeed(?:ed)?|(?:have|has) (?:all )?(?:passed|been run|run)|(?:are|is) (?:passing|green)|(?:were|was) run)\b|\b(?:I|we)(?:['’]ve| have)? (?:ran|run|executed) (?:\w+ ){0,3}tests?\b|(?:运行|执行|跑)[了过][^，。]{0,8}测试|测试[^，。不没未]{0,6}(?:通过|成功)/i;
/** Something in the workspace that has no path. */
const NOUN = /\b(?:files?|script|document|spreadsheet|readme)\b|文件|脚本|文档/i;

/** A path with a folder, or a name with the extension of a file. */
const PATH =
  /(?:\/?[\p{L}\p{N}_@.-]+)?(?:\/[\p{L}\p{N}_@.-]+)*\/?[\p{L}\p{N}_@-]+\.(?:html?|css|[jt]sx?|mjs|json|mdx?|txt|csv|py|svg|xml|ya?ml|toml|sh|sql|ini|log|pdf|png|jpe?g|gif|docx?|xlsx?|zip|java|c|cpp|h|rs|go|rb|php|vue|svelte|tex|env|cfg|conf)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}/:.])\/[\p{L}\p{N}_@.-]+(?:\/[\p{L}\p{N}_@.-]+)*/giu;
/** Addresses, code, and names of libraries that look like files. */
const NO_PATH = /```[\s\S]*?(?:```|$)|https?:\/\/\S+|\b(?:node|vue|next|nuxt|three|react|d3|express)\.js\b/gi;

/** Returns the first sentence of a message that claims what is not confirmed; null for no such sentence. */
export function unconfirmedClaim(message: string, confirmed: Confirmed): string | null {
  const sentences = message
    .replace(NO_PATH, ' ')
    .split(/(?<=[。！？；])|(?<=[.!?;])\s+|\n+/)
    .map((sentence) => sentence.trim());
  return sentences.find((sentence) => sentence !== '' && !isConfirmed(sentence, confirmed)) ?? null;
}

function isConfirmed(sentence: string, { paths, tests }: Confirmed): boolean {
  const isEnglish = !NO_ENGLISH.test(sentence);
  const isChinese = !NO_CHINESE.test(sentence);
  if (!tests && isEnglish && isChinese && TESTS.test(sentence)) return false;
  const isClaim =
    (isEnglish && ENGLISH.some((form) => form.test(sentence))) || (isChinese && CHINESE.test(sentence));
  if (!isClaim) return true;
  const named = sentence.match(PATH) ?? [];
  if (named.length === 0) return paths.length > 0 || !NOUN.test(sentence);
  return named.some((path) => paths.some((changed) => isSame(path, changed)));
}

/** Returns whether a named path means a changed one: the same name, or a folder of it. */
function isSame(named: string, changed: string): boolean {
  const path = named.replace(/^\.?\/+|[/.]+$/g, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `${changed}/`.includes(`/${path}/`) || changed.endsWith(`/${name}`);
}
