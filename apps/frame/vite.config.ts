import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { listing } from './listing.ts'

const here = import.meta.dirname

/** Each folder with a page is one path of the site. */
const pages = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['dist', 'src', 'node_modules'].includes(entry.name))
  .flatMap(({ name }) => (readdirSync(join(here, name)).includes('index.html') ? [name] : []))

const { files, modules } = listing()

const output = {
  entryFileNames: 'assets/[name]-[hash].js',
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
}

export default defineConfig({
  plugins: [modules(), files()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    // The content security policy allows no inline scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: Object.fromEntries(pages.map((name) => [name, join(here, name, 'index.html')])),
      output,
    },
  },
  worker: { format: 'es', plugins: () => [modules()], rolldownOptions: { output } },
})
