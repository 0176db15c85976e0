import { describe, expect, it } from 'vitest';
import { attemptLine, reportText, totalsByLoop, type Attempt } from '../../../scripts/eval/report.js';

const MEASURES = {
  steps: 2,
  calls: 3,
  invalidReplies: 0,
  invented: 0,
  dropped: 1,
  repeated: 2,
  falseClaims: 0,
  promptTokens: 1_000,
  completionTokens: 50,
  firstWordMs: 200,
  ms: 1_500,
};
const solved: Attempt = {
  task: 'fix/pages',
  kind: 'fix',
  loop: 'rolezero',
  round: 1,
  solved: true,
  cause: null,
  reason: '',
  ...MEASURES,
};
const failed: Attempt = {
  ...solved,
  task: 'edit/price',
  kind: 'edit',
  solved: false,
  cause: 'not done',
  reason: 'The price is\n\u001b[31m3.00.',
  steps: 5,
  invalidReplies: 1,
};
const other: Attempt = { ...failed, loop: 'ai-sdk', cause: 'wrong file' };

describe('the report of an evaluation', () => {
  it('adds up attempts by loop, with the causes of failures', () => {
    expect(totalsByLoop([solved, failed, other])).toEqual({
      rolezero: {
        attempts: 2,
        solved: 1,
        causes: { 'not done': 1 },
        steps: 7,
        calls: 6,
        invalidReplies: 1,
        invented: 0,
        dropped: 2,
        repeated: 4,
        falseClaims: 0,
        promptTokens: 2_000,
        completionTokens: 100,
        firstWordMs: 400,
        ms: 3_000,
      },
      'ai-sdk': {
        attempts: 1,
        solved: 0,
        causes: { 'wrong file': 1 },
        ...MEASURES,
        steps: 5,
        invalidReplies: 1,
      },
    });
  });

  it('shows averages by kind, failures by cause, and that it is incomplete', () => {
    const report = {
      version: 1,
      model: 'a-model',
      server: 'localhost',
      contextWindow: null,
      replyFormat: null,
      preset: null,
      temperature: null,
      startedAt: '',
      endedAt: '',
      totals: {},
    } as const;
    expect(reportText({ ...report, planned: 3, attempts: [solved, failed] })).toBe(
      `Model: a-model

Incomplete: 2 of 3 attempts.

rolezero  solved  steps  calls  tokens in  tokens out  invented  dropped  repeated  false claims  first word   time
edit      0 of 1    5.0    3.0      1,000          50         0        1         2             0       0.2 s  1.5 s
fix       1 of 1    2.0    3.0      1,000          50         0        1         2             0       0.2 s  1.5 s
all       1 of 2    3.5    3.0      1,000          50         0        2         4             0       0.2 s  1.5 s
Failures by cause:
  not done: 1 (edit/price)
Steps, calls, tokens and times are averages per task. Invented, dropped and repeated commands, and false claims, are counted.
Invalid replies: 1 in 7 steps.
`,
    );
  });

  it('prints the reason of a failure in one line without control characters', () => {
    expect(attemptLine(failed, true)).toBe(
      '✗ edit/price (1), rolezero: not done, 5 steps, 3 calls, 1.5 s\n    The price is 3.00.',
    );
    expect(attemptLine(solved, false)).toBe('✓ fix/pages, rolezero: solved, 2 steps, 3 calls, 1.5 s');
  });
});
