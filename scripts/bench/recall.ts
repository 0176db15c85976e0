import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConversations } from './conversations.js';
import { measureLocomo, type LocomoResult } from './locomo.js';
import { sentenceEncoder } from './sentence-encoder.js';
import { measureTools, type ToolResult } from './tool-recall.js';

const USAGE = `npm run bench:recall -- [--locomo FILE] [--tools FILE --queries FILE] [--json OUT]

  --locomo   long conversations with questions, as JSON:
             [{id, turns: [{id, session, date, speaker, text, imageCaption?}], questions: [{question, category, evidence: [turn id]}]}]
  --tools    tools, one JSON object per line: {name, description, parameters: {name: description}}
  --queries  requests for them, one per line: {query, domain: "in" | "out", tools: [name]}
  --json     output file for the result

The data are not part of the package. LoCoMo (Maharana et al. 2024) and Seal-Tools (Wu et al. 2024) can be converted to that form.`;

/** Measures the selected parts, prints them as a table, and optionally writes JSON. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      locomo: { type: 'string' },
      tools: { type: 'string' },
      queries: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true || (values.locomo === undefined && values.tools === undefined)) {
    console.log(USAGE);
    return values.help === true ? 0 : 1;
  }
  const result: { locomo?: LocomoResult; tools?: ToolResult } = {};
  if (values.tools !== undefined && values.queries !== undefined && here(values.tools, values.queries)) {
    result.tools = await measureTools(values.tools, values.queries);
    console.log(tableOf('Tools: recall among the first 5', Object.entries(result.tools)));
  } else console.log('Tools: skipped. Pass --tools FILE and --queries FILE.');
  if (values.locomo !== undefined && here(values.locomo)) {
    result.locomo = await measureLocomo(readConversations(values.locomo), await sentenceEncoder());
    const { questions, byCategory, ...shares } = result.locomo;
    const categories = Object.entries(byCategory).map(([name, share]): Row => [`category ${name}`, share]);
    console.log(
      tableOf(`LoCoMo, ${questions} questions: recall among the first 10`, [
        ...Object.entries(shares),
        ...categories,
      ]),
    );
  } else console.log('LoCoMo: skipped. Pass --locomo FILE.');
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  return result.locomo === undefined && result.tools === undefined ? 1 : 0;
}

type Row = [name: string, share: number];

function here(...paths: readonly string[]): boolean {
  const missing = paths.filter((path) => !existsSync(path));
  for (const path of missing) console.log(`The file ${path} does not exist.`);
  return missing.length === 0;
}

function tableOf(title: string, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    title,
    ...rows.map(([name, share]) => `  ${name.padEnd(width)}  ${(100 * share).toFixed(1)} %`),
  ].join('\n');
}
