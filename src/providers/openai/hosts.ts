/** Returns true for this machine and private networks. */
export function isLocal(hostname: string): boolean {
  return isLoopback(hostname) || isPrivate(hostname);
}

/** Returns true for names and addresses of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns true for addresses of a private network. */
export function isPrivate(hostname: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd])|\.local$/.test(hostname);
}
