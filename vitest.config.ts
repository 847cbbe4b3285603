import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

/** Workspaces see each other's sources, so no test needs a build. */
const conditions = ['source', 'module', 'development|production']
const resolve = { conditions: [...conditions, 'browser'] }
const ssr = { resolve: { conditions: [...conditions, 'node'], externalConditions: ['source', 'node'] } }
const exclude = ['**/node_modules/**', '**/dist/**', '**/.latchkey/**', '**/e2e/**']

const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'node',
          environment: 'node',
          include: ['{packages,apps}/*/src/**/*.test.ts', '{server,devnet}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude,
          globalSetup: ['scripts/testWorld.ts'],
        },
      },
      {
        plugins: [react()],
        resolve: { ...resolve, dedupe: ['react', 'react-dom'] },
        test: {
          name: 'browser',
          include: ['packages/react/src/**/*.test.tsx', 'apps/*/src/**/*.test.tsx'],
          exclude,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: '/usr/bin/chromium', args: chromiumArguments },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
