import { lazy } from '../../core/lazy.js';

/** Category of a request. */
export type Category = 'QUICK' | 'SEARCH' | 'TASK' | 'AMBIGUOUS';

/** Characters that are read: the beginning of a request states what it is about. */
const MAX_CATEGORIZED = 2_000;
/** Maximum characters of a greeting. */
const MAX_SHORT = 80;

/**
 * Classifies a request by its words, in English, Chinese, German, and Spanish; null when only a model can tell, such as for most requests in other languages. A path, a link, or earlier
 * work makes a task; a question without them does not. A vague request is for the model, too, which then asks what is meant.
 *
 * @param canSearch The role has a search tool: a question for a fact is for the model, which knows whether the fact may have changed.
 * @example requestCategory('What is in /notes/today.md?') // 'TASK'
 */
export function requestCategory(request: string, canSearch = false): Exclude<Category, 'AMBIGUOUS'> | null {
  const text = request.slice(0, MAX_CATEGORIZED).toLowerCase().trim();
  // Latin words are matched between spaces; Chinese has no spaces, so its words match anywhere.
  const words = ` ${text
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  const plea = words.replace(PLEA, ' ');
  const says = (listed: () => Words): boolean => {
    const [latin, chinese] = listed();
    return latin.test(plea) || chinese.test(text);
  };
  const asks = /[?？]/.test(text) || says(ASKS);
  const makes = says(MAKE);
  const short = text.length <= MAX_SHORT;
  const greets = short && (GREETING()[0].test(words) || GREETING()[1].test(text));
  if (greets || (short && says(CHAT) && !makes)) return 'QUICK';
  if (namesMaterial(text) || says(WORKSPACE)) return 'TASK';
  const isOfWorld = canSearch && says(FACT);
  if (says(HOW_TO) || CHOICES.test(text)) return says(FRESH) || isOfWorld ? null : 'QUICK';
  if (says(EARLIER_WORK) || says(RUN) || (makes && says(PRODUCT)) || (!asks && says(LOOKS))) return 'TASK';
  const recent = says(RECENT) && !makes && !says(PERSONAL);
  if (recent || says(FRESH)) return 'SEARCH';
  if (says(ADVICE) || (says(TRANSLATE) && /["'“‘«„「]/.test(text))) return 'QUICK';
  // A question mark alone is not enough: in another language, the words before it may ask for work.
  return says(ASKS) && !says(UNSEEN) && !canSearch ? 'QUICK' : null;
}

/** Words of languages with spaces, and of Chinese. */
type Words = readonly [latin: RegExp, chinese: RegExp];

const LINK = /https?:\/\/|\bwww\./;
/** `/notes/today.md`, `src/`, `photos/holiday`, but neither `3/4` nor `and/or`. */
const PATH_IN_REQUEST = lazy(
  () =>
    /(?:^|[\s"'“”«（(`:：])(?:~|\.{1,2})?\/[\w.-]+|[\w-]\/(?=[\s,;.)]|$)|[\p{L}_-][\w-]{2,}\/[\w-]{3,}\.[a-z]/u,
);
const FILE = lazy(
  () =>
    /[\p{L}\p{N}_-]\.(?:c|cpp|cs|css|csv|docx?|go|html?|ini|ipynb|java|jpe?g|js|json|jsx|log|md|mjs|pdf|php|png|py|rb|rs|sh|sql|svg|tex|toml|ts|tsx|txt|vue|xlsx?|xml|ya?ml|zip)(?!\w)/gu,
);
/** Names of libraries that look like files. */
const LIBRARY = /\b(?:node|next|nuxt|vue|three|express|d3|react|chart|p5|socket|discord|alpine|ember)\.js\b/g;

/** A file, a path or a link to work on. */
function namesMaterial(text: string): boolean {
  if (LINK.test(text) || PATH_IN_REQUEST().test(text)) return true;
  return text.replace(LIBRARY, '').search(FILE()) >= 0;
}

/** Polite words before the request. */
const PLEA =
  / (?:please|pls|plz|kindly|just|now|hey|hi|hello|ok|(?:can|could|would|will) (?:you|u)(?: please)?|id like you to|i (?:want|need) you to|bitte|mal|doch|kannst du(?: mir)?|könntest du|könnten sie|würdest du|por favor|puedes|podrías|podrias|me puedes|me podrías|podría|puede|oye) /g;

