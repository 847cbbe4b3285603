#!/usr/bin/env node
// Starts the system's Firefox for Playwright, which controls it by WebDriver BiDi. Playwright sends commands that stable
// versions of Firefox don't have yet. Without a response to them, it opens no page.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'
import { findFirefox } from '../../../../scripts/testing/firefox.mjs'

/** Commands that change nothing in our tests, because these read the preferences of the system. */
const ignoredCommands = new Set(['emulation.setMediaFeaturesOverride'])

const browser = spawn(findFirefox() ?? 'firefox', process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
  process.on(signal, () => browser.kill(signal))
}
browser.on('exit', (code) => process.exit(code ?? 1))
browser.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})

createInterface({ input: browser.stderr }).on('line', (line) => {
  const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
  if (url === undefined) return console.error(line)
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    const address = server.address()
    // Playwright connects to the address in this line.
    if (typeof address === 'object') console.error(`WebDriver BiDi listening on ws://127.0.0.1:${address?.port}`)
  })
  server.on('connection', (client, { url: path }) => relayCommands(client, url + path?.replace(/^\/$/, '')))
})

/**
 * Relays commands and events between Playwright and Firefox.
 *
 * @param {WebSocket} client
 * @param {string} url
 */
function relayCommands(client, url) {
  const firefox = new WebSocket(url, { maxPayload: 1024 ** 3 })
  const opened = new Promise((resolve) => firefox.once('open', resolve))
  client.on('message', async (data) => {
    const text = String(data)
    /** @type {{ id: number, method: string }} */
    const { id, method } = JSON.parse(text)
    if (ignoredCommands.has(method)) return client.send(JSON.stringify({ type: 'success', id, result: {} }))
    await opened
    firefox.send(text)
  })
  firefox.on('message', (data) => client.send(String(data)))
  firefox.on('close', () => client.close())
  firefox.on('error', () => client.close())
  client.on('close', () => firefox.close())
}
