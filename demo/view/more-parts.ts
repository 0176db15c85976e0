import type { TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { MoreTab, State } from '../state/app-state.js';
import { inspectorView } from './inspector.js';
import { memoryView } from './memory.js';
import { notesView } from './notes.js';
import { teamView } from './team.js';
import { timelineView } from './timeline.js';

const PARTS: Readonly<Record<MoreTab, (state: State, app: App) => TemplateResult>> = {
  memory: memoryView,
  notes: notesView,
  team: teamView,
  timeline: timelineView,
  inspector: inspectorView,
};

/** A part that is shown under "More". All of them are loaded when the first one is shown. */
export function partView(part: MoreTab, state: State, app: App): TemplateResult {
  return PARTS[part](state, app);
}
