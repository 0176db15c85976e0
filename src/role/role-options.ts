import type { Action, Named } from '../base/message.js';
import type { ChatModel } from '../base/model.js';

/** How a role goes about its actions (spec 5.8): as the model chooses, one after the other, or by a plan of tasks. */
export type ReactMode = 'react' | 'by_order' | 'plan_and_act';

/** Fields of a role (spec 5.1); all optional but the model, which is needed as soon as the role thinks. */
export interface RoleOptions {
  /** Unique in a session; default: the class's id. */
  name?: string;
  profile?: string;
  goal?: string;
  constraints?: string;
  /** Replaces the sentence made of profile, name, goal and constraints. */
  desc?: string;
  model?: ChatModel;
  actions?: readonly (Action | (new () => Action))[];
  /** Causes whose messages set the role to work; default: what people ask for. */
  watch?: readonly Named[];
  reactMode?: ReactMode;
  /** Acts for one message; default 1. */
  maxReactLoop?: number;
  /** A person plays the role: what it would ask a model is asked of the person in front of the page. */
  isHuman?: boolean;
  /** Remember everything that arrives, also what does not concern the role. */
  observeAllMessages?: boolean;
  enableMemory?: boolean;
}
