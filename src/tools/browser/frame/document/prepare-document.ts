import { defined } from '../../../../core/defined.js';
import { newId } from '../../../../core/new-id.js';
import { driverSource } from '../../driver-source.js';
import { driverText, type DriverSettings } from '../../protocol.js';
import type { InlineScript } from '../error-place.js';
import { sourceFor, type Fetched, type PageSource } from '../sources.js';
import type { TabOptions } from '../tab-options.js';

import { asHtml, assemble } from './assemble.js';

/** A document that contains the driver, for a frame without an origin. */
export interface PreparedDocument {
  html: string;
  base: string;
  /** Authenticates the driver's first message. */
  nonce: string;
  /** Resources that could not be loaded. */
  missing: readonly string[];
  inlineScripts: readonly InlineScript[];
}

/** Inserts the driver and all resources into a document. `at` is the address that the page sees as its own. */
export async function prepareDocument(
  found: Fetched,
  at: URL,
  source: PageSource,
  { network, signal, dialogs, quiet }: Pick<TabOptions, 'network' | 'signal' | 'dialogs' | 'quiet'>,
  {
    firstId,
    history,
    storage,
    scrollTop,
  }: Required<Pick<DriverSettings, 'firstId' | 'storage'>> & {
    history: { index: number; length: number };
    scrollTop: number | undefined;
  },
): Promise<PreparedDocument> {
  const nonce = newId();
  const driver = driverText(driverSource, {
    nonce,
    url: at.href,
    firstId,
    dialogs: dialogs(at.origin),
    history: { index: history.index, length: history.length, state: null },
    storage,
    ...defined({ quiet, scrollTop }),
  });
  const made = await assemble(asHtml(found), at, { source: sourceFor(at, source), signal, network, driver });
  return { ...made, nonce };
}
