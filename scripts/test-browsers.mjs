// @ts-check
/** Finds the browsers of the tests, and installs those that are missing where that needs no question to the user. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumPath } from './chromium.mjs';
import { OTHER_ENGINES, otherEngines } from './other-engines.mjs';

const { resolve } = createRequire(import.meta.url);

/**
 * Returns the path of a Chromium that starts, and prints it. Installs one when none is found: Playwright's own, or else the
 * distribution's. Ends the process when that fails, too.
 */
export async function findChromium() {
  const path = (await working(chromiumPath())) ?? (await installed());
  if (path === undefined) {
    console.error(
      'No Chromium, Chrome or Edge starts. Install one, or set its path: CHROMIUM_PATH=/path/to/chrome npm test',
    );
    process.exit(1);
  }
  console.log(`Browser: ${path}`);
  return path;
}

/** Installs the missing ones of Firefox and WebKitGTK, as root on Debian. */
export function installEngines() {
  const missing = keys(OTHER_ENGINES).filter((engine) => !otherEngines().includes(engine));
  if (missing.length === 0 || !canInstall()) return;
  console.log(
    `Installing ${missing.map((engine) => OTHER_ENGINES[engine].label).join(' and ')} with apt-get.`,
  );
  aptInstall(missing.flatMap((engine) => OTHER_ENGINES[engine].packages));
}

/** Prints for each other engine whether tests run in it. */
export function reportEngines() {
  for (const engine of keys(OTHER_ENGINES)) {
    const { label, packages } = OTHER_ENGINES[engine];
    if (otherEngines().includes(engine)) console.log(`${label}: installed`);
    else
      console.log(
        `${label}: not installed, its tests are skipped. Debian: apt-get install ${packages.join(' ')}`,
      );
  }
}

/**
 * @template {string} Key
 * @param {Readonly<Record<Key, unknown>>} record
 */
function keys(record) {
  return /** @type {Key[]} */ (Object.keys(record));
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** @param {readonly string[]} packages */
function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], env);
}

/**
 * Returns the path if a browser starts from it. Some distributions install a script there that only prints how to get
 * one.
 *
 * @param {string | undefined} path
 */
async function working(path) {
  if (path === undefined) return undefined;
  try {
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
    await browser.close();
    return path;
  } catch (error) {
    console.log(`${path} does not start: ${messageOf(error).split('\n')[0]}`);
    return undefined;
  }
}

async function installed() {
  if (process.env.CHROMIUM_PATH) return undefined; // never replace the requested browser
  console.log('No browser found: installing Chromium with Playwright.');
  const playwright = join(dirname(resolve('playwright/package.json')), 'cli.js');
  run(process.execPath, [playwright, 'install', 'chromium']);
  const own = await working(existing(chromium.executablePath()));
  if (own !== undefined) return own;
  if (!canInstall()) return undefined;
  console.log('That failed: installing Chromium with apt-get.');
  aptInstall(['chromium']);
  return working(existing('/usr/bin/chromium'));
}

/** @param {string | undefined} path */
function existing(path) {
  return path && existsSync(path) ? path : undefined;
}

/**
 * Runs a step that may fail, and prints its output only in that case.
 *
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args, env = process.env) {
  try {
    execFileSync(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  } catch (error) {
    const output = messageOf(error).trim();
    console.log(`${command} ${args.join(' ')} failed: ${output.split('\n').slice(-3).join(' | ')}`);
  }
}

/** @param {unknown} error */
function messageOf(error) {
  const { stderr, message } = /** @type {{ stderr?: Buffer, message: string }} */ (error);
  return String(stderr?.length ? stderr : message);
}