/** Nothing but a greeting or thanks. */
const GREETING = lazy((): Words => [
  /^ (?:(?:hi|hey|hello|yo|good (?:morning|afternoon|evening|night)|thanks?|thank you|thx|ty|cheers|bye|goodbye|ok|okay|cool|great|nice|moin|hallo|guten (?:morgen|tag|abend)|servus|grüß gott|danke|tschüss?|super|hola|buenas|buenos días|buenas (?:tardes|noches)|gracias|muchas gracias|adiós|hasta luego|vale|so much|a lot|very much|schön|dir|there|all|everyone|zusammen|qué tal|que tal|whats up|how are you|wie gehts|wie geht es dir) )+$/,
  // No part begins with another, or the pattern would take exponential time.
  /^(?:嗨|哈喽|在吗|在么|在不在|早上|上午|中午|下午|晚上|晚安|谢谢|多谢|感谢|辛苦|再见|拜拜|[你您好的嗯啊呀啦了!！。,，~～?？\s]|早(?!上))+$/,
]);

/** A few words among people. */
const CHAT = lazy((): Words => [
  / (?:thanks|thank you|thx|lol|haha\S*|danke\S*|gracias|jaja\S*|perfect|perfekt|perfecto|genial) /,
  /谢谢|哈哈|太棒了|厉害|辛苦/,
]);

/** Continues something that exists. */
const EARLIER_WORK = lazy((): Words => [
  / (?:(?:you|we) (?:made|built|wrote|created|just|did)|(?:undo|revert)|(?:in|on|to|from|of) the (?:app|page|game|site|website|form|header|footer|dashboard|button|project)|(?:von|aus) (?:eben|vorhin|gerade)|(?:fehlt|fehlen)(?: \S+){0,4} noch|noch (?:nicht|ein)|que (?:hiciste|creaste|escribiste|acabas)|que me hiciste|in der app|auf der (?:seite|startseite)|en la (?:app|página|pagina|web)|en el (?:juego|formulario|proyecto)) /,
  /刚才|刚刚|之前(?:做|写|建|生成)|你(?:做|写|建|生成)的|上次(?:做|写|那)|撤销|还原|里(?:面)?(?:加|再加|添加|增加)/,
]);

/** Refers to the files of the session. */
const WORKSPACE = lazy((): Words => [
  / (?:in|into|from|under|of|im|in|aus|unter|en|de|del) (?:(?:the|this|my|our|your|dem|der|den|diesem|meinem|la|el|mi|este) )?(?:project|folder|directory|repo|repository|codebase|workspace|projekt|ordner|verzeichnis|code|carpeta|directorio|proyecto|repositorio) /,
  /(?:项目|目录|文件夹|仓库)(?:里|中|下|内)|当前目录/,
]);

/** A question. */
const ASKS = lazy((): Words => [
  /^ (?:so |and |but |und |also |y |pero )?(?:what|whats|which|who|whos|whose|whom|why|how|hows|when|where|is|are|am|was|were|(?:do|have) (?:you|we|i|they|these|those|people|any)|does|did|should|has|welche[rsnm]?|wer|wen|wem|warum|wieso|weshalb|wie|wann|wo|woher|wohin|womit|ist|sind|war|darf|dürfen|muss|soll|gibt|hast|bist|heißt|stimmt|qué|quién|quien|cuál|cual|cuáles|cómo|cuándo|cuando|dónde|donde|cuánto|cuanto|cuánta|cuántos|por qué|para qué|son|puedo|debo|eres|tienes) /,
  /[吗呢么嘛]|怎样|如何|多少|几(?:个|点|次|岁|天)|哪|谁|啥|还是|是不是|能不能|区别|可不可以/,
]);

/** Asks how to do something or what it means: an answer, not work. */
const HOW_TO = lazy((): Words => [
  /^ (?:(?:and |so |but )?(?:how (?:do|does|would|should|can|could|to|is|are|did)|explain|walk me|describe how|outline|whats? (?:is|are|does|the difference)|why (?:is|are|do|does)|should i|wie (?:mache?|würde|würdest|kann|baue?|krieg\S*|bekomm\S*|funktioniert)|erklär\S*|beschreibe?,? wie|was (?:ist|sind|bedeutet|macht)|warum|cómo (?:se|puedo|hago|harías|funciona)|qué (?:es|son|significa|hace)|por qué|expl[ií]ca\S*)) /,
  /从哪里?开始|怎么(?:做|写|办到|实现|学)|如何(?:做|写|实现|学)|会怎么|是什么意思|有什么区别|有啥区别/,
]);

