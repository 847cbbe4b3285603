import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const resource = /<(?:script|link)\b[^>]*\s(?:src|href)="\/(assets\/[^"]+)"/g

/**
 * Adds the SHA-256 of each script and style sheet to the pages that load it (Subresource Integrity). A browser doesn't run a file
 * that differs. The digests are those of the manifest.
 *
 * @param outDir the build
 * @param pages paths of the pages
 * @throws Error if a page loads no script, because then its format has changed
 */
export function addIntegrity(outDir: string, pages: readonly string[]): void {
  for (const page of pages) {
    const path = join(outDir, page)
    const html = readFileSync(path, 'utf8')
    const extended = html.replaceAll(resource, (tag, asset: string) => `${tag} integrity="${digestOf(outDir, asset)}"`)
    if (extended === html) throw new Error(`${page} loads no script.`)
    writeFileSync(path, extended)
  }
}

function digestOf(outDir: string, asset: string): string {
  const hash = createHash('sha256').update(readFileSync(join(outDir, asset)))
  return `sha256-${hash.digest('base64')}`
}
