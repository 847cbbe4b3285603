import { defineConfig } from 'vitest/config'
import { isOurs } from '../scripts/lib/strayErrors.mjs'

const conditions = ['source', 'node']

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    onUnhandledError: isOurs,
    name: 'faults',
    include: ['{faults,packages/*,apps/frame}/src/**/*.faults.ts'],
    // Each case wants the machine for itself.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
  },
})
