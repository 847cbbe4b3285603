// npm run gallery: all views as pictures into .latchkey/gallery/, both themes, both sizes.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { buildAll } from './build.mjs'

rmSync('.latchkey/gallery', { recursive: true, force: true })
await buildAll()
const playwright = ['playwright', 'test', '--config', 'apps/web/playwright.config.ts', '--project', 'gallery']
const { status } = spawnSync('npx', playwright, { stdio: 'inherit' })
if (status === 0) console.log('The pictures are in .latchkey/gallery/')
process.exit(status ?? 1)
