import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Plugin } from 'vite'
import { addIntegrity } from './addIntegrity.ts'
import { buildOfflinePage, offlinePagePath } from './buildOfflinePage.ts'

/** The content of `dist/manifest.json`. */
export type Listing = {
  /** Version of the release. */
  readonly release: string
  /** SHA-256 of each file in hexadecimal, by path. The server serves exactly these bytes. */
  readonly files: Readonly<Record<string, string>>
  /** The bundled packages. */
  readonly packages: readonly string[]
}

const name = 'manifest.json'
const signatures = 'manifest.signatures.json'
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
      let [root, outDir] = ['', '']
      return {
        name: 'latchkey:files',
        apply: 'build',
        configResolved(config) {
          root = config.root
          outDir = resolve(root, config.build.outDir)
        },
        async closeBundle() {
          addIntegrity(outDir, pagesOf(outDir))
          const offlinePage = join(outDir, offlinePagePath)
          mkdirSync(dirname(offlinePage), { recursive: true })
          writeFileSync(offlinePage, await buildOfflinePage(root))
          const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
          const written: Listing = { release: version, files: hashesOf(outDir), packages: [...packages].toSorted() }
          writeFileSync(join(outDir, name), `${JSON.stringify(written, undefined, 2)}\n`)
        },
      }
    },
  }
}

/** The pages of the site. The offline page is written later and loads nothing. */
function pagesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('/index.html'))
}

function hashesOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== name && path !== signatures)
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
