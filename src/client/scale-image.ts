/** Pixels of the longer side; services scale larger images down themselves. */
const MAX_SIDE = 2_048;
/** Bytes up to which an image of a common type stays as it is. */
const MAX_UNCHANGED = 1024 * 1024;
/** Bytes of a scaled image; most services reject larger ones. */
const MAX_IMAGE = 4 * 1024 * 1024;
/** Types that every model service reads. */
const COMMON: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Sizes to try until the image is small enough. */
const SHARES = [1, 0.5, 0.25];

/**
 * Returns an image that model services accept: WebP, or PNG where the browser writes no WebP, scaled down where it is large. Small PNG, JPEG
 * and WebP images stay as they are. Returns null when the browser cannot decode it.
 */
export async function scaleImage(file: Blob, type: string): Promise<Blob | null> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return null;
  }
  try {
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size <= MAX_UNCHANGED && COMMON.has(type)) return file.slice(0, file.size, type);
    for (const share of SHARES) {
      const image = await drawn(bitmap, scale * share);
      if (image.size <= MAX_IMAGE) return image;
    }
    return null;
  } finally {
    bitmap.close();
  }
}

async function drawn(bitmap: ImageBitmap, scale: number): Promise<Blob> {
  const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  const canvas = new OffscreenCanvas(size(bitmap.width), size(bitmap.height));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
}
