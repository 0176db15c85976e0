import type { AgentEvent, Session } from 'rolezero';
import { activityOf } from 'rolezero';
import { preview } from 'rolezero/tools/frame';
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
  <div id="question"></div>
  <p role="alert"></p>
  <ul id="files"></ul>
  <div id="page"></div>`;

const element = <Type extends HTMLElement>(selector: string) => document.querySelector<Type>(selector)!;
const [form, stop, status] = [element<HTMLFormElement>('form'), element('#stop'), element('[role=status]')];
const [text, question, alertText] = [element('#text'), element('#question'), element('[role=alert]')];

/** Shows the open question with its buttons, or none. It is still open after a reload. */
function showQuestion(session: Session): void {
  const { waiting } = session;
  if (question.dataset.id === (waiting?.id ?? '')) return;
  question.dataset.id = waiting?.id ?? '';
  question.replaceChildren();
  if (waiting === null) return;
  const isApproval = waiting.kind === 'approval';
  const [words, details] = [document.createElement('p'), document.createElement('pre')];
  words.textContent = waiting.text;
  details.textContent = waiting.details ?? '';
  const answer = async (given: string | null): Promise<void> => {
    if (given === null) return; // the question stays open
    await session.answer(waiting.id, given);
    if (session.running === null) session.resume(); // the run that asked has ended, as after a reload
  };
  question.append(words, details);
  if (isApproval) {
    question.append(
      button('Approve', () => answer('yes')),
      button('Deny', () => answer('no')),
    );
  } else question.append(button('Answer', () => answer(prompt(waiting.text))));
}

function button(label: string, onClick: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button');
  made.textContent = label;
  made.onclick = () => void onClick().catch(showError);
  return made;
}

let activity: string | null = null;

/** Shows what happens in a run, whoever has started it. */
function show(session: Session, event: AgentEvent): void {
  activity = activityOf(event, activity);
  status.textContent = event.type === 'run-end' ? '' : activity;
  if (event.type === 'run-start') {
    stop.hidden = false;
    alertText.textContent = '';
  }
  if (['run-start', 'call-retry', 'thought-end'].includes(event.type)) text.textContent = '';
  if (event.type === 'thought-delta') text.append(event.text);
  if (event.type === 'human-reply') text.textContent = event.text;
  if (event.type === 'run-end') {
    stop.hidden = true;
    if (text.textContent === '') text.textContent = event.summary;
    alertText.textContent = event.error?.message ?? '';
    void list(session);
  }
  showQuestion(session);
}

async function list(session: Session): Promise<void> {
  const entries = (await session.files.list()).filter(({ type }) => type === 'file');
  element('#files').replaceChildren(
    ...entries.map(({ path, size }) => {
      const item = document.createElement('li');
      item.textContent = `${path} (${size} bytes)`;
      return item;
    }),
  );
}

function showError(error: unknown): void {
  alertText.textContent = error instanceof Error ? error.message : String(error);
}

try {
  const session = await open('main');
  session.on((event) => show(session, event));
  preview(session, element('#page'));
  stop.onclick = () => session.running?.stop();
  form.onsubmit = (event) => {
    event.preventDefault();
    const request = String(new FormData(form).get('request'));
    session.send(request).result().catch(showError); // also reaches a run in progress
  };
  element<HTMLButtonElement>('form button').disabled = false;
  await list(session);
  showQuestion(session);
  if (session.resumable && session.waiting === null) session.resume().result().catch(showError);
} catch (error) {
  showError(error); // the session did not open
}
