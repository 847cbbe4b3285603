import { defineConfig } from 'vitest/config'
import { isOurs } from '../lib/strayErrors.mjs'
import { testTags } from '../testing/longRuns.mjs'

const conditions = ['source', 'module', 'development|production', 'node']

/** The tests of one area of `npm run mutation`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source', 'node'] } },
  environments: { __vitest__: { resolve: { conditions, noExternal: [/^@latchkey\//] } } },
  test: {
    onUnhandledError: isOurs,
    tags: testTags,
    include: JSON.parse(process.env['LATCHKEY_MUTATION_TESTS'] ?? '[]') as string[],
    exclude: ['**/node_modules/**'],
    globalSetup: ['scripts/testing/testWorld.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
