/**
 * Returns the texts to hide from values that were sent as headers or in an address. Texts under 6 characters are skipped: hiding them would
 * remove ordinary words.
 */
export function secretsIn(values: Iterable<string>): string[] {
  // A server that quotes `Bearer …` leaves out the scheme.
  return [...values]
    .flatMap((value) => [value, value.trim().replace(/^\w+ +/, '')])
    .filter(({ length }) => length >= 6);
}

/** Returns the text without the secrets, in all forms in which a server may quote them. */
export function withoutSecretsIn(text: string, secrets: Iterable<string>): string {
  return [...secrets].flatMap(formsOf).reduce((hidden, form) => hidden.replaceAll(form, '[secret]'), text);
}

/** The longest prefix comes first: a server may cut the key off in the middle when it quotes it. */
function formsOf(secret: string): string[] {
  const cut = Array.from(
    { length: Math.max(0, secret.length - 4) },
    (_, less) => `${secret.slice(0, -1 - less)}…`,
  );
  const escaped = [secret, ...cut].map((form) => JSON.stringify(form).slice(1, -1));
  return [...new Set([secret, ...cut, ...escaped, encodeURIComponent(secret)])];
}
