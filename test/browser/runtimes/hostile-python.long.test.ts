import { expect, test } from 'vitest';
import { agent, outputs, run, useSessions, write } from '../tools/terminal/terminal-agent.js';

useSessions();

const start = (): Worker => new Worker(new URL('./programs.worker.ts', import.meta.url), { type: 'module' });

/** Each attempt is a function that returns what it got; an error is what it should get. */
const ATTEMPTS = `
import sys, gc, os
def by_import(name):
    return __import__(name)
def js(): return by_import('js')
def pyodide_js(): return by_import('pyodide_js')
def run_js():
    from pyodide.code import run_js
    return run_js('1')
def http(): return by_import('pyodide.http')
def core(): return by_import('_pyodide_core')
def base(): return by_import('_pyodide')
def reload_js():
    import importlib
    del sys.modules['js']
    return importlib.import_module('js')
def finders():
    import importlib.util
    return importlib.util.find_spec('js') or 1 / 0
def proxies():
    return [proxy for proxy in gc.get_objects() if type(proxy).__name__ == 'JsProxy']
def constructor():
    for proxy in proxies():
        made = proxy.constructor.constructor('return globalThis')()
        return made
    1 / 0
def fetch_by_proxy():
    for proxy in proxies():
        for name in ('fetch', 'indexedDB', 'XMLHttpRequest', 'navigator', 'postMessage', 'caches', 'importScripts'):
            if getattr(proxy, name, None) is not None: return name
    1 / 0
def loop_globals():
    import asyncio
    loop = asyncio.new_event_loop()
    for name, value in type(loop).__init__.__globals__.items():
        if type(value).__name__ == 'JsProxy': return value.constructor.constructor('return 1')()
    1 / 0
def url():
    import urllib.request
    return urllib.request.urlopen('http://localhost/').read()
def socket():
    import socket
    s = socket.socket(); s.settimeout(2); s.connect(('127.0.0.1', 80)); s.send(b'x')
    return s.recv(1)
def system(): return os.system('ls') == 0 or 1 / 0
def process():
    import subprocess
    return subprocess.run(['ls'], check=True)
def fork(): return os.fork()
def thread():
    import threading
    t = threading.Thread(target=print); t.start(); return t
def device(): return open('/dev/sda').read()
def machine(): return open('/etc/passwd').read()
def proc(): return open('/proc/self/environ').read()
for name, attempt in list(globals().items()):
    if callable(attempt) and getattr(attempt, '__module__', '') == '__main__' and name not in ('by_import', 'proxies'):
        try:
            print('GOT', name, str(attempt())[:100])
        except BaseException as error:
            print('no', name)
`;

test('a hostile Python program finds nothing outside, and the session continues', async () => {
  const { session } = await agent(
    [
      write('/attempts.py', ATTEMPTS),
      run('python attempts.py'),
      run('python -c "\nall = []\nwhile True: all.append(bytearray(100_000_000))" 2>&1 | tail -1'),
      run('python -c "\nimport sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()" 2>&1 | tail -c 200'),
      run(`python -c "while True: print('x' * 100000)" 2>&1 | tail -c 60`),
      run(
        `python -c "import ctypes; ctypes.CDLL(None).emscripten_run_script(b'postMessage({ result: 1 })')" 2>&1 | tail -1`,
      ),
      run('python -c "print(1)"'),
    ],
    { start, options: { timeoutMs: 100_000 } },
  );
  const shown = await outputs(session.send('go'));
  expect(shown[1]?.match(/GOT .*/gu) ?? []).toEqual([]);
  expect(shown[1]?.match(/^no /gmu)).toHaveLength(20);
  expect(shown[2]).toContain('MemoryError');
  expect(shown[3]).toMatch(/RecursionError|interpreter failed|stack/u);
  expect(shown[4]).toContain('bytes of output');
  expect(shown[5]).toContain('Code cannot be made from text here');
  expect(shown[6]).toBe('1\n (pay attention to this.)');
});
