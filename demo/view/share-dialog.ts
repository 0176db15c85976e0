import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { pageToTakeOut } from '../state/main-page.js';
import {
  copyLink,
  downloadPage,
  downloadZip,
  MAX_LINK,
  openInTab,
  sendTo,
  SERVICES,
  shareOnDevice,
  type Service,
} from '../take-out.js';
import { dialogTexts, type DialogTexts } from '../text/dialogs.js';
import { icon, type IconName } from './icons.js';
import { singleClick } from './single-click.js';

/** Ways to take the result out of the session, each with what it does. */
export function shareDialog(state: State, app: App): TemplateResult {
  const d = dialogTexts(state);
  const page = pageToTakeOut(state);
  return html`<p class="hint">
      ${page === null ? d.noPageToShare : html`${d.pageToShare} ${isolated(page)}`}
    </p>
    ${sharedView(state, d)}
    <ul class="share-ways">
      ${page === null ? nothing : pageWays(page, app, d)}
      ${wayView('zip', 'folder', d.ways.zip, () => downloadZip(app))}
      ${wayView('session', 'chat', d.ways.session, () => app.control.export())}
      ${page === null ? nothing : serviceWays(page, app, d)}
    </ul>`;
}

function pageWays(page: string, app: App, d: DialogTexts): TemplateResult {
  const canShare = typeof navigator.share === 'function';
  return html`${canShare ? wayView('device', 'share', d.ways.device, () => shareOnDevice(app, page)) : nothing}
  ${wayView('tab', 'screen', d.ways.tab, () => openInTab(app, page))}
  ${wayView('link', 'copy', d.ways.link, () => copyLink(app, page))}
  ${wayView('file', 'save', d.ways.file, () => downloadPage(app, page))}`;
}

function serviceWays(page: string, app: App, d: DialogTexts): unknown {
  return Object.entries(SERVICES).map(([service, { name, address }]) =>
    wayView(service, 'upload', [d.openIn(name), d.sendsTo(new URL(address).host)], () =>
      sendTo(app, service as Service, page),
    ),
  );
}

function wayView(
  way: string,
  name: IconName,
  [title, about]: readonly [title: string, about: string],
  take: () => Promise<void>,
): TemplateResult {
  return html`<li>
    <button type="button" class="quiet" data-way=${way} @click=${singleClick(() => void take())}>
      ${icon(name)} <span><strong>${title}</strong><small>${about}</small></span>
    </button>
  </li>`;
}

/** What was taken out, and what is not in it. */
function sharedView({ shared }: State, d: DialogTexts): TemplateResult | typeof nothing {
  if (shared === null) return nothing;
  const { what, leftOut, link } = shared;
  const isWhole = leftOut.length === 0 && what !== 'too-large';
  const text =
    what === 'too-large' ? d.tooLarge(thousands(link?.length ?? 0), thousands(MAX_LINK)) : d.shared[what];
  return html`<div class="notice ${isWhole ? 'info' : 'warning'}" role="status" data-entry="shared">
    ${icon(isWhole ? 'check' : 'warn')}
    <div>
      <p>${text} ${isWhole && what !== 'sent' ? d.needsNoNetwork : nothing}</p>
      ${what === 'link' ? html`<input readonly aria-label=${d.linkLabel} .value=${link ?? ''} />` : nothing}
      ${
        leftOut.length === 0
          ? nothing
          : html`<p>${d.leftOut}</p>
              <ul>
                ${leftOut.map(({ address, reason }) => html`<li>${isolated(address)}: ${d.leftOutReasons[reason]}</li>`)}
              </ul>`
      }
    </div>
  </div>`;
}

/** The size of a link with so many characters, in kB. */
function thousands(characters: number): number {
  return Math.ceil(characters / 1_000);
}
