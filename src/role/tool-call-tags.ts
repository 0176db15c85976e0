/** One call; `arguments` is JSON text or the parameters by name. */
export interface TaggedCall {
  name: string;
  arguments: string | Record<string, string>;
}

const CALL = /<(?:(?:function|tool)=|(?:invoke|function|tool)\s+name=)["']?([\w.:-]{1,128})["']?\s*>/g;
const CALL_END = /<\/(?:function|invoke|tool)>/g;
const PARAMETER = /<parameter(?:=|\s+name=)["']?([\w.-]{1,128})["']?\s*>/g;
const PARAMETER_END = '</parameter>';

/**
 * Calls written as tags that carry the name themselves, as models trained on such a format do whatever the prompt asks for:
 * `<function=Editor.read>{"path": "/a"}</function>`, `<invoke name="Editor.read"><parameter name="path">/a</parameter></invoke>`.
 * Only calls that directly follow each other belong together. Null when there is none.
 */
export function readToolTags(text: string): { start: number; calls: TaggedCall[] } | null {
  const calls: TaggedCall[] = [];
  let start = 0;
  let from = 0;
  for (;;) {
    CALL.lastIndex = from;
    const open = CALL.exec(text);
    if (open === null) break;
    if (calls.length === 0) start = open.index;
    else if (
      text
        .slice(from, open.index)
        .replace(/<\/?\w{1,32}>/g, '')
        .trim() !== ''
    )
      break;
    const body = CALL.lastIndex;
    CALL_END.lastIndex = body;
    const close = CALL_END.exec(text);
    const end = close?.index ?? text.length;
    calls.push({ name: open[1] ?? '', arguments: readArguments(text.slice(body, end).trim()) });
    from = close === null ? text.length : CALL_END.lastIndex;
  }
  return calls.length === 0 ? null : { start, calls };
}

function readArguments(body: string): TaggedCall['arguments'] {
  if (body.startsWith('{')) return body;
  const entries: [string, string][] = [];
  PARAMETER.lastIndex = 0;
  for (let open = PARAMETER.exec(body); open !== null; open = PARAMETER.exec(body)) {
    const close = body.indexOf(PARAMETER_END, PARAMETER.lastIndex);
    const end = close < 0 ? body.length : close;
    entries.push([
      open[1] ?? '',
      body
        .slice(PARAMETER.lastIndex, end)
        .replace(/^\r?\n/, '')
        .replace(/\r?\n$/, ''),
    ]);
    PARAMETER.lastIndex = end;
  }
  return Object.fromEntries(entries);
}