/** Asks for a property of something in the world, not for the meaning of a word. */
const FACT = lazy((): Words => [
  /^ (?:(?:and |so |but )?(?:what(?:s| is| are) the (?!difference|meaning)|was (?:ist|sind) (?:der|die|das) (?!unterschied|bedeutung)|qué (?:es|son) (?:el|la|los|las) (?!diferencia|significado)))/,
  /(?!)/,
]);

/** Multiple choice. */
const CHOICES = /\ba\)\s?\S[^\n]{0,200}\bb\)/;

/** Begins with something only commands can do. */
const RUN = lazy((): Words => [
  /^ (?:run|execute|go to|navigate|visit|click|take a screenshot|npm|npx|git|pip|docker|yarn|pnpm|launch|open|install|deploy|compile|rebuild|rename|delete|remove|move|copy|download|führ(?:e|en)?|starte?n?|öffne|installiere?|lösche?|entferne?|benenne?|verschiebe?|kopiere?|geh auf|ejecuta|corre|abre|instala|borra|elimina|renombra|mueve|copia|descarga|entra en|ve a|haz clic|compila) /,
  /^(?:请|麻烦|帮我|帮忙|你)*(?:跑一下|git |npm |点击|跑|运行|执行|打开|安装|部署|删掉|删除|重命名|移动|复制|下载)/,
]);

/** Makes or changes something. */
const MAKE = lazy((): Words => [
  / (?:build|create|make|write|code|implement|develop|generate|add|set up|setup|scaffold|draw|put|convert|design|prototype|wire|refactor|want|need|like|merge|combine|rewrite|fix|bau|baue|bauen|erstelle?n?|schreibe?n?|mach|mache|machen|programmiere?n?|entwickle?n?|entwirf|generiere?n?|füge?|ergänze?n?|zeichne|leg|lege|initialisiere?|crea|crear|créame|haz|hazme|hacer|escribe|escribir|escríbeme|construye|desarrolla|programa|genera|generar|agrega|añade|dibuja|diseña|montar?|junta|une|combina|gustaría|quiero|necesito|brauche|hätte|möchte|will|wäre toll|fände|kombiniere?|zusammenführen) /,
  /做|写|建|开发|实现|生成|弄|搞|搭|画|加|设计|想要|来个|来一个|合并|改成|换|提交|修复|导出|整理/,
]);

/** Things that consist of files. */
const PRODUCT = lazy((): Words => [
  / (?:\S*(?:website|webseite|homepage|landingpage|startseite)|web ?app|web ?site|site|sitio|(?:web)?pages?|página|pagina|web|app|apps|aplicación|application|anwendung|game|spiel|juego|tool|werkzeug|herramienta|script|skript|program|programm|programa|project|projekt|proyecto|component|komponente|componente|button|knopf|botón|form|formular|formulario|dashboard|api|server|servidor|backend|frontend|cli|bot|file|files|datei|dateien|archivo|archivos|folder|ordner|carpeta|readme|csv|json|svg|html|logo|icon|presentation|präsentation|presentación|slides|slideshow|spreadsheet|tests?|calculator|taschenrechner|rechner|calculadora|timer|clock|uhr|reloj|countdown|todo|lista de tareas|aufgabenliste|snake|tetris|2048|pong|quiz|cuestionario|chart|diagramm|gráfico|portfolio|blog|shop|tienda|novel|roman|novela|kapitel|chapters?|capítulos?|extension|erweiterung|extensión|plugin|menu|menú|menü|navbar|toggle|modal|dropdown|search box|dark mode|login) /,
  /网站|网页|页面|主页|首页|应用|程序|游戏|工具|脚本|项目|组件|按钮|表单|仪表盘|接口|服务|文件|目录|readme|csv|json|svg|html|logo|图标|ppt|幻灯片|表格|测试|计算器|计时器|时钟|倒计时|清单|贪吃蛇|俄罗斯方块|2048|图表|博客|商城|小说|章|插件|菜单|导航|弹窗|登录|地球|api|demo/,
]);

/** Parts of a page, which are mentioned when a page exists. */
const LOOKS = lazy((): Words => [
  / (?:headers?|footer|side ?bar|nav ?bar|buttons?|link|layout|font|background|colou?rs?|accent|page|spacing|login|knopf|schriftart|hintergrund|farbe|seite|seitenleiste|animation|botón|barra lateral|fondo|fuente|enlace|formulario|página|nivel|level|personaje|spiel|game|juego) /,
  /按钮|颜色|背景|字体|布局|侧边栏|页面|标题栏|控制台/,
]);

