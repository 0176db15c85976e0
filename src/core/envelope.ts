/** Returns a message between roles as its readers see it: sender and recipients, then the content. */
export function envelope(from: string, to: readonly string[], content: string): string {
  return `[Message] from ${from} to ${to.join(', ')}: ${content}`;
}

const ENVELOPE = /\[Message\] from [^\n]{1,300}? to [^:\n]{1,1000}:[ \t]*/;

/** Removes the first envelope of a text: that of the message, or one that a model copied. */
export function withoutEnvelope(text: string): string {
  return text.replace(ENVELOPE, '');
}

/** Returns the request of the user in the content of its message. */
export function requestText(content: string): string {
  return isEnveloped(content) ? withoutEnvelope(content) : content;
}

/** Returns whether a text has an envelope. */
export function isEnveloped(text: string): boolean {
  return text.startsWith('[Message] from ');
}
