// npm run gallery: writes screenshots of all views to .latchkey/gallery/, in both themes and both sizes. With `-- --docs`, it
// writes the pictures of the documentation to docs/pictures/ instead. `-- --only=PATTERN` takes only the pictures whose title
// matches a regular expression, such as `--only=phone-dark.*Swap`, and keeps the others.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { requireHeadlessChromium } from './lib/chromium.mjs'
import { installPackages } from './lib/install.mjs'

// On a fresh clone, packages are missing until this point, so nothing above imports any.
installPackages()
requireHeadlessChromium()
const { buildAll } = await import('./build.mjs')
const { values } = parseArgs({ options: { docs: { type: 'boolean', default: false }, only: { type: 'string' } } })
const isForDocs = values.docs
if (!isForDocs && values.only === undefined) rmSync('.latchkey/gallery', { recursive: true, force: true })
await buildAll()
const playwright = [
  'playwright',
  'test',
  '--config',
  'apps/web/playwright.config.ts',
  '--project',
  isForDocs ? 'docs' : 'gallery',
  ...(values.only === undefined ? [] : ['--grep', values.only]),
]
const { status } = spawnSync('npx', playwright, { stdio: 'inherit' })
if (status === 0) console.log(`The pictures are in ${isForDocs ? 'docs/pictures/' : '.latchkey/gallery/'}`)
process.exit(status ?? 1)
