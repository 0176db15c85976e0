/** The files that each idiom runs on, below its directory. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'alpha\nbeta\ngamma\nbeta\ndelta\n',
  'b.txt': 'beta\ndelta\nomega\n',
  'nl.txt': 'first\n\nthird without an end',
  'crlf.txt': 'one\r\ntwo\r\n',
  'uni.txt': 'é😀 naïve\n日本語\n',
  'd.csv': 'name,qty,price\napple,3,1.50\npear,10,0.25\nfig,7,4.00\n',
  'log.txt': [
    '2024-01-03 ERROR user1 login 120ms',
    '2024-01-01 INFO user2 start 5ms',
    '2024-01-02 ERROR user1 save 30ms',
    '2024-01-02 WARN user3 slow 1500ms',
    '2024-01-04 INFO user2 stop 45ms',
    '2024-01-05 DEBUG user3 trace 8ms',
    '',
  ].join('\n'),
  'p.json':
    '{"name":"app","version":"1.2.3","list":[3,1,2],"deps":{"x":"^1","a":"~2"},"nested":[{"id":1,"tag":"a"},{"id":2,"tag":"b"}]}\n',
  'readme.md': '# Title\n\nText with TODO inside.\n\n## Part\n\n- item one\n- item two\n',
  'empty.txt': '',
  'src/m.js': '// TODO: rename\nexport const one = 1;\nexport function two() {\n  return 2;\n}\n',
  'src/n.ts': "import { one } from './m.js';\nconsole.log(one); // TODO\n",
  'src/lib/deep.js': 'module.exports = 42;\n',
  'with space.txt': 'spaced\n',
};
