import type { Question, Session } from 'rolezero';
import { activityOf } from 'rolezero';
import { open } from './session';
import './style.css';

document.querySelector('#app')!.innerHTML = `
  <form>
    <input name="request" value="Write a 2048 game" aria-label="Request" />
    <button disabled>Send</button>
    <button type="button" id="stop" hidden>Stop</button>
  </form>
  <p role="status"></p>
  <p id="text"></p>
  <p role="alert"></p>
  <ul id="files"></ul>`;

const element = <Type extends HTMLElement>(selector: string) => document.querySelector<Type>(selector)!;
const [form, stop, status] = [element<HTMLFormElement>('form'), element('#stop'), element('[role=status]')];
const [text, alertText, files] = [element('#text'), element('[role=alert]'), element('#files')];

/** Asks the user. Null leaves the question open. */
const ask = ({ kind, details, text: words }: Question): string | null =>
  kind === 'approval' ? (confirm(`${words}\n\n${details}`) ? 'yes' : 'no') : prompt(words);

/** Shows a run until it ends. */
async function show(session: Session, run: ReturnType<Session['send']>): Promise<void> {
  stop.hidden = false;
  alertText.textContent = '';
  let activity: string | null = null;
  for await (const event of run) {
    activity = activityOf(event, activity);
    status.textContent = activity;
    if (['run-start', 'call-retry', 'thought-end'].includes(event.type)) text.textContent = '';
    if (event.type === 'thought-delta') text.append(event.text);
    if (event.type === 'human-reply') text.textContent = event.text;
    if (event.type === 'approval-request' || event.type === 'human-question') {
      const answer = ask(event.question);
      if (answer !== null) await session.answer(event.question.id, answer);
    }
  }
  const { summary, error } = await run.result();
  if (text.textContent === '') text.textContent = summary;
  alertText.textContent = error?.message ?? '';
  status.textContent = '';
  stop.hidden = true;
  await list(session);
}

async function list(session: Session): Promise<void> {
  const entries = (await session.files.list()).filter(({ type }) => type === 'file');
  files.replaceChildren(
    ...entries.map(({ path, size }) => {
      const item = document.createElement('li');
      item.textContent = `${path} (${size} bytes)`;
      return item;
    }),
  );
}

try {
  const session = await open('main');
  await list(session);
  stop.onclick = () => session.running?.stop();
  form.onsubmit = (event) => {
    event.preventDefault();
    const request = String(new FormData(form).get('request'));
    if (session.running === null) void show(session, session.send(request));
    else session.send(request); // the run in progress receives it
  };
  element<HTMLButtonElement>('form button').disabled = false;
  if (session.resumable && session.waiting === null) void show(session, session.resume());
} catch (error) {
  alertText.textContent = String(error); // the session did not open
}
