import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { Plugin } from 'vite'

/** The content of `dist/manifest.json`. */
export type Listing = {
  /** SHA-256 of each file in hexadecimal, by path. The server serves exactly these bytes. */
  readonly files: Readonly<Record<string, string>>
  /** The bundled packages. */
  readonly packages: readonly string[]
}

const name = 'manifest.json'
const ofPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** Creates the Vite plugins that write the manifest: `modules` for each bundle, and `files` once at the end. */
export function listing(): { modules(): Plugin; files(): Plugin } {
  const packages = new Set<string>()
  return {
    modules: () => ({
      name: 'latchkey:modules',
      generateBundle(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue
          for (const [id, { code }] of Object.entries(chunk.modules)) {
            const [, used] = ofPackage.exec(id) ?? []
            if (used !== undefined && code !== null) packages.add(used)
          }
        }
      },
    }),
    files: () => {
      let outDir = ''
      return {
        name: 'latchkey:files',
        apply: 'build',
        configResolved(config) {
          outDir = resolve(config.root, config.build.outDir)
        },
        closeBundle() {
          const written: Listing = { files: hashesOf(outDir), packages: [...packages].toSorted() }
          writeFileSync(join(outDir, name), `${JSON.stringify(written, undefined, 2)}\n`)
        },
      }
    },
  }
}

function hashesOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== name)
    .toSorted()
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  )
}
