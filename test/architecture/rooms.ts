import ts from 'typescript';
import { importsOf, isDynamicImport, type Import } from '../../scripts/structure/imports.js';

/** Source texts by path below `src/`, such as `base/error.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** The modules of the agent, from the bottom up. */
const REPLY = ['agent/json', 'agent/parse', 'agent/stream'];
const AGENT = [...REPLY, 'agent/policy', 'agent/prompt', 'agent/runtime', 'agent/commands', 'agent'];

const EVERYTHING_BELOW = [
  'core',
  'plan',
  'files',
  'memory',
  'experience',
  'tools',
  'parts',
  ...AGENT,
  'metagpt',
  'team',
  'session',
  'storage',
  'providers',
  'embedders',
  'wire',
];

/** What every module of the agent that has state may import. */
const BELOW_AGENT = ['core', 'plan', 'files', 'memory', 'tools'];

/** Which modules a module may import from: a folder of `src/`, a folder of `src/agent/`, the files of `src/agent/`, or `index.ts`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  plan: ['core'],
  files: ['core'],
  memory: ['core'],
  experience: ['core', 'memory'],
  tools: ['core', 'plan', 'files', 'memory'],
  'agent/json': ['core'],
  'agent/parse': ['core', 'agent/json'],
  'agent/stream': ['core', 'agent/json', 'agent/parse'],
  'agent/policy': ['core', 'files', 'tools'],
  'agent/prompt': ['core', 'tools', 'agent/parse'],
  'agent/runtime': [...BELOW_AGENT, ...REPLY, 'agent/policy', 'agent/prompt'],
  'agent/commands': [...BELOW_AGENT, ...REPLY, 'agent/policy', 'agent/prompt', 'agent/runtime'],
  agent: [...BELOW_AGENT, ...AGENT],
  parts: ['core', 'files', 'memory', 'tools', 'agent/parse', 'agent/policy', 'agent/prompt', 'agent/runtime'],
  metagpt: [...BELOW_AGENT, 'experience', ...AGENT, 'team'],
  team: ['core', 'plan', 'files', 'memory', 'tools', ...AGENT],
  subagents: ['core', 'tools', ...AGENT],
  notes: ['core', 'memory', ...AGENT],
  session: ['core', 'files', 'team', ...AGENT],
  storage: ['core'],
  providers: ['core'],
  readers: ['core', 'files'],
  runtimes: ['core'],
  embedders: ['core'],
  wire: ['core'],
  keys: ['core'],
  client: ['core', 'wire'],
  worker: [...EVERYTHING_BELOW, 'testing'],
  spawn: ['core', 'client', 'wire'],
  react: ['core', 'client'],
  otel: ['core'],
  vue: ['core', 'client'],
  svelte: ['core', 'client'],
  'ai-sdk-ui': ['core', 'client'],
  element: ['core', 'client'],
  inspector: ['core', 'client', 'element'],
  testing: EVERYTHING_BELOW,
  'index.ts': ['core', 'client'],
};

/** Single files that may see more than their room does, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Assembles the parts of a role; no other file of the agent knows one.
  'agent/role-zero.ts': ['parts'],
  // The list of sessions is read on the page: no worker has to be started for it.
  'client/sessions.ts': ['storage'],
  // The ready-made worker is a worker file like a user's own.
  'spawn/worker.ts': ['worker', 'tools', 'providers'],
  // Its shell is handed in from the page, as text.
  'spawn/start-worker.ts': ['tools'],
};

/** Files of the page that load modules on demand: most pages never need them. */
const LOADS_ON_DEMAND: ReadonlySet<string> = new Set([
  'client/send.ts',
  'element/markdown-view.ts',
  'readers/docx/index.ts',
  'readers/pdf/index.ts',
]);

/** Files of workers that import from an address of the application: there is nothing that a bundler could split. */
const IMPORTS_FROM_ADDRESS: ReadonlySet<string> = new Set([
  'runtimes/python/interpreter.ts',
  'runtimes/typescript/compiler.ts',
  'runtimes/typescript/node.ts',
]);

