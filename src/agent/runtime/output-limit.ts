/** The length limit of a call to the model. Plain data, stored with a reply that ran into it. */
export interface OutputLimit {
  /** Tokens of the reply, reasoning included. */
  tokens: number;
  /**
   * The option of the model that the limit follows from; `server` when the reply ended earlier, `caller` when the question set it, `unknown` when
   * the server did not say why the reply ended, `repetition` when it was stopped because it repeated itself.
   */
  from: 'maxOutputTokens' | 'contextWindow' | 'server' | 'caller' | 'unknown' | 'repetition';
  /** The reply has no text: all tokens went into reasoning. */
  isEmpty: boolean;
}

/** Below this share of the limit, a reply that ended for its length met another limit: that of the server. */
const OWN_LIMIT_SHARE = 0.9;

/** Reasoning that a model writes into its reply, without an end. */
const UNFINISHED_THOUGHT = /^\s*<think(?:ing)?>(?![\s\S]*<\/think)[\s\S]*/i;

/**
 * Returns the limit that a reply ran into.
 *
 * @param completionTokens Tokens of the reply as the model counts them; 0 when it does not.
 */
export function limitReached(
  allowed: Pick<OutputLimit, 'tokens' | 'from'>,
  text: string,
  completionTokens: number,
): OutputLimit {
  const isEarly =
    allowed.from !== 'unknown' && completionTokens > 0 && completionTokens < allowed.tokens * OWN_LIMIT_SHARE;
  const { tokens, from } = isEarly ? ({ tokens: completionTokens, from: 'server' } as const) : allowed;
  return { tokens, from, isEmpty: text.replace(UNFINISHED_THOUGHT, '').trim() === '' };
}

/** What happened, to follow "The reply" or "Your reply". */
export function describeLimit({ tokens, from, isEmpty }: OutputLimit): string {
  if (from === 'repetition') return 'was stopped because it repeated the same text again and again';
  if (from === 'unknown')
    return isEmpty ? 'ended without any text, and without a known reason' : 'ended without a known reason';
  const limit = `its output limit of ${tokens.toLocaleString('en-US')} tokens`;
  return isEmpty ? `reached ${limit} without any text` : `was cut off at ${limit}`;
}

/** What the user can raise. */
export function limitAdvice({ from, isEmpty }: OutputLimit): string {
  if (from === 'repetition') return 'A larger model, or a lower temperature, may help.';
  if (from === 'unknown')
    return 'The server of the model must send a finish reason such as "stop", which shows that a reply is whole.';
  const raise = {
    maxOutputTokens: 'Raise maxOutputTokens of the model',
    contextWindow:
      'Raise contextWindow of the model (a reply may take a quarter of it), and the setting of the server with it',
    server: "Raise the server's own limit, such as its context length",
    caller: 'Raise maxOutputTokens of the question',
  }[from];
  return isEmpty
    ? `A reasoning model spends these tokens on thinking first. ${raise}, or lower its reasoning effort (extraBody: { reasoning_effort: 'low' }).`
    : `${raise}.`;
}
