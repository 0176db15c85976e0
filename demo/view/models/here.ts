import { html, nothing, type TemplateResult } from 'lit';
import type { ErrorData } from 'rolezero';
import type { App } from '../../app.js';
import type { ModelDownload, State } from '../../state/app-state.js';
import { factsOf, friendlyName, secondsToFirstWords, TOO_SLOW_S } from '../../state/model-facts.js';
import type { Way } from '../../state/offers.js';
import { CPU_WINDOW } from '../../state/settings.js';
import type { StoredModel } from '../../state/stored-models.js';
import { secondsLeft } from '../../state/transfer-rate.js';
import { dialogTexts, type DialogTexts } from '../../text/dialogs.js';
import { bytesText, downloadText, lackText, nameOfWay } from '../../text/ways.js';
import { icon, iconButton } from '../icons.js';
import { noticeView } from '../notice.js';

const KINDS: readonly Way['kind'][] = ['web-llm', 'chrome', 'wllama'];

/** Models in this browser: what can be downloaded, what is, and the user's own file. */
export function hereView(state: State, app: App): TemplateResult {
  const { ways, stock, considered } = state;
  const d = dialogTexts(state);
  if (ways === null)
    return html`<p class="aside" role="status"><span class="spinner"></span> ${d.looking}</p>`;
  const own = ways.ways.filter(({ kind }) => KINDS.includes(kind));
  const other = considered ?? state.download?.way ?? null; // The user's own file is in no list.
  const free = stock?.free ?? null;
  const lacks = ways.lacks.filter((lack) => lack !== 'no-local-server' && lack !== 'no-endpoint');
  return html`
    <p class="hint">
      ${d.hereAbout} ${free === null ? nothing : html`<span data-free>${d.free(bytesText(free))}</span>`}
    </p>
    <ul class="ways">
      ${other === null || own.some((way) => isSame(way, other)) ? nothing : wayView(other, state, app)}
      ${own.map((way) => wayView(way, state, app))}
    </ul>
    ${storedView(
      (stock?.models ?? []).filter((model) => !own.some((way) => isOf(model, way))),
      d,
      app,
    )}
    <details class="reasons">
      <summary>${d.ownFile}</summary>
      ${fileForm(state, app)}
    </details>
    ${
      lacks.length === 0
        ? nothing
        : html`<details class="reasons">
            <summary>${d.notFound}</summary>
            <ul>
              ${lacks.map((lack) => html`<li>${lackText(lack)}</li>`)}
            </ul>
          </details>`
    }
  `;
}

function wayView(way: Way, state: State, app: App): TemplateResult {
  const { download, stock, preparing } = state;
  const d = dialogTexts(state);
  const name = nameOfWay(way);
  const bytes = way.download?.bytes ?? null;
  const lacksSpace = bytes !== null && stock?.free != null && bytes > stock.free;
  const isBusy = preparing?.kind === 'chrome' || download !== null;
  const stored = stock?.models.find((model) => isOf(model, way));
  const failure = state.downloadFailure?.model === way.settings.model ? state.downloadFailure.error : null;
  return html`<li
    data-way=${way.kind}
    data-model=${way.settings.model}
    data-stored=${stored?.name ?? nothing}
  >
    <span class="text"
      ><strong
        >${name} ${way.isRecommended === true ? html`<span class="badge">${d.recommended}</span>` : nothing}
        ${way.download === null && way.kind !== 'chrome' ? html`<span class="badge good">${d.stored}</span>` : nothing}</strong
      >
      <small>${factsText(way, d)}</small>
      ${way.download === null ? nothing : html`<small>${downloadText(way.download)}</small>`}
      ${stored === undefined ? nothing : html`<small>${d.storedSize(bytesText(stored.bytes), stored.isComplete)}</small>`}
      ${firstWordsView(way, stock?.readingSpeed ?? null, d)}
      ${lacksSpace ? html`<small class="bad">${d.lacksSpace}</small>` : nothing}</span
    >
    ${stored === undefined || isBusy ? nothing : deleteButton(stored, d, app)}
    ${
      download?.way.settings.model === way.settings.model
        ? downloadView(download, d, app)
        : preparing?.kind === 'chrome' && way.kind === 'chrome'
          ? html`<progress max="1" .value=${preparing.share} aria-label=${name}></progress>`
          : html`<button
              type="button"
              class="small ${way.download === null || way.isRecommended === true ? '' : 'quiet framed'}"
              ?disabled=${isBusy}
              @click=${() => void app.control.guarded(() => app.models.use(way))}
            >
              ${way.download === null ? d.use : icon('save')}
              ${way.download === null ? nothing : d.download}<span class="sr"> ${name}</span>
            </button>`
    }
    ${failure === null ? nothing : failureView(failure)}
  </li>`;
}

