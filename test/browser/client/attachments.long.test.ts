import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { docx } from 'rolezero/readers/docx';
import { pdf } from 'rolezero/readers/pdf';
import { picture, session, sizeOf } from './attached-session.js';
import { useSessions } from './scripted-session.js';

useSessions();

/** A document of one line per page. */
function pdfOf(...pages: string[]): string {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj ${object} endobj `).join('');
  return `%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF`;
}

const paragraph = (text: string): string =>
  `<w:p><w:r><w:t>${text.replaceAll('&', '&amp;')}</w:t></w:r></w:p>`;

/** A Word document with this body. */
function docxWith(body: string, before = ''): Uint8Array<ArrayBuffer> {
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
  const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${types}"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relationships}"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${before}<w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`,
  };
  const packed = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(packed));
}

const docxOf = (...texts: string[]) => docxWith(texts.map(paragraph).join(''));

const document = (text: string, name = 'report.pdf'): File =>
  new File([text], name, { type: 'application/pdf' });

describe('images of a request', () => {
  it('are scaled, and reach a model that sees them', async () => {
    const one = await session({ images: true });
    const files = [
      new File([await picture(40, 30, 'image/png')], 'small.png'),
      new File([await picture(4_096, 1_024, 'image/jpeg')], 'wide.jpg', { type: 'image/jpeg' }),
      new File([await picture(1_500, 1_500, 'image/png', true)], 'noise.png', { type: 'image/png' }),
    ];
    const { summary } = await one.send('Compare them.', { files }).result();
    expect(summary.match(/\[data:[^\]]*\]/g)).toEqual([
      '[data:image/png]',
      '[data:image/webp]',
      '[data:image/webp]',
    ]);
    expect((await one.files.list('/uploads')).map(({ path }) => path)).toEqual([
      '/uploads/noise.webp',
      '/uploads/small.png',
      '/uploads/wide.webp',
    ]);
    expect(await sizeOf(one, '/uploads/wide.webp')).toEqual([2_048, 512]);
    expect((await one.files.stat('/uploads/noise.webp'))?.size).toBeLessThan(4 * 1024 * 1024);
  });

  it('that no browser can decode are files like any other', async () => {
    const one = await session({ images: true });
    const files = [new File(['\x89PNG\r\n\x1A\n, but no picture'], 'broken.png', { type: 'image/png' })];
    const { summary } = await one.send('Describe it.', { files }).result();
    expect(summary).toContain('- /uploads/broken.png (image/png,');
    expect(summary).not.toContain('[data:');
  });
});

describe('PDF documents of a request', () => {
  it('are read into a text file', async () => {
    const one = await session({ images: false }, { readers: [pdf()] });
    const files = [document(pdfOf('The first page', 'The second page'))];
    await one.send('Sum up.', { files }).result();
    expect(await one.files.read('/uploads/report.pdf.txt')).toBe(
      'Page 1\n\nThe first page\n\nPage 2\n\nThe second page',
    );
    expect((await one.files.stat('/uploads/report.pdf.txt'))?.untrusted).toEqual(['attached files']);
  });

  it('are read up to a number of pages', async () => {
    const text = await pdf({ pages: 1 }).read(document(pdfOf('One', 'Two')));
    expect(text).toBe('Page 1\n\nOne');
  });

  it('that cannot be read are files like any other, with a warning', async () => {
    const one = await session({ images: false }, { readers: [pdf()] });
    const warnings: string[] = [];
    one.on((event) => event.type === 'warning' && warnings.push(event.message));
    const files = [document('not a PDF at all', 'broken.pdf')];
    const { status, summary } = await one.send('Sum up.', { files }).result();
    expect(status).toBe('done');
    expect(summary).toContain('- /uploads/broken.pdf (application/pdf, 16 bytes)');
    expect(warnings).toEqual([expect.stringMatching(/^The text of broken\.pdf cannot be read: ./)]);
  });
});

describe('Word documents of a request', () => {
  it('are read into a text file, also without a type', async () => {
    const one = await session({ images: false }, { readers: [docx()] });
    const files = [new File([docxOf('The first paragraph', 'One & two')], 'report.docx')];
    await one.send('Sum up.', { files }).result();
    expect(await one.files.read('/uploads/report.docx.txt')).toBe('The first paragraph\n\nOne & two');
    expect((await one.files.stat('/uploads/report.docx.txt'))?.untrusted).toEqual(['attached files']);
  });

  it('keep the order of lists and tables', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const body = `${paragraph('Before')}<w:tbl><w:tr>${cell('A')}${cell('B')}</w:tr></w:tbl>${paragraph('After')}`;
    expect(await docx().read(new Blob([docxWith(body)]))).toBe('Before\n\nA\n\nB\n\nAfter');
  });

  it('that would fill the memory, or are damaged, are files like any other, with a warning', async () => {
    const one = await session({ images: false }, { readers: [docx()] });
    const warnings: string[] = [];
    one.on((event) => event.type === 'warning' && warnings.push(event.message));
    const bomb = docxWith(paragraph('x'.repeat(20 * 1024 * 1024)));
    const entities = docxWith('', '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>');
    const files = [
      new File([bomb], 'bomb.docx'),
      new File([new Uint8Array([80, 75, 3, 4, 0, 0])], 'broken.docx'),
      new File([entities], 'entities.docx'),
    ];
    const { status, summary } = await one.send('Sum up.', { files }).result();
    expect(status).toBe('done');
    for (const name of ['bomb', 'broken', 'entities']) expect(summary).toContain(`- /uploads/${name}.docx (`);
    expect(warnings).toEqual([
      expect.stringContaining(
        'The text of bomb.docx cannot be read: A part of the document has more than 4194304 bytes.',
      ),
      expect.stringMatching(/^The text of broken\.docx cannot be read: ./),
      expect.stringMatching(/^The text of entities\.docx cannot be read: .*entity/s),
    ]);
  });
});

describe('a request with files', () => {
  it('is rejected by name before anything is read or stored', async () => {
    const one = await session({ images: false });
    const large = new File([new Uint8Array(65 * 1024 * 1024)], 'large.bin');
    await expect(one.send('Keep it.', { files: [large] }).result()).rejects.toMatchObject({
      code: 'invalid',
      message:
        'The files of the request have 68157440 bytes, at most 67108864 are accepted. Send fewer or smaller files.',
    });
    await expect(one.send('Read it.', { files: ['/none.txt'] }).result()).rejects.toMatchObject({
      code: 'not-found',
    });
    expect([await one.messages(), await one.files.list(), one.running]).toEqual([[], [], null]);
  });

  it('can be stopped while its files are prepared', async () => {
    const one = await session({ images: false });
    const files = [await picture(3_000, 3_000, 'image/png', true)];
    const run = one.send('Describe it.', { files });
    run.stop();
    expect((await run.result()).status).toBe('stopped');
  });
});
