/** What must not be shown of values that were sent as headers or in an address. Shorter ones would blot out ordinary words. */
export function secretsIn(values: Iterable<string>): string[] {
  // a server that quotes `Bearer …` leaves out the scheme
  return [...values]
    .flatMap((value) => [value, value.trim().replace(/^\w+ +/, '')])
    .filter(({ length }) => length >= 6);
}

/** The text without the secrets, in all forms a server may quote them in. */
export function withoutSecretsIn(text: string, secrets: Iterable<string>): string {
  return [...secrets].flatMap(formsOf).reduce((hidden, form) => hidden.replaceAll(form, '[secret]'), text);
}

/** The longest beginning first: what a server quotes may have been cut off in the middle of the key. */
function formsOf(secret: string): string[] {
  const cut = Array.from(
    { length: Math.max(0, secret.length - 4) },
    (_, less) => `${secret.slice(0, -1 - less)}…`,
  );
  const escaped = [secret, ...cut].map((form) => JSON.stringify(form).slice(1, -1));
  return [...new Set([secret, ...cut, ...escaped, encodeURIComponent(secret)])];
}
