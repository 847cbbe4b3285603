// Compares apps with a connect button: the packed packages, and the published libraries of others, each built by Vite.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { packPackage } from '../../lib/packPackage.mjs'
import { root } from '../../lib/root.mjs'
import { installDependencies, versionOf } from '../consumer.mjs'
import { openOnce } from '../openOnce.mjs'
import { formatPeerTable, placePeerTable } from './formatPeerTable.mjs'
import { serveCompressed } from '../serveCompressed.mjs'
import { getMedian, launchBrowser } from '../site.mjs'

const rounds = 9
const apps = fileURLToPath(new URL('apps/', import.meta.url))

/**
 * @typedef {object} App
 * @property {string} folder
 * @property {string} name
 * @property {string} button a part of the name of its button
 * @property {string} dialog the selector of its open dialog
 * @property {readonly string[]} [packages] our packages
 * @property {Readonly<Record<string, string>>} dependencies versions that stay the same until someone changes them here
 * @property {Readonly<Record<string, string>>} [overrides]
 *
 * @typedef {import('./formatPeerTable.mjs').PeerFigures} PeerFigures
 */

const ourPackages = ['protocol', 'core', 'modal', 'adapter-kit', 'react']
const reactVersions = { react: versionOf('react'), 'react-dom': versionOf('react-dom') }

/** @type {readonly App[]} */
const compared = [
  {
    folder: 'latchkey',
    name: 'Latchkey, eip155',
    button: 'Connect',
    dialog: 'dialog[open]',
    packages: [...ourPackages, 'evm', 'verify', 'walletconnect'],
    dependencies: { ...reactVersions, viem: versionOf('viem') },
  },
  {
    folder: 'rainbowkit',
    name: 'RainbowKit 2.2.11',
    button: 'Connect Wallet',
    dialog: '[role=dialog]',
    dependencies: {
      ...reactVersions,
      viem: versionOf('viem'),
      wagmi: '2.19.5',
      '@tanstack/react-query': versionOf('@tanstack/react-query'),
      '@rainbow-me/rainbowkit': '2.2.11',
    },
    // Its wallets load this library when they are chosen, which no run does.
    overrides: { '@walletconnect/ethereum-provider': 'file:walletconnect-stub' },
  },
  {
    folder: 'latchkey-solana',
    name: 'Latchkey, solana',
    button: 'Connect',
    dialog: 'dialog[open]',
    packages: [...ourPackages, 'solana', 'verify'],
    dependencies: reactVersions,
  },
  {
    folder: 'solana-wallet-adapter',
    name: 'Solana wallet-adapter 0.9.40',
    button: 'Select Wallet',
    dialog: '.wallet-adapter-modal',
    dependencies: {
      ...reactVersions,
      '@solana/web3.js': '1.99.0',
      '@solana/wallet-adapter-react': '0.15.40',
      '@solana/wallet-adapter-react-ui': '0.9.40',
    },
  },
]

/**
 * @param {Readonly<Record<string, string>>} [options] `write` renews the table of the README
 * @returns {Promise<import('../../bench.mjs').Figure[]>}
 */
export async function measure({ write } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-peers-'))
  const browser = await launchBrowser()
  try {
    /** @type {PeerFigures[]} */
    const measured = []
    for (const app of compared) measured.push(await measureApp(app, folder, browser))
    if (write !== undefined) writePeerTable(measured)
    return measured.flatMap(describeApp)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {App} app
 * @param {string} parent
 * @param {import('playwright').Browser} browser
 * @returns {Promise<PeerFigures>}
 */
async function measureApp(app, parent, browser) {
  const { outDir, packages } = await buildApp(app, parent)
  const server = await serveCompressed(outDir)
  /** @param {import('../openOnce.mjs').Conditions} conditions */
  const open = (conditions) => openOnce(browser, `${server.url}/`, { ...conditions, ...app })
  /** @param {import('../openOnce.mjs').Conditions} conditions */
  const measureMedian = async (conditions) => {
    const times = []
    for (let round = 0; round < rounds; round += 1) times.push((await open(conditions)).usableAfter)
    return Math.round(getMedian(times))
  }
  try {
    // The first page of a browser is slower than all others.
    await open({ slowdown: 1, slow4G: false })
    const { scripts, usableScripts, strangers } = await open({ slowdown: 1, slow4G: false })
    return {
      name: app.name,
      scripts: scripts.length,
      kilobytes: sumKilobytes(scripts),
      usableKilobytes: sumKilobytes(usableScripts),
      strangers: strangers.length,
      packages: packages.length,
      fast: await measureMedian({ slowdown: 1, slow4G: false }),
      slow: await measureMedian({ slowdown: 4, slow4G: false }),
      slow4G: await measureMedian({ slowdown: 1, slow4G: true }),
    }
  } finally {
    await server.close()
  }
}

/**
 * @param {App} app
 * @param {string} parent
 */
async function buildApp({ folder, packages = [], dependencies, overrides = {} }, parent) {
  const app = join(parent, folder)
  cpSync(join(apps, folder), app, { recursive: true })
  cpSync(fileURLToPath(new URL('../consumer/index.html', import.meta.url)), join(app, 'index.html'))
  cpSync(join(apps, 'walletconnect-stub'), join(app, 'walletconnect-stub'), { recursive: true })
  const archives = Object.fromEntries(
    await Promise.all(
      packages.map(async (name) => {
        const { archive } = await packPackage(join(root, 'packages', name), parent)
        return [`@latchkey/${name}`, `file:${archive}`]
      }),
    ),
  )
  const installed = await installDependencies(app, { ...dependencies, ...archives }, overrides)
  const outDir = join(app, 'dist')
  await build({ root: app, configFile: false, logLevel: 'error', plugins: [react()], build: { outDir } })
  return { outDir, packages: installed }
}

/** @param {readonly import('../openOnce.mjs').Script[]} scripts */
function sumKilobytes(scripts) {
  return Math.round(scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 100) / 10
}

/**
 * @param {PeerFigures} figures
 * @returns {import('../../bench.mjs').Figure[]}
 */
function describeApp({ name, ...figures }) {
  return [
    { name: `${name}: scripts before the button, brotli`, value: figures.kilobytes, unit: 'kB' },
    { name: `${name}: scripts until the dialog is usable`, value: figures.usableKilobytes, unit: 'kB' },
    { name: `${name}: requests to other origins before a click`, value: figures.strangers, unit: '' },
    { name: `${name}: installed packages`, value: figures.packages, unit: '' },
    { name: `${name}: click to usable, full speed`, value: figures.fast, unit: 'ms' },
    { name: `${name}: click to usable, CPU four times slower`, value: figures.slow, unit: 'ms' },
    { name: `${name}: click to usable, slow 4G`, value: figures.slow4G, unit: 'ms' },
  ]
}

/** @param {readonly PeerFigures[]} measured */
function writePeerTable(measured) {
  const file = join(root, 'README.md')
  writeFileSync(join(apps, '../measured.json'), `${JSON.stringify(measured, null, 2)}\n`)
  writeFileSync(file, placePeerTable(readFileSync(file, 'utf8'), formatPeerTable(measured)))
}
