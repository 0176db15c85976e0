'use client';

import { useEffect } from 'react';
import { connect } from 'rolezero';
import { play } from '../../play.js';

export default function Own() {
  useEffect(() => {
    void play((baseURL) => {
      const makeWorker = () =>
        new Worker(new URL('../../agent.worker.js', import.meta.url), { type: 'module' });
      return connect(makeWorker, { session: 'own', config: { baseURL } });
    });
  }, []);
  return <p>A worker file of the application</p>;
}