/** When a model for the processor begins to answer here; with advice where that takes too long. */
function firstWordsView(
  { kind, download }: Way,
  readingSpeed: number | null,
  d: DialogTexts,
): TemplateResult | typeof nothing {
  const bytes = download?.bytes ?? null;
  if (kind !== 'wllama' || readingSpeed === null || bytes === null) return nothing;
  const seconds = secondsToFirstWords(bytes, readingSpeed);
  const time =
    seconds < 90 ? d.aboutSeconds(Math.ceil(seconds / 10) * 10) : d.aboutMinutes(Math.round(seconds / 60));
  return html`<small data-first-words=${Math.round(seconds)}>${d.firstWords(time)}</small>
    ${seconds > TOO_SLOW_S ? html`<small class="bad">${d.tooSlow}</small>` : nothing}`;
}

/** Why a model was not downloaded, or could not be loaded. */
function failureView({ code, message, detail }: ErrorData): TemplateResult {
  const advice = detail?.['kind'] === 'download' ? 'model-download' : code;
  return noticeView({ code, text: message, advice }, nothing);
}

function isSame(one: Way, { kind, settings }: Way): boolean {
  return (
    one.kind === kind && one.settings.model === settings.model && one.settings.baseURL === settings.baseURL
  );
}

/** Returns whether a downloaded model is that of an offer. */
function isOf(model: StoredModel, { kind, settings }: Way): boolean {
  return (
    model.kind === kind &&
    (kind === 'web-llm' ? model.name === settings.model : model.url === settings.baseURL)
  );
}

/** Speed, quality and requirements in a few words. */
function factsText(way: Way, d: DialogTexts): string {
  if (way.kind === 'chrome') return d.chromeAbout;
  const { speed, quality } = factsOf(way.name, way.kind === 'wllama');
  const memory = way.memoryMB === null ? [] : [d.needsMemory((way.memoryMB / 1_000).toFixed(1))];
  const where = way.kind === 'web-llm' ? d.onGpu : d.onProcessor;
  return [where, d.speeds[speed], d.qualities[quality], ...memory].join(' · ');
}

/** The progress of a download: bytes, speed, time left, and a button to cancel it. */
function downloadView(download: ModelDownload, d: DialogTexts, app: App): TemplateResult {
  const { phase, loaded, total, bytesPerSecond } = download;
  const left = secondsLeft(loaded, total, bytesPerSecond);
  const text =
    phase === 'load'
      ? d.testing
      : [
          total > 1 ? d.bytesOf(bytesText(loaded), bytesText(total)) : d.starting,
          ...(bytesPerSecond === null ? [] : [d.rate((bytesPerSecond / 1e6).toFixed(1))]),
          ...(left === null ? [] : [d.timeLeft(Math.ceil(left))]),
        ].join(' · ');
  return html`<span class="download" role="group" aria-label=${d.downloadProgress} data-download=${phase}>
    <progress
      max="1"
      .value=${total > 1 ? Math.min(1, loaded / total) : 0}
      aria-label=${d.downloadProgress}
    ></progress>
    <small>${text}</small>
    <button type="button" class="quiet framed small" @click=${() => app.models.cancelDownload()}>
      ${d.cancel}
    </button>
  </span>`;
}

/** Downloaded models that are not offered here, such as those for another GPU. */
function storedView(
  models: readonly StoredModel[],
  d: DialogTexts,
  app: App,
): TemplateResult | typeof nothing {
  if (models.length === 0) return nothing;
  const sum = models.reduce((bytes, model) => bytes + model.bytes, 0);
  return html`<section aria-labelledby="stored-title">
    <h3 id="stored-title">${d.storedTitle(bytesText(sum))}</h3>
    <ul class="stored">
      ${models.map((model) => {
        return html`<li data-stored=${model.name}>
          <span
            >${friendlyName(model.name)}
            <small>${d.storedSize(bytesText(model.bytes), model.isComplete)}</small></span
          >
          ${deleteButton(model, d, app)}
        </li>`;
      })}
    </ul>
  </section>`;
}

function deleteButton(model: StoredModel, d: DialogTexts, app: App): TemplateResult {
  const name = friendlyName(model.name);
  return iconButton(
    'trash',
    d.deleteModel(name),
    (button) => void app.delete({ what: 'model', name }, button, () => app.models.removeStored(model)),
  );
}

function fileForm(state: State, app: App): TemplateResult {
  const d = dialogTexts(state);
  const { settings } = state;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = (name: string): HTMLInputElement => form.elements.namedItem(name) as HTMLInputElement;
    void app.control.guarded(async () => {
      await app.models.chooseFile(field('file').value, field('fileWindow').valueAsNumber);
      form.closest('dialog')?.scrollTo({ top: 0 });
    });
  };
  const own = settings.where === 'processor' ? settings : null;
  return html`<form class="settings" aria-label=${d.ownFile} @submit=${submit}>
    <div class="pair">
      <label>
        ${d.fileAddress}
        <input
          name="file"
          type="url"
          required
          placeholder="https://…/model.gguf"
          .value=${own?.baseURL ?? ''}
        />
      </label>
      <label>
        ${d.fileWindow}
        <input
          name="fileWindow"
          type="number"
          min="2048"
          max="131072"
          required
          .value=${String(own?.contextWindow ?? CPU_WINDOW)}
        />
      </label>
    </div>
    <p class="hint">${d.fileHint}</p>
    <div class="buttons"><button type="submit" class="quiet framed">${d.checkFile}</button></div>
  </form>`;
}
