import type { Action, Named } from '../core/message.js';
import type { ChatModel } from '../core/model.js';

/** How a role works on its actions: as the model chooses, in order, or by a plan of tasks. */
export type ReactMode = 'react' | 'by_order' | 'plan_and_act';

/** Options of a role. Only the model is required, as soon as the role thinks. */
export interface RoleOptions {
  /** Unique in a session. @default the id of the class */
  name?: string;
  profile?: string;
  goal?: string;
  constraints?: string;
  /** Replaces the sentence made of profile, name, goal and constraints. */
  desc?: string;
  model?: ChatModel;
  actions?: readonly (Action | (new () => Action))[];
  /** Causes whose messages start a turn. @default requests of the user */
  watch?: readonly Named[];
  reactMode?: ReactMode;
  /** Maximum steps of a turn. @default 1 */
  maxReactLoop?: number;
  /** A user plays the role: questions to the model go to the user instead. @default false */
  isHuman?: boolean;
  /** Remembers all messages, also those that do not concern the role. @default false */
  observeAllMessages?: boolean;
  enableMemory?: boolean;
}
