import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumArguments, findChromium } from './scripts/lib/chromium.mjs'
import { isOurs } from './scripts/lib/strayErrors.mjs'

/** Workspaces see each other's sources, so no test needs a build. */
const conditions = ['source', 'module', 'development|production']
const resolve = { conditions: [...conditions, 'browser'] }
const ssr = { resolve: { conditions: [...conditions, 'node'], externalConditions: ['source', 'node'] } }
const exclude = ['**/node_modules/**', '**/dist/**', '**/.latchkey/**', '**/e2e/**']

/** No test is about how long something takes: these only end what will never come. */
const patience = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } }

export default defineConfig({
  test: {
    onUnhandledError: isOurs,
    // Most tests wait for a database, a chain or a browser: one at a time leaves half of a small machine idle.
    maxWorkers: 2,
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'node',
          environment: 'node',
          include: [
            '{packages,apps}/*/src/**/*.test.ts',
            '{server,devnet,faults}/src/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude,
          globalSetup: ['scripts/testWorld.ts'],
          ...patience,
        },
      },
      {
        plugins: [react()],
        resolve: { ...resolve, dedupe: ['react', 'react-dom'] },
        // Found in the middle of a run, they would be loaded a second time, beside the first.
        optimizeDeps: { include: ['react-dom/client', 'react-dom/server', 'axe-core'] },
        test: {
          name: 'browser',
          include: ['packages/{react,embedded}/src/**/*.test.tsx', 'apps/*/src/**/*.test.tsx'],
          exclude,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findChromium(), args: chromiumArguments },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
