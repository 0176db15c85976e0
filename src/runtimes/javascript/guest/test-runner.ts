import assert from 'assert/';
import { call, host } from './host.js';
import { showError } from './stack-traces.js';

type Body = (context: TestContext, done?: (error?: unknown) => void) => unknown;
interface TestOptions {
  skip?: boolean | string;
  todo?: boolean | string;
  only?: boolean;
  timeout?: number;
}
type TestHooks = Record<'before' | 'after' | 'beforeEach' | 'afterEach', (() => unknown)[]>;

interface TestNode {
  kind: 'suite' | 'test';
  name: string;
  options: TestOptions;
  body: Body;
  parent: TestNode | null;
  children: TestNode[];
  hooks: TestHooks;
  /** Where it was defined. */
  location: string;
}

/** Totals of a file. */
interface TestTotals {
  tests: number;
  suites: number;
  pass: number;
  fail: number;
  skipped: number;
  todo: number;
}

const noHooks = (): TestHooks => ({ before: [], after: [], beforeEach: [], afterEach: [] });
const root: TestNode = {
  kind: 'suite',
  name: '',
  options: {},
  body: () => {},
  parent: null,
  children: [],
  hooks: noHooks(),
  location: '',
};
const totals: TestTotals = { tests: 0, suites: 0, pass: 0, fail: 0, skipped: 0, todo: 0 };
const failures: string[] = [];
let currentSuite = root;
let hasOnly = false;
let isScheduled = false;

type Define = (name?: unknown, options?: unknown, body?: unknown) => Promise<void>;

/** Returns a function that defines tests or suites, with variants such as `test.skip`. */
function definer(kind: TestNode['kind']): Define & Record<'skip' | 'todo' | 'only', Define> {
  const define = (...given: unknown[]): Promise<void> => {
    const body = given.find((value) => typeof value === 'function') as Body | undefined;
    const named = given.find((value) => typeof value === 'string');
    const options = (given.find((value) => typeof value === 'object' && value !== null) ?? {}) as TestOptions;
    const node: TestNode = {
      kind,
      name: named ?? (body?.name || '<anonymous>'),
      options: body === undefined ? { todo: true, ...options } : options,
      body: body ?? (() => {}),
      parent: currentSuite,
      children: [],
      hooks: noHooks(),
      location: locationOf(new Error().stack),
    };
    if (options.only === true) hasOnly = true;
    currentSuite.children.push(node);
    schedule();
    return Promise.resolve();
  };
  const variant =
    (extra: TestOptions) =>
    (...given: unknown[]): Promise<void> => {
      const options = given.find((value) => typeof value === 'object' && value !== null);
      return define(...given.filter((value) => value !== options), { ...(options as TestOptions), ...extra });
    };
  return Object.assign(define, {
    skip: variant({ skip: true }),
    todo: variant({ todo: true }),
    only: variant({ only: true }),
  });
}

/** Returns the first place outside of the library in a stack. */
function locationOf(stack = ''): string {
  return /\((\/[^()]+:\d+:\d+)\)|at (\/\S+:\d+:\d+)/u.exec(stack)?.slice(1).find(Boolean) ?? '';
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => void runAll(), 0); // after the module has defined its tests
}

async function runAll(): Promise<void> {
  const start = performance.now();
  await runChildren(root, 0);
  call('report', totals, failures, performance.now() - start);
}

const hook =
  (name: keyof TestHooks) =>
  (body: () => unknown): void => {
    currentSuite.hooks[name].push(body);
    schedule();
  };

function isSelected(node: TestNode): boolean {
  if (!hasOnly) return true;
  const within = (each: TestNode): boolean => each.options.only === true || each.children.some(within);
  for (let up: TestNode | null = node; up !== null; up = up.parent) if (up.options.only === true) return true;
  return within(node);
}

