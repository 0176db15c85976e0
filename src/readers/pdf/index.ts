import { checkOptions } from '../../core/check-options.js';
import type { DocumentReader } from '../../core/document-reader.js';

/** Characters after which no more pages are read; a request takes no more. */
const MAX_PDF_CHARACTERS = 1_000_000;

interface PdfOptions {
  /** Maximum number of pages that are read. @default 500 */
  pages?: number;
}

/**
 * Reads the text of PDF documents that are attached to requests. Needs the package `unpdf`, which is loaded with the first document. A
 * scanned document without text is attached as a file only.
 *
 * @example const session = await connect(makeWorker, { readers: [pdf()] })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function pdf(options: PdfOptions = {}): DocumentReader {
  checkOptions('pdf()', options, { pages: 'count' });
  const { pages: most = 500 } = options;
  return {
    types: ['application/pdf'],
    async read(document) {
      const { getDocumentProxy } = await import('unpdf');
      const opened = await getDocumentProxy(new Uint8Array(await document.arrayBuffer()));
      try {
        const texts: string[] = [];
        let length = 0;
        for (
          let number = 1;
          number <= Math.min(opened.numPages, most) && length < MAX_PDF_CHARACTERS;
          number++
        ) {
          const page = await opened.getPage(number);
          const { items } = await page.getTextContent();
          const text = items
            .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
            .join('');
          page.cleanup();
          if (text.trim() === '') continue;
          texts.push(opened.numPages === 1 ? text : `Page ${number}\n\n${text}`);
          length += text.length;
        }
        return texts.join('\n\n');
      } finally {
        await opened.loadingTask.destroy();
      }
    },
  };
}
