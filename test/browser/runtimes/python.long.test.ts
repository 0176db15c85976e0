import { expect, test } from 'vitest';
import { agent, outputs, run, useSessions, write, type Step } from '../tools/terminal/terminal-agent.js';

useSessions();

const start = (): Worker => new Worker(new URL('./programs.worker.ts', import.meta.url), { type: 'module' });
const options = { timeoutMs: 120_000 }; // the first program loads Python

async function printed(...steps: Step[]): Promise<string[]> {
  const { session } = await agent(steps, { start, options });
  const all = await outputs(session.send('go'));
  return all
    .filter((_text, at) => steps[at]?.[0] === 'Terminal.run_command')
    .map((text) => text.replace(' (pay attention to this.)', ''));
}

const MAIN = `import csv, json, os, sys
import helper
rows = list(csv.DictReader(open('data.csv')))
os.makedirs('/out', exist_ok=True)
with open('/out/rows.json', 'w') as out: json.dump(rows, out)
os.remove('data.csv')
print(helper.total(rows), sys.argv, os.environ['A'])
sys.exit(3)
`;
const HELPER = 'def total(rows):\n    return sum(int(row["b"]) for row in rows)\n';
const TESTS = `import sys, unittest
sys.path.append("/src")
from helper import total
class T(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([{"b": "2"}]), 2)
    def test_wrong(self):
        self.assertEqual(total([]), 1)
`;

test('runs code, files and tests over the files of the session', async () => {
  const [code, file, tests, piped, missing, failing, waiting] = await printed(
    run('python -c "print(1 + 1)"; python --version'),
    write('/src/data.csv', 'a,b\n1,2\n3,4\n'),
    write('/src/main.py', MAIN),
    write('/src/helper.py', HELPER),
    run('cd src; export A=x; python main.py one "two three"; echo $?; cat /out/rows.json; ls; cd /'),
    write('/test_helper.py', TESTS),
    run('python -m unittest 2>&1'),
    run(
      'printf "a\\nb\\n" | python -c "import sys; print([line.strip() for line in sys.stdin])"; echo "print(5)" | python',
    ),
    run('python -c "import numpy"'),
    run('python -c "\ndef f():\n    raise ValueError(\'bad\')\nf()"'),
    run(
      'python -c "\nimport asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    return 7\nprint(asyncio.run(f()))"',
    ),
  );
  expect(code).toMatch(/^2\nPython 3\.\d+\.\d+ \(Pyodide .*\)\n$/u);
  expect(file).toBe(
    '6 [\'/src/main.py\', \'one\', \'two three\'] x\n3\n[{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]helper.py\nmain.py\n',
  );
  expect(tests).toMatch(
    /FAIL: test_wrong[^]*AssertionError: 0 != 1[^]*Ran 2 tests in [^]*FAILED \(failures=1\)\n\[exit code\]: 1$/u,
  );
  expect(piped).toBe("['a', 'b']\n5\n");
  expect(missing).toContain(
    "ModuleNotFoundError: No module named 'numpy'\nThe package numpy is not here, and none can be installed.",
  );
  expect(failing).toBe(
    'Traceback (most recent call last):\n  File "<string>", line 4, in <module>\n  File "<string>", line 3, in f\nValueError: bad\n[exit code]: 1',
  );
  expect(waiting).toBe('7\n');
});

test('gives each program a fresh interpreter', async () => {
  const leak = `import builtins, json; builtins.leak = 1; json.leak = 2; open('/f', 'w').write('x')`;
  const look = `import builtins, json; print(hasattr(builtins, 'leak'), hasattr(json, 'leak'), open('/f').read())`;
  expect(await printed(run(`python -c "${leak}"`), run(`python -c "${look}"`))).toEqual([
    '',
    'False False x\n',
  ]);
});

test('is stopped at the time limit, leaves no changes, and the session continues', async () => {
  const steps = [
    run('python -c "print(1)"'),
    run(`python -c "open('/half', 'w').write('x')\nwhile True: pass"`),
    run('ls /; python -c "print(2)"'),
  ];
  const { session } = await agent(steps, { start, options: { timeoutMs: 25_000 } });
  const shown = await outputs(session.send('go'));
  expect(shown[1]).toContain('The command was stopped after 25 seconds');
  expect(shown[2]).toBe('2\n (pay attention to this.)');
});
