import { describe, expect, it } from 'vitest';
import { picture, session, sizeOf } from './attached-session.js';
import { useSessions } from './scripted-session.js';

useSessions();

describe('images of a request', () => {
  it('reach a model that sees them', async () => {
    const one = await session({ images: true });
    const files = [await picture(40, 30, 'image/png')];
    const { summary } = await one.send('Describe it.', { files }).result();
    expect(summary).toContain('- /uploads/file-1.png (image/png,');
    expect(summary).toContain('[data:image/png]');
  });

  it('do not reach a model without vision', async () => {
    const one = await session({ images: false });
    const webp = await picture(40, 30, 'image/webp'); // WebKitGTK cannot write this format and makes a PNG
    const { summary } = await one.send('Describe it.', { files: [webp] }).result();
    expect(summary).toContain(`- /uploads/file-1.${webp.type.slice('image/'.length)} (${webp.type},`);
    expect(summary).not.toContain('[data:');
  });

  it('are there after a reload', async () => {
    const one = await session({ images: true });
    await one.send('Describe it.', { files: [await picture(40, 30, 'image/png')] }).result();
    const { name } = one;
    await one.close();
    const again = await session({ images: true }, { session: name });
    expect(await sizeOf(again, '/uploads/file-1.png')).toEqual([40, 30]);
    const [request] = await again.messages();
    expect(request?.content).toContain('/uploads/file-1.png');
  });
});
