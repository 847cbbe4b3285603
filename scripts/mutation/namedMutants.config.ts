import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { root } from '../lib/root.mjs'
import { testTags } from '../testing/longRuns.mjs'
import { namedMutants, type NamedMutant } from './namedMutants.mjs'

const conditions = ['source', 'module', 'development|production', 'node']

/** Changes one file while it is loaded. The file on disk stays as it is. */
function mutate({ name, file, find, replace }: NamedMutant): Plugin {
  return {
    name: `mutant: ${name}`,
    enforce: 'pre',
    transform: (code, id) => (id === join(root, file) ? code.replace(find, () => replace) : undefined),
  }
}

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source', 'node'] } },
  environments: { __vitest__: { resolve: { conditions, noExternal: [/^@latchkey\//] } } },
}

export default defineConfig({
  ...shared,
  test: {
    tags: testTags,
    maxWorkers: 2,
    pool: 'threads',
    globalSetup: ['scripts/testing/testWorld.ts'],
    projects: namedMutants.map((mutant) => ({
      ...shared,
      root,
      plugins: [mutate(mutant)],
      test: { pool: 'threads', name: mutant.name, include: [mutant.tests], testTimeout: 30_000, hookTimeout: 60_000 },
    })),
  },
})
