// npm run gallery: all views as pictures into .latchkey/gallery/, both themes, both sizes.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { requireChromium } from './lib/chromium.mjs'
import { installPackages } from './lib/install.mjs'

// Nothing above imports a package: on a fresh clone there are none before this.
installPackages()
requireChromium()
const { buildAll } = await import('./build.mjs')
rmSync('.latchkey/gallery', { recursive: true, force: true })
await buildAll()
const playwright = ['playwright', 'test', '--config', 'apps/web/playwright.config.ts', '--project', 'gallery']
const { status } = spawnSync('npx', playwright, { stdio: 'inherit' })
if (status === 0) console.log('The pictures are in .latchkey/gallery/')
process.exit(status ?? 1)
