import type { NextConfig } from 'next';

/** The build writes static files to `out/`: the agent needs no server. */
const config: NextConfig = { output: 'export' };

export default config;
