import { checkModel } from '../core/check-model.js';
import { checkOptions, type OptionKind } from '../core/check-options.js';
import type { ChatModel } from '../core/model.js';
import { checkBudget, type Budget } from '../agent/policy/budget.js';

/** Options of `subagents()`. */
export interface SubagentsOptions {
  /** Model of the sub-agents. @default the model of the role */
  model?: ChatModel;
  /**
   * Tools of the sub-agents, by name, out of those in `tools` of the role: a group (`Editor`), some commands of a group (`Editor:read,search_dir`), a
   * command, or a tag.
   *
   * @default all, apart from this command
   */
  tools?: readonly string[];
  /** Maximum steps of a sub-agent. @default 20 */
  steps?: number;
  /** Limits of a sub-agent. What is left of the budgets of role and session limits it, too. @default only those */
  budget?: Budget;
  /** Further instructions for sub-agents. @default nothing */
  instruction?: string;
}

const SUBAGENTS_OPTION_KINDS: Record<keyof SubagentsOptions, OptionKind> = {
  model: true,
  tools: 'list',
  steps: 'count',
  budget: true,
  instruction: 'text',
};

/** @throws RoleZeroError `invalid` naming an option that does not exist, or whose value cannot be used. */
export function checkSubagentsOptions(options: SubagentsOptions): void {
  checkOptions('subagents()', options, SUBAGENTS_OPTION_KINDS);
  if (options.model !== undefined) checkModel(options.model, 'model');
  if (options.budget !== undefined) checkBudget(options.budget);
}
