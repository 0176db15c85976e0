#!/usr/bin/env node
// @ts-check
/** `npm create rolezero`: creates an application with an agent. */
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { complete } from './ask.mjs';
import { DEFAULTS, HELP, readArguments } from './options.mjs';
import { scaffold } from './scaffold.mjs';

try {
  const { help, isInteractive, ...given } = readArguments(process.argv.slice(2));
  if (help) console.log(HELP);
  else if (isInteractive && stdin.isTTY) {
    const lines = createInterface({ input: stdin, output: stdout });
    const options = await complete(given, lines, console.log).finally(() => lines.close());
    console.log(scaffold(options));
  } else console.log(scaffold({ ...DEFAULTS, ...given }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
