// npm run gallery: writes screenshots of all views to .latchkey/gallery/, in both themes and both sizes.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { requireChromium } from './lib/chromium.mjs'
import { installPackages } from './lib/install.mjs'

// On a fresh clone, packages are missing until this point, so nothing above imports any.
installPackages()
requireChromium()
const { buildAll } = await import('./build.mjs')
rmSync('.latchkey/gallery', { recursive: true, force: true })
await buildAll()
const playwright = ['playwright', 'test', '--config', 'apps/web/playwright.config.ts', '--project', 'gallery']
const { status } = spawnSync('npx', playwright, { stdio: 'inherit' })
if (status === 0) console.log('The screenshots are in .latchkey/gallery/')
process.exit(status ?? 1)
