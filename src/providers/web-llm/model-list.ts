import { ModelType, prebuiltAppConfig, type AppConfig, type ModelRecord } from '@mlc-ai/web-llm';
import { RoleZeroError } from '../../core/error.js';
import type { WebLLMModel } from './choose-model.js';

/** Default context window in tokens, when a list does not specify one. Models of web-llm's own list are built with it. */
const USUAL_WINDOW = 4096;

/**
 * Returns the language models in the order of their list, without embedding models. By default, lists the models built for the exact
 * web-llm release that this library requires.
 *
 * @example models().filter(({ vramMB }) => vramMB !== null && vramMB < 2_000)
 */
export function models(appConfig: AppConfig = prebuiltAppConfig): WebLLMModel[] {
  return appConfig.model_list.filter((record) => record.model_type !== ModelType.embedding).map(toModel);
}

/** @throws RoleZeroError `invalid` for an id that is not in the list. */
export function recordOf(id: string, { model_list: list }: AppConfig): ModelRecord {
  const record = list.find(({ model_id }) => model_id === id);
  if (record !== undefined) return record;
  const family = id.split('-')[0]?.toLowerCase() ?? '';
  const near = list.map(({ model_id }) => model_id).filter((name) => name.toLowerCase().startsWith(family));
  const some = (near.length > 0 ? near : list.map(({ model_id }) => model_id)).slice(0, 8);
  throw new RoleZeroError(
    'invalid',
    `web-llm has no model ${JSON.stringify(id)} in its list. It has ${some.join(', ')}${some.length < list.length ? ' …' : ''}.`,
    { model: id },
  );
}

export function toModel(record: ModelRecord): WebLLMModel {
  const features = new Set(record.required_features);
  // The list declares this requirement for some models only. Without the feature, shaders fail to compile after the download.
  if (/q\df16/.test(record.model_id)) features.add('shader-f16');
  return {
    id: record.model_id,
    vramMB: record.vram_required_MB ?? null,
    contextWindow: defaultWindow(record),
    features: [...features],
    bufferBytes: record.buffer_size_required_bytes ?? null,
    lowResource: record.low_resource_required ?? false,
  };
}

function defaultWindow({ overrides = {} }: ModelRecord): number {
  const sizes = [overrides.context_window_size, overrides.sliding_window_size];
  return sizes.find((size) => size !== undefined && size > 0) ?? USUAL_WINDOW;
}
