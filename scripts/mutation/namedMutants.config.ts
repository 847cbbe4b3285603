import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { chromiumArguments, findHeadlessChromium } from '../lib/chromium.mjs'
import { root } from '../lib/root.mjs'
import { testTags } from '../testing/longRuns.mjs'
import { namedMutants, type NamedMutant } from './namedMutants.mjs'
import { serviceMutants } from './serviceMutants.mjs'

const conditions = ['source', 'module', 'development|production', 'node']

/** Changes one file while it is loaded. The file on disk stays as it is. */
function mutate({ file, find, replace }: NamedMutant): Plugin {
  // The browser requests files with a query.
  const isChanged = (id: string) => id.split('?')[0] === join(root, file)
  return {
    // The same for all mutants, because the keys of the module cache contain it.
    name: 'mutant',
    enforce: 'pre',
    transform: (code, id) => (isChanged(id) ? code.replace(find, () => replace) : undefined),
    configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
      defineCacheKey(({ id }) => (isChanged(id) ? false : undefined))
    },
  }
}

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source', 'node'] } },
  environments: { __vitest__: { resolve: { conditions, noExternal: [/^@latchkey\//] } } },
}

const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 }

/** Tests of components run in Chromium, all others in Node.js. */
function mutantProject(mutant: NamedMutant) {
  const { name, tests } = mutant
  const plugins = [mutate(mutant)]
  if (!tests.endsWith('.tsx')) {
    return { ...shared, root, plugins, test: { pool: 'threads' as const, name, include: [tests], ...timeouts } }
  }
  const launchOptions = { executablePath: findHeadlessChromium(), args: chromiumArguments }
  const browser = {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    provider: playwright({ launchOptions }),
    instances: [{ browser: 'chromium' as const, name }],
  }
  return {
    root,
    plugins,
    resolve: { conditions: ['source', 'module', 'development|production', 'browser'] },
    environments: shared.environments,
    // Found while the tests run, they would reload the page.
    optimizeDeps: { include: ['axe-core'] },
    test: { name: `${name}, in a browser`, include: [tests], browser, ...timeouts },
  }
}

export default defineConfig({
  ...shared,
  test: {
    tags: testTags,
    maxWorkers: 2,
    pool: 'threads',
    // The mutants load many of the same sources. Files that a mutant changes are not in the cache.
    experimental: { fsModuleCache: true },
    globalSetup: ['scripts/testing/testWorld.ts'],
    projects: [...namedMutants, ...serviceMutants].map(mutantProject),
  },
})