async function runChildren(suite: TestNode, depth: number): Promise<boolean> {
  let isOk = true;
  try {
    for (const before of suite.hooks.before) await before();
    for (const child of suite.children)
      if (isSelected(child)) isOk = (await runTestNode(child, depth)) && isOk;
  } finally {
    for (const after of suite.hooks.after) await after();
  }
  return isOk;
}

/** Runs a test or suite and prints its line. Returns false when it failed. */
async function runTestNode(node: TestNode, depth: number): Promise<boolean> {
  const start = performance.now();
  if (node.kind === 'suite') totals.suites += 1;
  else totals.tests += 1;
  if (isSet(node.options.skip)) return skipped(node, depth, start);
  let error: unknown;
  let isOk = true;
  try {
    if (node.kind === 'suite') {
      await defineSuite(node);
      printIndented(depth, `▶ ${node.name}`);
      isOk = await runChildren(node, depth + 1);
    } else isOk = await runTest(node, depth);
  } catch (thrown) {
    isOk = false;
    error = thrown ?? new Error(`The test failed with ${String(thrown)}.`);
  }
  const { skip, todo } = node.options; // a test may set them while it runs
  if (isOk && isSet(skip)) return skipped(node, depth, start);
  const isTodo = isSet(todo);
  if (node.kind === 'test') totals[isTodo ? 'todo' : isOk ? 'pass' : 'fail'] += 1;
  line(depth, isOk ? '✔' : '✖', node, start, isTodo ? `# ${typeof todo === 'string' ? todo : 'TODO'}` : '');
  if (!isOk && error !== undefined) {
    const text = showError(error).replaceAll(/^/gmu, '  ');
    if (!isTodo) failures.push(`test at ${node.location}\n✖ ${fullName(node)}\n${text}`);
    printIndented(depth, text);
  }
  return isOk || isTodo;
}

function isSet(option: boolean | string | undefined): boolean {
  return option !== undefined && option !== false;
}

function skipped(node: TestNode, depth: number, start: number): true {
  const { skip } = node.options;
  if (node.kind === 'test') totals.skipped += 1;
  line(depth, '﹣', node, start, `# ${typeof skip === 'string' ? skip : 'SKIP'}`);
  return true;
}

/** Calls the body of a suite, which defines its tests. */
async function defineSuite(suite: TestNode): Promise<void> {
  const outer = currentSuite;
  currentSuite = suite;
  try {
    await suite.body(new TestContext(suite, 0));
  } finally {
    currentSuite = outer;
  }
}

async function runTest(node: TestNode, depth: number): Promise<boolean> {
  const context = new TestContext(node, depth);
  const suites: TestNode[] = [];
  for (let up = node.parent; up !== null; up = up.parent) suites.unshift(up);
  const outer = currentSuite;
  currentSuite = node;
  try {
    for (const suite of suites) for (const each of suite.hooks.beforeEach) await each();
    try {
      await withTimeout(callBody(node.body, context), node.options.timeout);
      for (const child of node.children) context.isOk = (await runTestNode(child, depth + 1)) && context.isOk;
    } finally {
      for (const suite of suites.toReversed()) for (const each of suite.hooks.afterEach) await each();
      for (const each of node.hooks.after) await each();
      context.mock.restoreAll();
    }
  } finally {
    currentSuite = outer;
  }
  if (!context.isOk) throw new Error('A test inside failed.');
  return true;
}

function callBody(body: Body, context: TestContext): unknown {
  if (body.length < 2) return body.call(context, context);
  return new Promise<void>((resolve, reject) => {
    body.call(context, context, (error) => (error ? reject(error as Error) : resolve()));
  });
}

async function withTimeout(work: unknown, timeout?: number): Promise<void> {
  if (timeout === undefined || timeout === Infinity) return void (await work);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`test timed out after ${timeout}ms`)), timeout);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first argument of a test. */
class TestContext {
  readonly name: string;
  readonly mock = mock();
  readonly assert = assert;
  isOk = true;
  readonly #node: TestNode;
  readonly #depth: number;

