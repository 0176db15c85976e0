/** Modifier keys held during another action. */
export interface Modifiers {
  ctrlKey?: boolean;
  shiftKey?: boolean;
  altKey?: boolean;
  metaKey?: boolean;
}

export interface Key {
  key: string;
  code: string;
  keyCode: number;
}

/** Maximum milliseconds that a key or a button is held. */
export const LONGEST_HOLD = 5_000;

const NAMED_KEYS: Readonly<Record<string, readonly [key: string, code: string, keyCode: number]>> = {
  enter: ['Enter', 'Enter', 13],
  return: ['Enter', 'Enter', 13],
  tab: ['Tab', 'Tab', 9],
  escape: ['Escape', 'Escape', 27],
  esc: ['Escape', 'Escape', 27],
  space: [' ', 'Space', 32],
  spacebar: [' ', 'Space', 32],
  backspace: ['Backspace', 'Backspace', 8],
  delete: ['Delete', 'Delete', 46],
  del: ['Delete', 'Delete', 46],
  insert: ['Insert', 'Insert', 45],
  home: ['Home', 'Home', 36],
  end: ['End', 'End', 35],
  pageup: ['PageUp', 'PageUp', 33],
  pagedown: ['PageDown', 'PageDown', 34],
  arrowleft: ['ArrowLeft', 'ArrowLeft', 37],
  left: ['ArrowLeft', 'ArrowLeft', 37],
  arrowup: ['ArrowUp', 'ArrowUp', 38],
  up: ['ArrowUp', 'ArrowUp', 38],
  arrowright: ['ArrowRight', 'ArrowRight', 39],
  right: ['ArrowRight', 'ArrowRight', 39],
  arrowdown: ['ArrowDown', 'ArrowDown', 40],
  down: ['ArrowDown', 'ArrowDown', 40],
  shift: ['Shift', 'ShiftLeft', 16],
  control: ['Control', 'ControlLeft', 17],
  ctrl: ['Control', 'ControlLeft', 17],
  alt: ['Alt', 'AltLeft', 18],
  option: ['Alt', 'AltLeft', 18],
  meta: ['Meta', 'MetaLeft', 91],
  command: ['Meta', 'MetaLeft', 91],
  cmd: ['Meta', 'MetaLeft', 91],
  contextmenu: ['ContextMenu', 'ContextMenu', 93],
};

const SIGNS: Readonly<Record<string, readonly [code: string, keyCode: number]>> = {
  '-': ['Minus', 189],
  '=': ['Equal', 187],
  '+': ['Equal', 187],
  ',': ['Comma', 188],
  '.': ['Period', 190],
  '/': ['Slash', 191],
  '?': ['Slash', 191],
  ';': ['Semicolon', 186],
  "'": ['Quote', 222],
  '[': ['BracketLeft', 219],
  ']': ['BracketRight', 221],
  '\\': ['Backslash', 220],
  '`': ['Backquote', 192],
};

/** Returns the key for a name (`Enter`, `ArrowDown`, `F5`) or for a character; null if there is none. */
export function parseKey(name: string): Key | null {
  const named = NAMED_KEYS[name.toLowerCase().replace(/(?!^)[ _-]/g, '')];
  if (named && name.length > 1) return { key: named[0], code: named[1], keyCode: named[2] };
  const [, number] = /^[fF](\d|1\d|2[0-4])$/.exec(name) ?? [];
  if (number) return { key: `F${number}`, code: `F${number}`, keyCode: 111 + Number(number) };
  if (!isSign(name)) return null;
  if (name === ' ') return { key: ' ', code: 'Space', keyCode: 32 };
  if (/[a-z]/i.test(name))
    return { key: name, code: `Key${name.toUpperCase()}`, keyCode: name.toUpperCase().charCodeAt(0) };
  if (/\d/.test(name)) return { key: name, code: `Digit${name}`, keyCode: name.charCodeAt(0) };
  const sign = SIGNS[name];
  return { key: name, code: sign?.[0] ?? '', keyCode: sign?.[1] ?? 0 };
}

/** Returns whether a key writes text: its name is one Unicode character. */
export function isSign(key: string): boolean {
  return /^.$/su.test(key);
}

/** Returns the modifier of a key, or null. */
export function modifierOf(key: string): keyof Modifiers | null {
  switch (key) {
    case 'Control':
      return 'ctrlKey';
    case 'Shift':
      return 'shiftKey';
    case 'Alt':
      return 'altKey';
    case 'Meta':
      return 'metaKey';
    default:
      return null;
  }
}

/**
 * Parses `Control+Shift+k` to keys, in order. The plus key is written `+` or `Control++`. Meta becomes Control except on macOS. Returns
 * null if a name is unknown.
 */
export function combination(text: string, isMac: boolean): Key[] | null {
  const names = text === '+' ? ['+'] : text.replace(/\+\+$/, '+plus').split('+');
  const keys = names.map((name) => parseKey(name === 'plus' ? '+' : name.trim() || name));
  if (keys.some((key) => key === null)) return null;
  return (keys as Key[]).map((key) =>
    key.key === 'Meta' && !isMac ? { key: 'Control', code: 'ControlLeft', keyCode: 17 } : key,
  );
}