const PURE_ROOMS = ['plan', 'memory', 'experience', 'files', 'agent/json', 'agent/parse', 'agent/prompt'];

const BROWSER_GLOBALS = [
  'window',
  'document',
  'self',
  'globalThis',
  'indexedDB',
  'navigator',
  'location',
  'Worker',
  'SharedWorker',
  'MessageChannel',
  'BroadcastChannel',
  'localStorage',
  'sessionStorage',
  'caches',
  'postMessage',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
];

/** Importing on a server must be harmless: these may be named inside functions only. */
const NOT_AT_TOP_LEVEL = [
  'window',
  'document',
  'self',
  'indexedDB',
  'navigator',
  'location',
  'Worker',
  'localStorage',
  'sessionStorage',
  'postMessage',
];

/** What a worker file imports or is, and so what a bundler puts into a worker. */
const WORKER_ENTRIES =
  /^(worker|metagpt|notes|subagents|tools|testing)\/index\.ts$|^tools\/[\w-]+\/(index|inline|shell-worker)\.ts$|^runtimes\/[\w-]+\/(index|inline|[\w-]+-worker)\.ts$|^(providers|embedders)\/([\w-]+\/index|[\w-]+)\.ts$|^spawn\/worker\.ts$/;

/** Everything in `sources` that breaks a rule of the house, one sentence each, which names the file, what it does and the rule. */
export function violations(sources: Sources): string[] {
  const parsed = new Map(
    [...sources].map(([path, text]) => [
      path,
      ts.createSourceFile(path, text, ts.ScriptTarget.Latest, /* setParentNodes */ true),
    ]),
  );
  const imports = new Map([...parsed].map(([path, file]) => [path, importsOf(path, file, sources)]));
  const workerFiles = reachable(
    [...sources.keys()].filter((path) => WORKER_ENTRIES.test(path)),
    imports,
  );
  return [
    ...[...parsed].flatMap(([path, file]) => [
      ...wrongDirections(path, imports.get(path) ?? []),
      ...wrongImports(path, imports.get(path) ?? [], workerFiles.has(path)),
      ...wrongNames(path, file),
    ]),
    ...cycles(imports, (path) => path, 'file'),
    ...cycles(imports, roomOf, 'room'),
  ];
}

function roomOf(path: string): string {
  const [folder = path, inner = ''] = path.split('/');
  return folder === 'agent' && !inner.includes('.') ? `${folder}/${inner}` : folder;
}

function wrongDirections(path: string, imports: readonly Import[]): string[] {
  const room = roomOf(path);
  const allowed = MAY_IMPORT[room];
  if (allowed === undefined) return [`${path}: the room ${room} is not in the table of rooms`];
  const forFile = [...allowed, ...(EXCEPTIONS[path] ?? [])];
  return imports
    .filter(({ file }) => file !== null && roomOf(file) !== room && !forFile.includes(roomOf(file)))
    .map(
      ({ specifier }) =>
        `${path} imports '${specifier}': ${room} may import ${forFile.length === 0 ? 'no other room' : `only ${forFile.join(', ')}`}`,
    );
}

