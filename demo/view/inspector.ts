import { html, type TemplateResult } from 'lit';
import 'rolezero/inspector';
import { roleNames } from '../agent-config.js';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { isTeam } from '../state/session-names.js';
import { partTexts } from '../text/parts.js';

/** Prompts, replies, tokens, approvals and storage of the session, for developers. */
export function inspectorView(state: State, app: App): TemplateResult {
  const { inspector, purposes } = partTexts(state);
  return html`<rolezero-inspector
    .roles=${roleNames(isTeam(state.session))}
    .words=${{ purposes, ...inspector }}
    .session=${app.control.session}
  ></rolezero-inspector>`;
}
