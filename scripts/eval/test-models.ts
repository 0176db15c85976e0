import { main as evaluate } from './main.js';

const MISSING = `No model was tested: there is no server. Name one that speaks the OpenAI protocol, and its model:

  ROLEZERO_BASE_URL=http://localhost:8080/v1 ROLEZERO_MODEL=qwen2.5-coder:1.5b npm run test:models

ROLEZERO_API_KEY is its key, where it needs one. Local servers need none.
`;

/** Runs one task of each kind with the model that the environment names, else reports what is missing. Returns the exit code. */
export async function main(line: readonly string[]): Promise<number> {
  const { ROLEZERO_BASE_URL: url, ROLEZERO_MODEL: model } = process.env;
  if (url) {
    if (model) return evaluate(['--sample', ...line]);
    process.stdout.write(MISSING.replace('there is no server', 'ROLEZERO_MODEL is not set'));
  } else process.stdout.write(MISSING);
  return 0;
}
