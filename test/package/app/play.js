/**
 * Opens a session with the model named in the page's URL, has a file written, and stores the result in
 * `window.outcome`.
 */
export async function play(open) {
  try {
    const session = await open(new URL(location.href).searchParams.get('model'));
    const replies = [];
    session.on((event) => {
      if (event.type === 'human-reply') replies.push(event.text);
    });
    const { status } = await session.send('Write hi into a file.').result();
    window.outcome = { status, replies, file: await session.files.read('/a.txt') };
    await session.close();
  } catch (error) {
    window.outcome = { error: `${error.code ?? error.name}: ${error.message}` };
  }
}
