import type { Tool } from '../core/tool.js';

/** Tools that a list of names refers to, and the names that match no tool. */
export interface ResolvedTools {
  tools: Tool[];
  /** Names as written. A method that its class does not have appears as `Editor:paint`. */
  unknown: string[];
}

/**
 * Finds tools by name, in the order of their first mention. A name is a class (`Editor`), some methods of a class (`Editor:read,write`), a
 * tool name (`Editor.read`) or a tag (`web`). Repeated tools count once, so `Editor:read` and `Editor:write` add up. Exactly `['<all>']`
 * returns all tools.
 */
export function resolveTools(all: readonly Tool[], wanted: readonly string[]): ResolvedTools {
  if (wanted.length === 1 && wanted[0] === '<all>') return { tools: [...all], unknown: [] };
  const index = indexTools(all);
  const tools = new Set<Tool>();
  const unknown = new Set<string>();
  for (const entry of wanted) {
    const found = findTools(entry.trim(), index);
    for (const tool of found.tools) tools.add(tool);
    for (const name of found.unknown) unknown.add(name);
  }
  return { tools: [...tools], unknown: [...unknown] };
}

interface ToolIndex {
  byName: ReadonlyMap<string, Tool>;
  byClass: ReadonlyMap<string, Tool[]>;
  byTag: ReadonlyMap<string, Tool[]>;
}

function indexTools(all: readonly Tool[]): ToolIndex {
  const byName = new Map<string, Tool>();
  const byClass = new Map<string, Tool[]>();
  const byTag = new Map<string, Tool[]>();
  for (const tool of all) {
    if (byName.has(tool.name)) continue;
    byName.set(tool.name, tool);
    const dot = tool.name.indexOf('.');
    if (dot > 0) listIn(byClass, tool.name.slice(0, dot)).push(tool);
    for (const tag of new Set(tool.tags)) listIn(byTag, tag).push(tool);
  }
  return { byName, byClass, byTag };
}

function findTools(entry: string, { byName, byClass, byTag }: ToolIndex): ResolvedTools {
  const colon = entry.indexOf(':');
  if (colon < 0) {
    const single = byName.get(entry);
    const tools = byClass.get(entry) ?? (single === undefined ? byTag.get(entry) : [single]);
    return tools === undefined ? { tools: [], unknown: [entry] } : { tools, unknown: [] };
  }
  const group = entry.slice(0, colon).trim();
  if (!byClass.has(group)) return { tools: [], unknown: [entry] };
  const found: ResolvedTools = { tools: [], unknown: [] };
  for (const method of entry.slice(colon + 1).split(',')) {
    const tool = byName.get(`${group}.${method.trim()}`);
    if (tool === undefined) found.unknown.push(`${group}:${method.trim()}`);
    else found.tools.push(tool);
  }
  return found;
}

function listIn(lists: Map<string, Tool[]>, key: string): Tool[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
