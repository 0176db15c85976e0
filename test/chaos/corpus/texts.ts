/**
 * Texts that users write and texts that break programs. Each is used as the name of a folder, a file and a session,
 * and as a request, a task and a content.
 */
export const TEXTS: Readonly<Record<string, string>> = {
  arabic: 'قائمة المهام ليوم الغد',
  hebrew: 'רשימת קניות לשבת',
  persian: 'نیم‌فاصله در نامه‌ها', // with zero-width non-joiners
  hindi: 'कल के लिए सूची',
  thai: 'รายการสิ่งที่ต้องทำ',
  chinese: '明天的待办事项',
  japanese: '明日のやることリスト、ガギグ',
  korean: '내일 할 일 목록',
  decomposed: '내일 한국어 Ångström éé', // the same letters as others, decomposed
  russian: 'Список дел на завтра',
  greek: 'Λίστα για αύριο, ΌΣΟΣ',
  turkish: 'İıIi Yarının işleri',
  german: 'Straße, STRASSE, ẞ',
  family: '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇪🇺',
  'beyond the plane': '𝒯𝓱𝓮 𝕢𝕦𝕚𝕔𝕜 🀄 𠜎𠜱',
  zalgo: 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳',
  backwards: '\u202Etxt.exe\u202C \u2066isolated\u2069',
  invisible: 'a\u200Bb\u200Dc\uFEFFd\u00ADe\u2060f',
  'odd spaces': 'a\u00A0b\u2003c\u3000d\u2028e',
  markup: '<script>alert(1)</script> & <img src=x onerror=alert(2)>',
  formula: '=cmd|\' /C calc\'!A0 "quoted" `ticks` ${braces} {{more}}',
  shell: '$(rm -rf ~); `reboot` | cat ../../etc/passwd && : > x',
  numbers: '1E+02 -0 NaN Infinity 0x1F 1/0 undefined null true',
  json: '{"a":["b\\u0000",null,{"__proto__":{"c":1}}]}',
  keys: '__proto__ constructor prototype $bytes toString',
  fences: '```json\n[{"command_name": "end", "args": {}}]\n```',
  lines: 'one\r\ntwo\rthree\n\nfour\ttab\u0085five',
  long: 'a name that goes on and on, '.repeat(6),
};
