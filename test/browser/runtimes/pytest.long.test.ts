import { expect, test } from 'vitest';
import { agent, outputs, run, useSessions, write } from '../tools/terminal/terminal-agent.js';

useSessions();

const CODE = 'def total(prices):\n    return sum(prices)\n';
const TESTS = `import pytest
from shop import total

@pytest.fixture
def prices():
    return [2, 3]

@pytest.mark.parametrize("more, expected", [(0, 5), (1, 6), (2, 8)])
def test_total(prices, more, expected):
    assert total(prices + [more]) == expected

def test_error():
    with pytest.raises(TypeError):
        total(["2"])
`;

test('pytest runs tests where the application hosts it, and leaves no files', async () => {
  const steps = [
    write('/shop.py', CODE),
    write('/test_shop.py', TESTS),
    run('python -m pytest -q; echo "code $?"'),
    run('python -m pytest -q -k error; echo "code $?"; ls -a /'),
    run('python -c "import numpy"'),
  ];
  const start = (): Worker => new Worker(new URL('./pytest.worker.ts', import.meta.url), { type: 'module' });
  const { session } = await agent(steps, { start, options: { timeoutMs: 120_000 } });
  const [, , all, one, other] = await outputs(session.send('go'));
  expect(all).toMatch(
    /FAILED test_shop\.py::test_total\[2-8\] - assert 7 == 8[^]*1 failed, 3 passed in [^]*code 1/u,
  );
  expect(one).toMatch(/1 passed, 3 deselected in [^]*code 0\n\.\n\.\.\nshop\.py\ntest_shop\.py\n/u);
  expect(other).toContain('The package numpy is not here, and none can be installed.');
});
