import { checkOptions } from '../../core/check-options.js';
import type { DocumentReader } from '../../core/document-reader.js';

/** Maximum size of one unpacked part by default, in bytes: the page does nothing else for about a second for each MiB. */
const MAX_PART = 4 * 1024 * 1024;

interface DocxOptions {
  /** Maximum size of one unpacked part of a document in bytes; a document with a larger one is not read. @default 4 MiB */
  partBytes?: number;
}

/**
 * Reads the text of Word documents (`.docx`) that are attached to requests: paragraphs, lists and tables, without images, notes and
 * comments. Needs the package `mammoth`, which is loaded with the first document. Unpacks only the parts with text, up to a limit.
 *
 * @example const session = await connect(makeWorker, { readers: [docx()] })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function docx(options: DocxOptions = {}): DocumentReader {
  checkOptions('docx()', options, { partBytes: 'count' });
  const { partBytes = MAX_PART } = options;
  return {
    types: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    async read(document) {
      const [{ xmlParts }, { default: mammoth }] = await Promise.all([
        import('./xml-parts.js'),
        import('mammoth'),
      ]);
      const arrayBuffer = await xmlParts(document, partBytes);
      const { value } = await mammoth.extractRawText({ arrayBuffer });
      return value.replaceAll(/\n{3,}/g, '\n\n').trim();
    },
  };
}
