/** A message among roles, as its readers see it (spec 21.2): who speaks to whom, then what is said. */
export function envelope(from: string, to: readonly string[], content: string): string {
  return `[Message] from ${from} to ${to.join(', ')}: ${content}`;
}

const ENVELOPE = /\[Message\] from [^\n]{1,300}? to [^:\n]{1,1000}:[ \t]*/;

/** What was said, without the first envelope in it: a message's own, or one that a model copied. */
export function withoutEnvelope(text: string): string {
  return text.replace(ENVELOPE, '');
}

/** True for a text that says itself whom it is from. */
export function isEnveloped(text: string): boolean {
  return text.startsWith('[Message] from ');
}
