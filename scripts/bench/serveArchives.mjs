// Serves packed packages as npm's registry does, for a scope: `@latchkey:registry=URL` in the configuration of npm.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * @param {readonly string[]} archives the paths of `.tgz` files
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function serveArchives(archives) {
  const manifests = await Promise.all(archives.map(readManifest))
  const files = new Map(archives.map((archive) => [`/${basename(archive)}`, readFileSync(archive)]))
  let url = ''

  /** @param {string} name */
  function describePackage(name) {
    const archive = archives[manifests.findIndex((manifest) => manifest.name === name)]
    const manifest = manifests.find((each) => each.name === name)
    if (archive === undefined || manifest === undefined) return undefined
    const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    const dist = { tarball: `${url}/${basename(archive)}`, integrity }
    const { version } = manifest
    return JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } })
  }

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/')
    const found = files.get(path) ?? describePackage(path.slice(1))
    if (found === undefined) response.writeHead(404).end()
    else response.end(found)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * @param {string} archive
 * @returns {Promise<{ name: string, version: string }>} its package.json
 */
async function readManifest(archive) {
  const { stdout } = await run('tar', ['-xzOf', archive, 'package/package.json'])
  return JSON.parse(stdout)
}
