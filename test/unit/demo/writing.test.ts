import { describe, expect, it } from 'vitest';
import { fileBeingWritten } from '../../../demo/state/writing.js';

describe('the file being written', () => {
  const content = '<p title="\\u0041">\n\t"one" \\ é 页\n</p>';
  const json = JSON.stringify([{ command_name: 'Editor.write', args: { path: 'a.html', content } }]);

  it('grows with the reply to its whole content, and never contains half an escape sequence', () => {
    const asciiOnly = json.replace(
      /[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    for (const text of [json, asciiOnly, json.replaceAll('\\n', '\n')]) {
      let before = '';
      for (let end = 0; end <= text.length; end++) {
        const file = fileBeingWritten(text.slice(0, end));
        if (file === null) continue;
        expect(file.path).toBe('/a.html');
        expect(content.startsWith(file.content)).toBe(true);
        expect(file.content.startsWith(before)).toBe(true);
        before = file.content;
      }
      expect(before).toBe(content);
    }
  });

  it('is null for other commands, and for what JSON does not allow', () => {
    expect(fileBeingWritten(json.replace('Editor.write', 'Editor.append_file'))).toBeNull();
    expect(fileBeingWritten(json.replace('<p', '\\x'))).toBeNull();
    expect(fileBeingWritten(json.slice(0, json.indexOf('"content"')))).toBeNull();
    expect(fileBeingWritten('')).toBeNull();
  });
});
