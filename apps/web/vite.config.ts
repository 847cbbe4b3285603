import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { loadChunkGroups } from '../../scripts/lib/chunkGroups.mjs'
import { preloadApp } from './preloadApp.ts'

const here = import.meta.dirname
const modes = 'development|production'

const loader = /preload-helper|rolldown\/runtime/
/** The page and its entry, which must not be in a file with the app. */
const entryModules = ['index.html', 'src/entry/', 'src/styles.css'].map((path) => join(here, path))
const isApp = (module: string): boolean => !entryModules.some((start) => module.startsWith(start))

export default defineConfig(async ({ command }): Promise<UserConfig> => ({
  plugins: [react(), preloadApp('src/app/startApp.tsx')],
  resolve: { conditions: ['source', 'module', 'browser', modes] },
  // One command builds the site, and the module with which its host renders the pages.
  builder: {},
  environments: {
    client: {
      build: {
        // The page's content policy allows no inline script or style, so nothing may be inlined.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: { index: join(here, 'index.html'), app: join(here, 'src/app/startApp.tsx') },
          output: {
            codeSplitting: {
              groups: [
                // The app and its entry share Vite's loader.
                { name: 'loader', test: loader, priority: 200 },
                // The modules of the app, which would otherwise be twenty files that later chunks share with it.
                { name: 'initial', tags: ['$initial'], test: isApp, priority: 100 },
                // The files of the published packages.
                ...(command === 'build' ? await loadChunkGroups() : []),
              ],
            },
          },
        },
      },
    },
    ssr: {
      resolve: { conditions: ['source', 'module', 'node', modes], noExternal: true },
      keepProcessEnv: false,
      build: {
        outDir: join(here, '../../.latchkey/web'),
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: join(here, 'src/renderPages.tsx') },
      },
    },
  },
  build: { target: 'es2022' },
}))
