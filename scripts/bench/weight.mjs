// Measures the size of the code that a page loads until its connect button works and until the modal is open, without
// React.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { launchBrowser, startLeastDapp } from './site.mjs'

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  const site = await startLeastDapp()
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    // Otherwise the modal loads as soon as the page is idle, and would count as needed for the button.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
    /** @type {string[]} */
    const scripts = []
    /** @type {string[]} */
    const elsewhere = []
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin !== site.url) elsewhere.push(request.url())
      else if (pathname.endsWith('.js')) scripts.push(pathname)
    })
    page.on('websocket', (socket) => elsewhere.push(socket.url()))
    await page.goto(site.url)
    const button = page.getByRole('button', { name: 'Connect' })
    await button.waitFor()
    await page.waitForTimeout(1_000)
    const before = weigh(site.root, scripts)
    const contacts = elsewhere.length
    await button.click()
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(1_000)
    const after = weigh(site.root, scripts)
    return [
      { name: 'JavaScript before the connect button works (gzip)', value: before.own, unit: 'kB', budget: 12 },
      { name: 'JavaScript with the modal open (gzip)', value: after.own, unit: 'kB', budget: 45 },
      { name: 'React itself, left out of both (gzip)', value: after.react, unit: 'kB' },
      { name: 'requests to other origins before the visitor acts', value: contacts, unit: '', budget: 0 },
    ]
  } finally {
    await browser.close()
    await site.close()
  }
}

/**
 * @param {string} root
 * @param {readonly string[]} scripts
 */
function weigh(root, scripts) {
  let own = 0
  let react = 0
  for (const path of new Set(scripts)) {
    const size = gzipSync(readFileSync(join(root, path)), { level: 9 }).length / 1000
    if (/\/react-[^/]*\.js$/.test(path)) react += size
    else own += size
  }
  return { own, react }
}
