import { readFileSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const types = /** @type {Record<string, string>} */ ({
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
})

/**
 * Serves a folder as a content delivery network does: compressed by brotli.
 *
 * @param {string} folder
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serveCompressed(folder) {
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [`/${path}`, brotliCompressSync(readFileSync(join(folder, path)))]),
  )
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\/$/, '/index.html')
    const body = files.get(path)
    if (body === undefined) return response.writeHead(404).end()
    const type = types[extname(path)] ?? 'application/octet-stream'
    return response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
