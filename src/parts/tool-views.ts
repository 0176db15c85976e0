import type { ShownView } from '../core/tool.js';
import { markForgedLines } from '../agent/prompt/forged-lines.js';
import { sections } from '../agent/prompt/template.js';
import type { AgentPart, PartAgent, Section, Seen } from '../agent/runtime/part.js';

const NAME = 'tools';

/** What the tools of an agent show, such as the open page: sent to the model once, after the commands that led to it. See `ToolView`. */
export function toolViews(agent: PartAgent): AgentPart {
  const stateOf = (group: string) => agent.state.tools[group] ?? {};
  /** Serials of the views that the model has received, by group. */
  const sentOf = (group: string): number => Number(agent.state.parts[NAME]?.[group] ?? 0);
  const shownNow = (): [group: string, view: ShownView][] =>
    [...agent.registry.views].flatMap(([group, view]) => {
      const shown = view.shown?.(stateOf(group), sentOf(group)) ?? null;
      return shown === null ? [] : [[group, shown]];
    });
  return {
    name: NAME,
    section({ asksForCommands }) {
      if (!asksForCommands) return null;
      const shown = shownNow();
      return shown.length === 0 && agent.state.parts[NAME] === undefined ? null : sectionOf(agent, shown);
    },
    untrusted: () => shownNow().map(([, view]) => markForgedLines(view.text(true))),
    seen() {
      const seen: Partial<Seen> = {};
      for (const [group, view] of agent.registry.views)
        Object.assign(seen, view.seen?.(stateOf(group), sentOf(group)));
      return seen;
    },
  };
}

function sectionOf(agent: PartAgent, shown: readonly (readonly [string, ShownView])[]): Section {
  return {
    text: (fresh) => markForgedLines(sections(...shown.map(([, view]) => view.text(fresh)))),
    markSent: () => {
      if (shown.length === 0) Reflect.deleteProperty(agent.state.parts, NAME);
      else agent.state.parts[NAME] = Object.fromEntries(shown.map(([group, { serial }]) => [group, serial]));
    },
  };
}
