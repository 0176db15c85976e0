import { describe, expect, it } from 'vitest';
import { locateError, fileOfAddress, InlineMarks } from '../../../../src/tools/browser/frame/error-place.js';

const url = new URL('https://workspace.invalid/site/caf%C3%A9.html?x=1#top');

describe('the place of an error', () => {
  it('is the line of an inline script in its file, not in the document that is made of it', () => {
    const first = '\n  one();\n  two();\n';
    const file = `<p>Hi</p>\r\n<script>\r\n  one();\r\n  two();\r\n</script><script>three()</script>`;
    const marks = new InlineMarks(file);
    const [a, b] = [marks.mark(first, first), marks.mark('three()', 'virtual(three())')];
    const head = '<base>\n<script>driver\n</script>\n<style>\n</style><p>Hi</p>\n';
    const { html, inlineScripts } = marks.resolve(`${head}<script>${a}</script><script>${b}</script>`);
    expect(html).toBe(`${head}<script>${first}</script><script>virtual(three())</script>`);
    const shown = { url, inlineScripts };
    const place = (line: number, column: number): string =>
      locateError({ file: '', line, column, isInline: true }, shown);
    expect([place(7, 3), place(8, 3), place(9, 18)]).toEqual([
      '/site/café.html:3:3',
      '/site/café.html:4:3',
      '/site/café.html:5:18',
    ]);
    expect([place(2, 9), place(40, 1)]).toEqual(['/site/café.html', '/site/café.html']);
  });

  it('is left out for a script that the page has changed or written', () => {
    const marks = new InlineMarks('<script>a</script>');
    const { inlineScripts } = marks.resolve(marks.mark('something else', 'code'));
    expect(locateError({ file: '', line: 1, column: 1, isInline: true }, { url, inlineScripts })).toBe(
      '/site/café.html',
    );
  });

  it('is the path of a script in the session, and the address of another one', () => {
    const at = (file: string): string => locateError({ file, line: 3, column: 5, isInline: false }, null);
    expect(at('file:///lib/app%20one.js')).toBe('/lib/app one.js:3:5');
    expect(at('/lib/app.js')).toBe('/lib/app.js:3:5');
    expect(at('https://shop.example/app.js')).toBe('https://shop.example/app.js:3:5');
    expect(fileOfAddress('https://workspace.invalid/a.js')).toBe('/a.js');
  });
});
