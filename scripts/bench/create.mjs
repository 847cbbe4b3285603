// Measures `npx latchkey create` as a new user runs it: from an empty folder, with the packed packages and a warm npm cache,
// until a wallet is connected to the app of `npm run dev`.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startAnvil } from '@latchkey/testkit/node'
import { createNpmEnvironment } from '../release/createNpmEnvironment.mjs'
import { packPackage } from '../lib/packPackage.mjs'
import { root } from '../lib/root.mjs'
import { installDevWallet } from '../testing/installDevWallet.mjs'
import { serveArchives } from './serveArchives.mjs'
import { launchBrowser, getMedian } from './site.mjs'

const run = promisify(execFile)
const rounds = 3
/** The packages that the default template installs. */
const used = ['protocol', 'core', 'modal', 'adapter-kit', 'evm', 'react', 'walletconnect']

/** @typedef {{ created: number, served: number, connected: number }} Times seconds since the start */

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-create-'))
  const chain = await startAnvil()
  const browser = await launchBrowser()
  try {
    const archives = []
    for (const name of used) archives.push((await packPackage(join(root, 'packages', name), folder)).archive)
    const { archive: cli } = await packPackage(join(root, 'packages/cli'), folder)
    const registry = await serveArchives(archives)
    try {
      const env = await createNpmEnvironment(folder, registry.url)
      const createOnce = (/** @type {number} */ round) =>
        connectOnce(join(folder, `${round}`), { cli, env, browser, chain })
      // The first round fills npm's cache.
      await createOnce(0)
      /** @type {Times[]} */
      const times = []
      for (let round = 1; round <= rounds; round += 1) times.push(await createOnce(round))
      return [
        {
          name: 'create to connected, median',
          value: getMedian(times.map((each) => each.connected)),
          unit: 's',
          budget: 60,
        },
        {
          name: 'until the app is created and installed',
          value: getMedian(times.map((each) => each.created)),
          unit: 's',
        },
        { name: 'until npm run dev serves it', value: getMedian(times.map((each) => each.served)), unit: 's' },
      ]
    } finally {
      registry.close()
    }
  } finally {
    await browser.close()
    await chain.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {{ cli: string, env: NodeJS.ProcessEnv, browser: import('playwright').Browser, chain: { url: string } }} tools
 * @returns {Promise<Times>}
 */
async function connectOnce(folder, { cli, env, browser, chain }) {
  mkdirSync(folder)
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  await run('npx', ['--yes', `--package=${cli}`, 'latchkey', 'create', 'my-app'], { cwd: folder, env })
  const created = elapsed()
  const server = spawn('npm', ['run', 'dev', '--', '--host', '127.0.0.1'], {
    cwd: join(folder, 'my-app'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const page = await browser.newPage()
  try {
    const url = await readAddress(server)
    const served = elapsed()
    await installDevWallet(page, chain.url)
    await page.goto(url)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
    await page.getByRole('button', { name: 'Sign a message' }).waitFor()
    return { created, served, connected: elapsed() }
  } finally {
    await page.close()
    await stopGroup(server)
  }
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} server
 * @returns {Promise<string>} the address that Vite prints
 */
async function readAddress(server) {
  let output = ''
  for await (const chunk of server.stdout) {
    output += String(chunk)
    const address = /http:\/\/\S+:\d+\//.exec(output)?.[0]
    // A stream that is no longer read would block the server.
    if (address !== undefined) return address
  }
  throw new Error(`npm run dev ended.\n${output}`)
}

/**
 * Stops npm and the server that it started.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
async function stopGroup(child) {
  if (child.pid === undefined || child.exitCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
