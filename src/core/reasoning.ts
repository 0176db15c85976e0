/** How much a model thinks before it replies. Models without this setting ignore it. */
export type Reasoning = 'none' | 'low' | 'medium' | 'high';

export const REASONING: readonly Reasoning[] = ['none', 'low', 'medium', 'high'];
