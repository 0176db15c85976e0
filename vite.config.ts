import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { browserAlias, bundledDependencies, nodeAlias } from './scripts/aliases.js';
import { chromiumPath, launchArguments, webgpuArguments } from './scripts/chromium.mjs';
import { driverSourcePlugin } from './scripts/driver-source.mjs';

const executablePath = chromiumPath();

/** Tests, and the pages they build. The demo has a configuration of its own. */
export default defineConfig({
  base: './',
  plugins: [driverSourcePlugin()],
  resolve: { alias: browserAlias },
  build: { outDir: 'dist', emptyOutDir: true },
  worker: { format: 'es', plugins: () => [driverSourcePlugin()] },
  test: {
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A machine of a CI stands still for seconds at times; Vitest says which test needed its second try.
    retry: process.env['CI'] ? 2 : 0,
    // Projects run one after the other (`groupOrder`): tests that kill browsers must not fight over two cores.
    projects: [
      {
        extends: true,
        resolve: { alias: nodeAlias },
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/{unit,architecture}/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        optimizeDeps: { include: [...bundledDependencies, '@huggingface/transformers'] },
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          globalSetup: ['test/browser/fault-server.setup.ts', 'test/browser/model-server.setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                ...(executablePath === undefined ? {} : { executablePath }),
                args: [...launchArguments, ...webgpuArguments],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        resolve: { alias: nodeAlias },
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          sequence: { groupOrder: 2 },
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        resolve: { alias: nodeAlias },
        test: {
          name: 'package',
          environment: 'node',
          include: ['test/package/**/*.test.ts'],
          sequence: { groupOrder: 3 },
          globalSetup: ['test/package/packed.setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
