import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { cachedEmbedder } from './cached-embedder.js';
import { measureSet, type SetResult } from './conversation-recall.js';
import { readConversations } from './conversations.js';
import { measureNotes } from './note-recall.js';
import { belowBm25, noteTable, setTable, toolTable, type RecallResult } from './recall-report.js';
import { sentenceEncoder } from './sentence-encoder.js';
import { measureTools } from './tool-recall.js';

const CHATS = 'test/bench/assistant-chats';
const USAGE = `npm run bench:recall -- [SET...] [--tools FILE --queries FILE] [--notes SET] [--json OUT]

  SET        long conversations with questions: a JSON file, or a folder of such files. Default: ${CHATS}
             [{id, turns: [{id, session, date, speaker, text, imageCaption?}], questions: [{question, category, evidence: [turn id]}]}]
             Turns of the speaker "assistant" are messages of the role itself.
  --tools    tools, one JSON object per line: {name, description, parameters: {name: description}}
  --queries  requests for them, one per line: {query, domain: "in" | "out", tools: [name]}
  --notes    conversations of which a scripted note taker takes notes, in the form of a SET
  --json     output file for the result

Recall@10: the share of the evidence turns of a question among the first 10 recalled turns, averaged over questions.
The other data are not part of the package. LoCoMo (Maharana et al. 2024), QMSum (Zhong et al. 2021) and Seal-Tools (Wu et al. 2024) can be
converted to these forms.`;

/** Measures the selected parts, prints them as tables, and optionally writes JSON. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      tools: { type: 'string' },
      queries: { type: 'string' },
      notes: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const result: RecallResult = { date: new Date().toISOString().slice(0, 10) };
  if (values.tools === undefined || values.queries === undefined)
    console.log('Tools: skipped. Pass --tools FILE and --queries FILE.');
  else if (exist(values.tools, values.queries)) {
    result.tools = await measureTools(values.tools, values.queries);
    console.log(toolTable(result.tools));
  }
  const paths = (positionals.length === 0 ? [CHATS] : positionals).filter((path) => exist(path));
  if (paths.length > 0) result.sets = await measureSets(paths);
  if (values.notes !== undefined && exist(values.notes)) {
    result.notes = await measureNotes(readConversations(values.notes));
    console.log(noteTable(result.notes));
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  return result.sets === undefined && result.tools === undefined ? 1 : 0;
}

async function measureSets(paths: readonly string[]): Promise<Record<string, SetResult>> {
  const embedder = cachedEmbedder(await sentenceEncoder());
  const sets: Record<string, SetResult> = {};
  for (const path of paths) {
    const short = basename(path).replace(/\.json$/, '');
    const name = short in sets ? path : short;
    const result = await measureSet(readConversations(path), embedder);
    embedder.save();
    sets[name] = result;
    console.log(setTable({ [name]: result }));
    for (const line of belowBm25(name, result)) console.log(line);
  }
  return sets;
}

function exist(...paths: readonly string[]): boolean {
  const missing = paths.filter((path) => !existsSync(path));
  for (const path of missing) console.log(`The file ${path} does not exist.`);
  return missing.length === 0;
}
