// cspell:ignore localdomain speedport routerlogin tplinkwifi sslip localtest
/** Ends of names of private networks, of routers at home, and of names that resolve to any address or to this machine. */
const PRIVATE_NAMES = [
  ...[
    'local',
    'localhost',
    'localdomain',
    'internal',
    'intranet',
    'lan',
    'home',
    'corp',
    'private',
    'home.arpa',
  ],
  ...['fritz.box', 'speedport.ip', 'routerlogin.com', 'routerlogin.net', 'tplinkwifi.net'],
  ...['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me'],
];

/** Returns whether a host is not on the public internet. Expects it as `new URL` writes it: four decimal numbers, or a lower-case name. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  if (/^\[/.test(name)) {
    // Public addresses begin with 2 or 3. IPv4 in IPv6 form (::ffff:, 64:ff9b::, 2002:), Teredo and documentation (2001:0:, 2001:db8:) are not.
    return !/^\[2[0-9a-f]{3}:/.test(name) || /^\[(?:2002:|2001:(?::|0:|db8:))/.test(name);
  }
  const [a = '', b = '', c = ''] = /^\d+\.\d+\.\d+\.\d+$/.test(name) ? name.split('.') : [];
  if (a !== '') {
    const [one, two, three] = [Number(a), Number(b), Number(c)];
    return (
      one === 0 ||
      one === 10 ||
      one === 127 ||
      one >= 224 ||
      (one === 100 && two >= 64 && two < 128) ||
      (one === 169 && two === 254) ||
      (one === 172 && two >= 16 && two < 32) ||
      (one === 192 && two === 168) ||
      (one === 192 && two === 0 && (three === 0 || three === 2)) ||
      (one === 198 && (two === 18 || two === 19))
    );
  }
  return !name.includes('.') || PRIVATE_NAMES.some((end) => name === end || name.endsWith(`.${end}`));
}
