import { defineConfig } from 'vitest/config'
import { isOurs } from '../scripts/lib/strayErrors.mjs'
import { testTags } from '../scripts/testing/longRuns.mjs'

const conditions = ['source', 'node']
const shared = {
  ssr: { resolve: { conditions, externalConditions: conditions } },
}
const limits = {
  // Each case wants the machine for itself.
  fileParallelism: false,
  testTimeout: 300_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    onUnhandledError: isOurs,
    tags: testTags,
    disableConsoleIntercept: true,
    projects: [
      {
        ...shared,
        test: { ...limits, name: 'faults', include: ['{faults,server,packages/*,apps/frame}/src/**/*.faults.ts'] },
      },
      {
        ...shared,
        // One layout for all cases, which take turns.
        test: { ...limits, name: 'grown', include: ['faults/src/grown/*.grown.ts'], testTimeout: 900_000 },
      },
      {
        ...shared,
        test: {
          ...limits,
          name: 'abuse',
          include: ['faults/src/**/*.abuse.ts', 'apps/frame/src/wallet/{killed,secretLeaks}.faults.ts'],
          // Fifty wallets per step take longer than a case of the fault tests.
          testTimeout: 1_200_000,
        },
      },
    ],
  },
})
