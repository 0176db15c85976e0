import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { useRun, useSession } from '../../../src/react/index.js';

it('on a server, a session is opening and no worker is started', () => {
  let opened = 0;
  const open = () => {
    opened++;
    return Promise.reject(new Error('never'));
  };
  function Agent(): ReactNode {
    const { session, error } = useSession('on a server', open);
    const { running, text, activity, error: fault, question, queued, events } = useRun(session);
    return JSON.stringify({ session, error, running, text, activity, fault, question, queued, events });
  }
  const html = renderToString(createElement(Agent)).replaceAll('&quot;', '"');
  expect(JSON.parse(html)).toEqual({
    session: null,
    error: null,
    running: false,
    text: '',
    activity: null,
    fault: null,
    question: null,
    queued: [],
    events: [],
  });
  expect(opened).toBe(0);
});
