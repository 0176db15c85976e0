import { connect, type ConnectOptions, type Session } from 'rolezero';
import type { AttachedConfig } from './attached.worker.js';
import { newName, open } from './scripted-session.js';

export async function session(
  config: AttachedConfig,
  options: Partial<ConnectOptions> = {},
): Promise<Session> {
  const worker = () => new Worker(new URL('./attached.worker.ts', import.meta.url), { type: 'module' });
  const opened = await connect(worker, { session: newName('attached'), ...options, config });
  open.push(opened);
  return opened;
}

/** Draws a picture. Noise cannot be compressed. */
export async function picture(width: number, height: number, type: string, noise = false): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no 2D context.');
  context.fillStyle = 'teal';
  context.fillRect(0, 0, width / 2, height);
  if (noise) {
    const image = context.createImageData(width, height);
    for (let at = 0; at < image.data.length; at += 65_536)
      crypto.getRandomValues(image.data.subarray(at, at + 65_536));
    context.putImageData(image, 0, 0);
  }
  return canvas.convertToBlob({ type });
}

/** Width and height of a stored image. */
export const sizeOf = async (one: Session, path: string): Promise<[number, number]> => {
  const bitmap = await createImageBitmap(new Blob([(await one.files.readBytes(path)).slice()]));
  return [bitmap.width, bitmap.height];
};
