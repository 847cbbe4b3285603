// node build.mjs: builds the documentation into the folder dist. The previous build is served until the new one is complete.
import { renameSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'

const result = fileURLToPath(new URL('dist', import.meta.url))
const fresh = fileURLToPath(new URL(`../../.latchkey/docs/dist-${process.pid}`, import.meta.url))

// It runs next to the local world, which is more important.
setPriority(10)
process.env['LATCHKEY_DOCS_DIR'] = fresh
try {
  await build(fileURLToPath(new URL('.', import.meta.url)))
  rmSync(result, { recursive: true, force: true })
  renameSync(fresh, result)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
