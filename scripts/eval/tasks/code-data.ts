/** Tables of the tasks that need running programs: too long to be worked out without one. Each is the same at every start. */

/** Returns whole numbers below `limit`, which look random. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const REGIONS = ['North', 'East', 'South', 'West', 'Coast'];

interface Sale {
  date: string;
  region: string;
  cents: number;
}

const pickSale = numbers(7);
const SALES: readonly Sale[] = Array.from({ length: 240 }, () => {
  const [month, day] = [pickSale(12) + 1, pickSale(28) + 1].map((part) => String(part).padStart(2, '0'));
  return {
    date: `2025-${month}-${day}`,
    region: REGIONS[pickSale(REGIONS.length)] ?? '',
    cents: 100 + pickSale(90_000),
  };
});

/** The sales as a table; amounts have two decimals. */
export const SALES_CSV = [
  'date,region,amount',
  ...SALES.map(({ date, region, cents }) => `${date},${region},${(cents / 100).toFixed(2)}`),
  '',
].join('\n');

/** Returns the sums of a table by key, in cents. */
export function sums(keyOf: (sale: Sale) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const sale of SALES) found.set(keyOf(sale), (found.get(keyOf(sale)) ?? 0) + sale.cents);
  return found;
}

const pickStation = numbers(11);
/** Temperatures of stations, in tenths of a degree. */
const READINGS: readonly { station: string; tenths: number }[] = Array.from({ length: 181 }, () => ({
  station: `S${pickStation(6) + 1}`,
  tenths: pickStation(400) - 100,
}));

export const READINGS_CSV = [
  'station,temperature',
  ...READINGS.map(({ station, tenths }) => `${station},${(tenths / 10).toFixed(1)}`),
  '',
].join('\n');

/** Returns the median temperature of each station. */
export function medians(): Record<string, number> {
  const stations = [...new Set(READINGS.map(({ station }) => station))].sort();
  const entries = stations.map((name): [string, number] => {
    const sorted = READINGS.filter(({ station }) => station === name)
      .map(({ tenths }) => tenths)
      .sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    return [name, ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 20];
  });
  return Object.fromEntries(entries);
}

/** Prints a number that only a run can tell. */
export const SIMULATION = `// Usage: node simulate.mjs ROUNDS
let state = 12345;
let score = 0;
for (let round = 0; round < Number(process.argv[2]); round += 1) {
  state = (state * 1103515245 + 12345) % 2147483648;
  if (state % 6 === round % 6) score += state % 100;
}
console.log(\`score \${score}\`);
`;

/** Returns the score of the simulation, as its program computes it. */
export function scoreAfter(rounds: number): number {
  let [state, score] = [12_345, 0];
  for (let round = 0; round < rounds; round += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    if (state % 6 === round % 6) score += state % 100;
  }
  return score;
}

export const SHOP_SQL = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers, cents INTEGER NOT NULL, paid INTEGER NOT NULL);
`;

export const SHOP_ROWS = `INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bea'), (3, 'Cem'), (4, 'Dan');
INSERT INTO orders VALUES (1, 1, 500, 1), (2, 1, 700, 0), (3, 2, 900, 1), (4, 3, 200, 1), (5, 3, 800, 1), (6, 2, 300, 1);
`;