/** Needs the web. */
const FRESH = lazy((): Words => [
  / (?:latest|newest|news|headlines?|whats new|what is new|as of today|this (?:week|month|year)s?|weather|forecast|stock price|exchange rate|recent (?:papers?|studies|research|articles?|news)|search (?:the web|online|for)|look up|current (?:price|version|rate|score|status of)|google|nachrichten|neueste[nrs]?|aktuelle[nrs]?|neue (?:studien|artikel)|derzeit|wetter|wechselkurs|noticias|últim[oa]s?|ultim[oa]s?|busca(?:me)? en|artículos recientes|precio de|vuelos|tiempo (?:hará|hace)|pronóstico|cotización) /,
  /最新|新闻|天气|股价|汇率|搜索|搜一下|查一下|查查|查询|近期|比分|比赛结果|票房|政策.{0,6}调整/,
]);

/** Refers to a point in time. */
const RECENT = lazy((): Words => [
  / (?:today|tonight|tomorrow|yesterday|currently|last (?:night|week|month|year|sunday|monday|tuesday|wednesday|thursday|friday|saturday)|this (?:morning|weekend|season|summer|winter)|these days|right now|at the moment|recently|heute|morgen|gestern|gerade|momentan|zurzeit|diesen monat|diese woche|aktuell|am wochenende|letzte[rsn]? (?:woche|nacht|monat)|dieses jahr|hoy|mañana|ayer|anoche|esta (?:semana|noche)|este (?:año|mes|fin)|ahora mismo|actualmente|actual) /,
  /今天|明天|昨天|昨晚|今晚|今年|本周|这周|这个月|最近|现在.{0,12}(?:价|多少钱|几)|目前/,
]);

/** Personal or hypothetical days, which need no web search. */
const PERSONAL = lazy((): Words => [
  / (?:i|im|ive|my|ich|mein\S*|mir|yo|mi|mis|tengo|quiero) |^ (?:if|wenn|falls|si|suppose) /,
  /我|如果|假如/,
]);

/** Points at something that may not exist. */
const UNSEEN = lazy((): Words => [
  / (?:this|that|these|those|attached|above|below|the (?:document|text|file|code|report|article|table|image|error|contract|data)|dies\S*|anbei|angehängt|obige\S*|d(?:er|ie|as|en) (?:dokument|text|datei|code|bericht|artikel|tabelle|bild|fehler|vertrag)|est[aeo]s?|es[aeo]s?|adjunt\S*|otr[oa]s?|damit|davon|dazu|the other|ones|it|el (?:documento|texto|archivo|código|informe|artículo|contrato|error)) /,
  /这个|这段|这份|这篇|那个|那段|那份|附件|上面|下面|^哪个|报错了/,
]);

/** Advice, explanations, and short texts: an answer, not work. */
const ADVICE = lazy((): Words => [
  / (?:explain|tell me (?:about|a joke|how|why|what)|describe|walk me through|give me (?:an? )?(?:ideas?|tips?|advice|example|overview)|difference between|recommend|suggest|help me (?:plan|decide|understand|choose)|regex|list comprehension|one liner|haiku|jokes?|poem|limerick|slogans?|synonyms?|name (?:three|two|five|some|a few)|learning plan|study plan|erklär\S*|beschreib\S*|nenne?|gedicht|synonyme?|gruß|\S+gruß|lernplan|unterschied|empfiehl|empfehl\S*|schlag\S* vor|witz|tipps?|ideen|rezept|expl[ií]ca\S*|dime (?:dos|tres|cuatro|cinco)|poema|diferencia entre|recomienda\S*|recomiéndame|dame (?:ideas|consejos)|consejos|chiste|plan (?:de|para) \S+|receta) /,
  /讲讲|说说|解释|介绍|推荐|建议|规划|计划|作息|笑话|有什么区别|攻略|怎么看|聊聊|诗|绝句|成语|祝福|想.{0,4}个.{0,12}名字|写法/,
]);

/** Translates. */
const TRANSLATE = lazy((): Words => [
  / (?:translate|übersetze?|traduce|traducir|rewrite|rephrase|umformuliere?n?|reformula) /,
  /翻译|改写/,
]);
