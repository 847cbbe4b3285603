import { fileURLToPath } from 'node:url'
import { createServer } from 'vitepress'

/**
 * Serves the documentation from its sources. Changed documents are read again.
 *
 * @param {import('node:http').Server} server the server that passes its requests on, for the websocket of hot reloading
 */
export function createDocsServer(server) {
  return createServer(fileURLToPath(new URL('.', import.meta.url)), { middlewareMode: true, hmr: { server } })
}