  constructor(node: TestNode, depth: number) {
    this.name = node.name;
    this.#node = node;
    this.#depth = depth;
    for (const name of ['isOk', 'assert', 'mock']) Object.defineProperty(this, name, { enumerable: false });
  }

  test = async (...given: unknown[]): Promise<void> => {
    const outer = currentSuite;
    currentSuite = this.#node;
    const before = this.#node.children.length;
    void test(...(given as Parameters<typeof test>));
    currentSuite = outer;
    const [node] = this.#node.children.splice(before);
    if (node !== undefined) this.isOk = (await runTestNode(node, this.#depth + 1)) && this.isOk;
  };

  before = (body: () => unknown): unknown => body();
  after = (body: () => unknown): void => void this.#node.hooks.after.push(body);
  beforeEach = (body: () => unknown): void => void this.#node.hooks.beforeEach.push(body);
  afterEach = (body: () => unknown): void => void this.#node.hooks.afterEach.push(body);
  diagnostic = (message: string): void => printIndented(this.#depth, `ℹ ${message}`);
  skip = (why: string | boolean = true): void => void (this.#node.options.skip = why);
  todo = (why: string | boolean = true): void => void (this.#node.options.todo = why);
}

function fullName(node: TestNode): string {
  return node.parent === null || node.parent === root ? node.name : `${fullName(node.parent)} > ${node.name}`;
}

function line(depth: number, mark: string, { name }: TestNode, start: number, note: string): void {
  printIndented(
    depth,
    `${mark} ${name} (${(performance.now() - start).toFixed(1)}ms)${note === '' ? '' : ` ${note}`}`,
  );
}

function printIndented(depth: number, text: string): void {
  const indent = '  '.repeat(depth);
  host().print('stdout', `${indent}${text.replaceAll('\n', `\n${indent}`)}\n`);
}

const test = definer('test');
const suite = definer('suite');

export const testModule = Object.assign(test, {
  test,
  it: test,
  suite,
  describe: suite,
  before: hook('before'),
  after: hook('after'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
  mock: mock(),
  default: test,
});

type MockFunction = (...args: unknown[]) => unknown;

interface MockCall {
  arguments: unknown[];
  result?: unknown;
  error?: unknown;
  this: unknown;
}

/** Returns `mock` of `node:test`: functions that record their calls. */
function mock() {
  const restores: (() => void)[] = [];

  function fn(original: unknown = () => {}, replacement?: unknown) {
    const once = new Map<number, MockFunction>();
    let implementation = (typeof replacement === 'function' ? replacement : original) as MockFunction;
    const calls: MockCall[] = [];
    const mocked = function (this: unknown, ...args: unknown[]): unknown {
      const call: MockCall = { arguments: args, this: this };
      const run = once.get(calls.length) ?? implementation;
      calls.push(call);
      try {
        call.result = run.apply(this, args);
        return call.result;
      } catch (error) {
        call.error = error;
        throw error;
      }
    };
    return Object.assign(mocked, {
      mock: {
        calls,
        callCount: () => calls.length,
        resetCalls: () => void calls.splice(0),
        mockImplementation: (next: MockFunction) => void (implementation = next),
        mockImplementationOnce: (next: MockFunction, at = calls.length) => void once.set(at, next),
        restore: () => void (implementation = original as MockFunction),
      },
    });
  }

  function method(target: Record<string, unknown>, name: string, replacement?: unknown) {
    const original = target[name] as MockFunction;
    const hadOwn = Object.hasOwn(target, name);
    const mocked = fn(original, replacement);
    target[name] = mocked;
    const restore = (): void => {
      if (hadOwn) target[name] = original;
      else Reflect.deleteProperty(target, name);
    };
    restores.push(restore);
    return Object.assign(mocked, { mock: { ...mocked.mock, restore } });
  }

  const restoreAll = () => {
    for (const restore of restores.splice(0)) restore();
  };
  return { fn, method, restoreAll, reset: restoreAll };
}
