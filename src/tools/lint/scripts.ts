import { parse, type ParserPlugin } from '@babel/parser';
import { defined } from '../../core/defined.js';
import type { Linter, Problem } from '../../core/linter.js';
import { isRecord } from '../../core/json.js';
import { linterFor } from './languages.js';

type SourceType = 'module' | 'script';
interface Language {
  /** A text is valid if it is valid as one of these kinds. */
  kinds: [SourceType, ...SourceType[]];
  plugins: ParserPlugin[];
}

/** Parameter decorators require TypeScript's legacy decorators. That plugin also accepts the newer decorators. */
const TYPED_PLUGINS: ParserPlugin[] = ['typescript', 'decorators-legacy'];
const LANGUAGES: Record<string, Language> = {
  js: { kinds: ['module', 'script'], plugins: ['jsx', 'decorators'] },
  jsx: { kinds: ['module', 'script'], plugins: ['jsx', 'decorators'] },
  mjs: { kinds: ['module'], plugins: ['jsx', 'decorators'] },
  cjs: { kinds: ['script'], plugins: ['jsx', 'decorators'] },
  ts: { kinds: ['module'], plugins: TYPED_PLUGINS },
  mts: { kinds: ['module'], plugins: TYPED_PLUGINS },
  cts: { kinds: ['module'], plugins: TYPED_PLUGINS }, // may contain imports, like a module
  tsx: { kinds: ['module'], plugins: [...TYPED_PLUGINS, 'jsx'] },
};

/** Checks the syntax of JavaScript and TypeScript, with JSX (`@babel/parser`). */
export function scripts(): Linter {
  return linterFor(Object.keys(LANGUAGES), scriptProblems);
}

/** Returns the problems of a script. `ending` determines the language. */
export function scriptProblems(text: string, ending: string): Problem[] {
  const language = LANGUAGES[ending];
  if (language === undefined) return [];
  const [first = [], ...others] = language.kinds.map((kind) => parseProblems(text, kind, language.plugins));
  return others.some((problems) => problems.length === 0) ? [] : first;
}

function parseProblems(text: string, sourceType: SourceType, plugins: ParserPlugin[]): Problem[] {
  try {
    const { errors } = parse(text, {
      sourceType,
      errorRecovery: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowUndeclaredExports: true, // the next edit may add the declarations
      plugins: [...plugins, 'explicitResourceManagement'],
    });
    return (errors ?? []).map(syntaxProblem);
  } catch (error) {
    return [syntaxProblem(error)];
  }
}

/** @throws any error that is not a syntax error */
function syntaxProblem(error: unknown): Problem {
  const place = isRecord(error) ? error['loc'] : undefined;
  if (!(error instanceof SyntaxError) || !isRecord(place) || typeof place['line'] !== 'number') throw error;
  const message = error.message.replace(/ \(\d+:\d+\)$/u, '');
  const column = place['column'];
  return {
    line: place['line'],
    ...defined({ column: typeof column === 'number' ? column + 1 : undefined }),
    message,
  };
}