function wrongImports(path: string, imports: readonly Import[], inWorker: boolean): string[] {
  const wrong: string[] = [];
  for (const { specifier, node } of imports) {
    if (/^(zod|valibot)\b/.test(specifier))
      wrong.push(`${path} imports '${specifier}': core/schema.ts is smaller`);
    if (isDynamicImport(node) && IMPORTS_FROM_ADDRESS.has(path)) continue;
    if (isDynamicImport(node) && inWorker)
      wrong.push(
        `${path} imports '${specifier}' dynamically: a worker reaches this file, and Vite ≤ 7 cannot build such workers`,
      );
    if (isDynamicImport(node) && !LOADS_ON_DEMAND.has(path) && roomOf(path) !== 'spawn')
      wrong.push(`${path} imports '${specifier}' dynamically: only spawn and some files of the page do so`);
  }
  if (['providers', 'embedders'].includes(roomOf(path))) {
    const vendors = new Set(
      imports.filter(({ file }) => file === null).map(({ specifier }) => packageOf(specifier)),
    );
    if (vendors.size > 1)
      wrong.push(`${path} imports ${[...vendors].join(' and ')}: a provider's file has one vendor at most`);
  }
  return [...new Set(wrong)];
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function wrongNames(path: string, file: ts.SourceFile): string[] {
  const wrong = new Set<string>();
  const own = declaredNames(file);
  const pure = PURE_ROOMS.includes(roomOf(path));
  const visit = (node: ts.Node, atTopLevel: boolean): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node) && isReference(node) && !own.has(node.text)) {
      if (pure && BROWSER_GLOBALS.includes(node.text))
        wrong.add(`${path} names ${node.text}: the room ${roomOf(path)} is pure and knows no browser`);
      if (atTopLevel && NOT_AT_TOP_LEVEL.includes(node.text))
        wrong.add(
          `${path} names ${node.text} at its top level: importing a module on a server must be harmless`,
        );
      if (node.text === 'eval') wrong.add(`${path} names eval: nothing is ever evaluated`);
      if (node.text === 'Function' && (ts.isNewExpression(node.parent) || ts.isCallExpression(node.parent)))
        wrong.add(`${path} makes a Function from text: nothing is ever evaluated`);
    }
    if (atTopLevel && (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)))
      wrong.add(`${path} awaits at its top level: workers of Vite ≤ 7 cannot be built from it`);
    ts.forEachChild(node, (child) => visit(child, atTopLevel && !runsLater(child)));
  };
  visit(file, true);
  return [...wrong];
}

/** The body of a function and the initial value of an object's field are not evaluated with the module. */
function runsLater(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) return !ts.getModifiers(node)?.some(isStatic);
  return ts.isFunctionLike(node);
}

function isStatic(modifier: ts.Modifier): boolean {
  return modifier.kind === ts.SyntaxKind.StaticKeyword;
}

/** True when an identifier refers to a value, and is not the name of a member, a property or a label. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  return !(ts.isClassElement(parent) || ts.isTypeElement(parent)) || isInitializer(node, parent);
}

function isInitializer(node: ts.Identifier, parent: ts.Node): boolean {
  return ts.isPropertyDeclaration(parent) && parent.initializer === node;
}

/** Names a file declares or imports; they are its own, whatever the browser means by them. */
function declaredNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      (ts.isVariableDeclaration(node) ||
        ts.isParameter(node) ||
        ts.isBindingElement(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isImportClause(node) ||
        ts.isNamespaceImport(node) ||
        ts.isImportSpecifier(node)) &&
      node.name !== undefined &&
      ts.isIdentifier(node.name)
    )
      names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function reachable(from: readonly string[], imports: ReadonlyMap<string, readonly Import[]>): Set<string> {
  const seen = new Set(from);
  for (const path of seen) {
    for (const { file } of imports.get(path) ?? []) if (file !== null) seen.add(file);
  }
  return seen;
}

/** One sentence for each cycle found by a walk in depth, those of types as well: `a → b → a`. */
function cycles(
  imports: ReadonlyMap<string, readonly Import[]>,
  nodeOf: (path: string) => string,
  kind: string,
): string[] {
  const edges = new Map<string, Set<string>>();
  for (const [path, list] of imports) {
    const from = nodeOf(path);
    const targets = edges.get(from) ?? new Set<string>();
    edges.set(from, targets);
    for (const { file } of list) {
      if (file === null || (nodeOf(file) === from && kind === 'room')) continue;
      targets.add(nodeOf(file));
    }
  }
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) found.push(`${[...trail.slice(at), node].join(' → ')}: a cycle of ${kind}s`);
    if (at >= 0 || done.has(node)) return;
    for (const next of edges.get(node) ?? []) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of edges.keys()) walk(node, []);
  return found;
}
