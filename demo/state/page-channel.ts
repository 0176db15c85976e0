/** The channel on which a new tab asks the session for its page. */
export function pageChannel(id: string): BroadcastChannel {
  return new BroadcastChannel(`rolezero-demo:page:${id}`);
}
