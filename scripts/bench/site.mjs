// Builds the minimal dapp and serves it to a real browser.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import sirv from 'sirv'
import { build } from 'vite'
import { chromiumArguments, requireChromium } from '../lib/chromium.mjs'

/** @returns {Promise<{ url: string, root: string, close(): Promise<void> }>} */
export async function startLeastDapp() {
  const source = fileURLToPath(new URL('dapp/', import.meta.url))
  const root = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  await build({ root: source, logLevel: 'error', build: { outDir: root, emptyOutDir: true } })
  const server = createServer(sirv(root, { etag: true }))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    root,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a browser that reaches this machine only. Some libraries load fonts from elsewhere.
 *
 * @returns {Promise<import('playwright').Browser>}
 */
export async function launchBrowser() {
  const args = [...chromiumArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost']
  return chromium.launch({ executablePath: requireChromium(), args })
}

/**
 * Returns the median, or `NaN` without values: a bench that measured nothing misses its budgets.
 *
 * @param {readonly number[]} values
 * @returns {number}
 */
export function getMedian(values) {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
