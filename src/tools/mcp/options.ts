import { checkOptions, type OptionKind } from '../../core/check-options.js';
import { RoleZeroError } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { isPrivateHost } from '../../core/private-host.js';
import { DEFINITION_LIMITS, type DefinitionLimits } from '../foreign-tools.js';
import type { McpSignIn } from './sign-in.js';

/** Limits of one MCP server. */
interface McpLimits extends DefinitionLimits {
  /** Characters of a result; the middle of a longer one is removed. */
  result: number;
  /** Images and other files of a result that are stored. */
  files: number;
  /** Bytes of one response of the server, and of one such file. */
  bytes: number;
  /** Milliseconds of one call. */
  callMs: number;
  /** Milliseconds until the server has answered the handshake. */
  connectMs: number;
}

const DEFAULT_MCP_LIMITS: McpLimits = {
  ...DEFINITION_LIMITS,
  result: 100_000,
  files: 4,
  bytes: 10_000_000,
  callMs: 60_000,
  connectMs: 10_000,
};

/** Options of `mcp()`. */
export interface McpOptions {
  /** Name of the server, and group of its tools: `github` for `github.create_issue`. Letters, digits, `-` and `_`. */
  name: string;
  /** Address of its Streamable HTTP endpoint. */
  url: string;
  /** Headers of each request, such as `Authorization`, or a function that returns them. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /** Sign-in of the user by OAuth 2.1, for servers that require it. The tool `<name>.sign_in` starts it. */
  signIn?: McpSignIn;
  /** Tools that are used, by their names at the server; `*` matches any characters. @default all */
  tools?: readonly string[];
  /**
   * Tools of which the application knows that they only read. They are treated as requests to a service: no approval is needed because of
   * untrusted content alone, and they run again after a crash. A tool that says that it is destructive is not one of them.
   *
   * @default none; each tool counts as changing something at the server
   */
  reads?: readonly string[];
  /** Tools of which the application knows that running them twice does no harm. They run again after a crash. @default those of `reads` */
  repeatable?: readonly string[];
  /**
   * True when the application vouches for `readOnlyHint` and `idempotentHint` of this server: they then work like `reads` and `repeatable`.
   *
   * @default false; a server cannot lower its own limits
   */
  believeHints?: boolean;
  /**
   * What the application vouches for: `nothing`, the `descriptions` of the tools, or `everything`, results included. Descriptions of others
   * are untrusted content that the role reads in its prompt, like a page.
   *
   * @default 'nothing'
   */
  trust?: 'nothing' | 'descriptions' | 'everything';
  /** True when results are private data of the user. @default true with `headers` or `signIn`, and for a server that is not on the public internet */
  private?: boolean;
  /** Folder of the session for images and files of results. @default `/mcp/<name>` */
  folder?: string;
  /** Limits that differ from the defaults. */
  limits?: Partial<McpLimits>;
}

/** Options with their defaults. */
export interface McpSettings {
  name: string;
  url: URL;
  headers: () => Promise<Record<string, string>>;
  signIn: McpSignIn | null;
  tools: readonly string[];
  reads: readonly string[];
  repeatable: readonly string[];
  believeHints: boolean;
  trust: NonNullable<McpOptions['trust']>;
  isPrivate: boolean;
  folder: string;
  limits: McpLimits;
}

const MCP_OPTION_KINDS: Record<keyof McpOptions, OptionKind> = {
  name: 'text',
  url: 'text',
  headers: true,
  signIn: true,
  tools: 'list',
  reads: 'list',
  repeatable: 'list',
  believeHints: 'flag',
  trust: ['nothing', 'descriptions', 'everything'],
  private: 'flag',
  folder: 'text',
  limits: true,
};

const LIMIT_KINDS = Object.fromEntries(
  Object.keys(DEFAULT_MCP_LIMITS).map((name) => [name, 'count']),
) as Record<keyof McpLimits, OptionKind>;

/** @throws RoleZeroError `invalid` naming the option that cannot be used. */
export function readMcpOptions(options: McpOptions): McpSettings {
  checkOptions('mcp()', options, MCP_OPTION_KINDS, ['name', 'url']);
  checkOptions('the limits of mcp()', options.limits ?? {}, LIMIT_KINDS);
  const { name, headers = {}, signIn = null } = options;
  if (!/^[A-Za-z][\w-]{0,39}$/.test(name))
    throw new RoleZeroError(
      'invalid',
      `\`name\` of mcp() must be a letter followed by up to 39 letters, digits, - and _, but is ${JSON.stringify(name)}.`,
      { name },
    );
  const url = readUrl(options.url);
  return {
    name,
    url,
    headers: async () => (typeof headers === 'function' ? headers() : headers),
    signIn,
    tools: options.tools ?? ['*'],
    reads: options.reads ?? [],
    repeatable: options.repeatable ?? [],
    believeHints: options.believeHints ?? false,
    trust: options.trust ?? 'nothing',
    isPrivate:
      options.private ?? (options.headers !== undefined || signIn !== null || isPrivateHost(url.hostname)),
    folder: options.folder ?? `/mcp/${name}`,
    limits: { ...DEFAULT_MCP_LIMITS, ...options.limits },
  };
}

function readUrl(text: string): URL {
  const { location } = globalThis as { location?: { href: string } };
  const url = isUrl(text, location?.href) ? new URL(text, location?.href) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new RoleZeroError(
    'invalid',
    `\`url\` of mcp() must be an http or https address without a name or password, but is ${JSON.stringify(text)}.`,
    { url: text },
  );
}
