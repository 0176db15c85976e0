/** Names of the interfaces of WebRTC and WebTransport, which connect to servers without asking the page's policy in every browser. */
const CONNECTIONS = /^(?:webkit|moz)?RTC|^WebTransport/;

/**
 * Removes the interfaces that open connections. This makes it harder for a page to send data out. It is no boundary: other realms may still
 * have them.
 */
export function removeConnections(): void {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (CONNECTIONS.test(name)) Reflect.deleteProperty(globalThis, name);
}
