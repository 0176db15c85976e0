import { describe, expect, it } from 'vitest';
import { sqlite } from '../../../src/runtimes/sqlite/node.js';
import { inTerminal, printedBy, run, write } from './harness.js';

const printed = (commandLine: string, files: Record<string, string> = {}) =>
  printedBy(sqlite(), commandLine, files);
const CREATE =
  'sqlite3 a.db "create table t(id integer primary key, name text, x real); insert into t values (1, \'a\', 1.5), (2, null, 2)";';

describe('sqlite3', () => {
  it('stores a database as a file of the session', async () => {
    const steps = [run(CREATE), run('sqlite3 a.db "select * from t"; ls'), run('head -c 15 a.db')];
    const { printed: shown } = await inTerminal(sqlite(), steps);
    expect(shown).toEqual(['', '1|a|1.5\n2||2.0\na.db\n', 'SQLite format 3']);
  });

  it('writes nothing when it only reads, and nothing for an empty database', async () => {
    expect(await printed('sqlite3 none.db ".tables"; ls; sqlite3 :memory: "select 1"; ls')).toBe('1\n');
  });

  it.each([
    ['-csv -header', 'id,name,x\r\n1,a,1.5\r\n2,"",2.0\r\n'],
    ['-json', '[{"id":1,"name":"a","x":1.5},\n{"id":2,"name":null,"x":2.0}]\n'],
    ['-column', 'id  name  x\n--  ----  ---\n1   a     1.5\n2         2.0\n'],
    [
      '-table -nullvalue NULL',
      '+----+------+-----+\n| id | name | x   |\n+----+------+-----+\n| 1  | a    | 1.5 |\n| 2  | NULL | 2.0 |\n+----+------+-----+\n',
    ],
    [
      '-box',
      '┌────┬──────┬─────┐\n│ id │ name │ x   │\n├────┼──────┼─────┤\n│ 1  │ a    │ 1.5 │\n│ 2  │      │ 2.0 │\n└────┴──────┴─────┘\n',
    ],
    ['-markdown', '| id | name | x   |\n|----|------|-----|\n| 1  | a    | 1.5 |\n| 2  |      | 2.0 |\n'],
    ['-line', '   id = 1\n name = a\n    x = 1.5\n\n   id = 2\n name = \n    x = 2.0\n'],
    ['-separator ";" -header', 'id;name;x\n1;a;1.5\n2;;2.0\n'],
    ['-quote', "1,'a',1.5\n2,NULL,2.0\n"],
  ])('prints rows with %s', async (option, expected) => {
    expect(await printed(`${CREATE} sqlite3 ${option} a.db "select * from t"`)).toBe(expected);
  });

  it('prints numbers, texts and bytes as SQLite does', async () => {
    expect(
      await printed(
        `sqlite3 :memory: "select 9223372036854775807, 0.1 + 0.2, 1e20, 1e-7, 3.0, -0.5, x'616263', 'é', 1/0"`,
      ),
    ).toBe('9223372036854775807|0.3|1.0e+20|1.0e-07|3.0|-0.5|abc|é|\n');
  });

  it('runs dot commands', async () => {
    const line = `${CREATE} sqlite3 a.db "create view v as select 1; create index i on t(name)"; sqlite3 a.db .tables .schema .indexes; sqlite3 a.db ".headers on" ".mode csv" "select id from t order by id"`;
    expect(await printed(line)).toBe(
      't  v\nCREATE TABLE t(id integer primary key, name text, x real);\nCREATE INDEX i on t(name);\nCREATE VIEW v as select 1;\ni\nid\r\n1\r\n2\r\n',
    );
  });

  it('imports CSV in other encodings, and no binary file', async () => {
    const line =
      'echo bmFtZQpjYWbpCg== | base64 -d > l.csv; echo //5uAOkACgA4AAoA | base64 -d > u.csv; echo AAEC | base64 -d > b.csv; ' +
      'sqlite3 p.db ".import --csv l.csv l" ".import --csv u.csv u" "select name from l" "select né from u"; ' +
      'sqlite3 p.db ".import --csv b.csv b" 2>&1';
    expect(await printed(line)).toBe('café\n8\nError: "b.csv" is not a text file\n[exit code]: 1');
  });

  it('imports and exports CSV', async () => {
    const files = { '/people.csv': 'name,age\n"Doe, ""J""",42\nRoe,7\nshort\n' };
    const line =
      'sqlite3 p.db ".import --csv people.csv people" "select name, age from people where cast(age as integer) > 10" ".schema"; ' +
      'sqlite3 p.db ".mode csv" ".once out.csv" "select * from people limit 1" "select count(*) from people"; cat out.csv';
    expect(await printed(line, files)).toBe(
      'Doe, "J"|42\nCREATE TABLE "people"(\n"name" TEXT, "age" TEXT);\n3\r\n"Doe, ""J""",42\r\n' +
        'people.csv:3: expected 2 columns but found 1 - filling the rest with NULL\n',
    );
    const existing =
      'sqlite3 q.db "create table n(a text, b integer)" ".import --csv --skip 1 people.csv n" "select typeof(b) from n limit 1"';
    expect(await printed(existing, files)).toContain('integer\n');
  });

  it('reads scripts from input and files, with statements over several lines', async () => {
    const script =
      "create table t(a);\ncreate trigger g after insert on t begin\n  delete from t where a < 0;\nend;\ninsert into t values (1),\n (-1);\n.mode quote\nselect a, 'x;y' from t; -- end\n";
    expect(await printed('sqlite3 a.db < s.sql; sqlite3 b.db ".read s.sql"', { '/s.sql': script })).toBe(
      "1,'x;y'\n1,'x;y'\n",
    );
  });

  it('dumps a database that can be read again', async () => {
    expect(
      await printed(
        `${CREATE} sqlite3 a.db .dump > d.sql; sqlite3 b.db < d.sql; sqlite3 b.db "select * from t"; grep -c INSERT d.sql`,
      ),
    ).toBe('1|a|1.5\n2||2.0\n2\n');
  });

  it('names mistakes, stops at the first one, and stores what ran before it', async () => {
    expect(
      await printed(
        `sqlite3 a.db "create table t(a); choose 1; create table u(a)"; echo $?; sqlite3 a.db .tables`,
      ),
    ).toBe('1\nt\nError: near "choose": syntax error\n');
    expect(await printed('sqlite3 a.db .nope; sqlite3 --nope a.db; sqlite3 a.db ".read none"')).toBe(
      'Error: unknown command or invalid arguments: "nope". Enter ".help" for help\nsqlite3: Error: unknown option: --nope\n' +
        'Error: cannot open "none": ENOENT: no such file or directory, open \'/none\'\n[exit code]: 1',
    );
    expect(
      await printed('sqlite3 text.db "select 1 from t"', {
        '/text.db': 'this is no database, but a long text'.repeat(50),
      }),
    ).toContain('Error: file is not a database');
  });

  it('refuses what would be lost', async () => {
    expect(await printed(`sqlite3 a.db "attach 'b.db' as b"; sqlite3 a.db "vacuum into 'c.db'"`)).toMatch(
      /ATTACH of a file is not available here.*\n.*VACUUM INTO is not available here/u,
    );
    const { files } = await inTerminal(sqlite(), [
      write('/x', ''),
      run('sqlite3 -readonly a.db "create table t(a)"'),
    ]);
    expect(Object.keys(files)).toEqual(['/x']);
  });

  it('limits the memory of a query', async () => {
    const bomb = 'sqlite3 :memory: "select length(hex(zeroblob(200000000)))"';
    expect(await printed(bomb)).toContain('Error: out of memory');
  });
});
