import { useRun, useSession } from 'rolezero/react';
import { preview } from 'rolezero/tools/frame';
import { useEffect, useRef, useState } from 'react';
import { open } from './session';

export function App() {
  const { session, error } = useSession('main', open);
  const run = useRun(session);
  const { running, text, activity, question, resumable, send, resume, answer, stop } = run;
  const [request, setRequest] = useState('Write a 2048 game');
  const [files, setFiles] = useState<string[]>([]);
  const failure = error ?? run.error;
  const page = useRef<HTMLDivElement>(null);

  useEffect(() => (session && page.current ? preview(session, page.current) : undefined), [session]);

  useEffect(() => {
    void session?.files
      .list()
      .then((all) => setFiles(all.filter(({ type }) => type === 'file').map(({ path }) => path)));
  }, [session, running]);

  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(request);
        }}
      >
        <input aria-label="Request" value={request} onChange={(event) => setRequest(event.target.value)} />
        <button disabled={!session}>Send</button>
        {running && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        {!running && resumable && !question && (
          <button type="button" onClick={resume}>
            Resume
          </button>
        )}
      </form>
      <p role="status">{activity}</p>
      <p id="text">{text}</p>
      {question?.kind === 'approval' && (
        <div>
          <p>{question.text}</p>
          <pre>{question.details}</pre>
          <button onClick={() => void answer('yes')}>Approve</button>
          <button onClick={() => void answer('no')}>Deny</button>
        </div>
      )}
      {question?.kind === 'question' && (
        <button onClick={() => void answer(prompt(question.text) ?? '')}>{question.text}</button>
      )}
      {failure && <p role="alert">{failure.message}</p>}
      <ul id="files">
        {files.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
      <div id="page" ref={page} />
    </>
  );
}
