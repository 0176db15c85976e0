/** Posts the size in bytes of the file at an address, as its server reports it; null when it does not. */
addEventListener('message', ({ data }: MessageEvent<string>) => {
  void sizeOf(data).then((bytes) => postMessage(bytes));
});

async function sizeOf(url: string): Promise<number | null> {
  try {
    const { ok, headers } = await fetch(url, { method: 'HEAD', credentials: 'omit' });
    const bytes = Number(headers.get('content-length'));
    return ok && bytes > 0 ? bytes : null;
  } catch {
    return null; // the server may still allow the download
  }
}

export {};
