'use client';

import { useEffect } from 'react';
import { spawn } from 'rolezero/spawn';
import { play } from '../../play.js';

export default function Spawn() {
  useEffect(() => {
    void play((baseURL) =>
      spawn({
        session: 'spawn',
        model: { baseURL, model: 'scripted', contextWindow: 8192, jsonSchema: false },
        terminal: true,
      }),
    );
  }, []);
  return <p>The ready-made worker</p>;
}
