import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createLatchkey, getAccount, memoryStorage, signMessage, start, verifyMessage } from '@latchkey/core'
import { evm } from '@latchkey/evm'
import { walletConnect } from '@latchkey/walletconnect'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, onTestFinished, test as plainTest } from 'vitest'
import { foundry } from 'viem/chains'
import { WebSocket } from 'ws'
import { test } from '../vitest/test.ts'
import { runTestkit } from './runTestkit.ts'
import { findTestWorld, worldFile } from './testWorldUrls.ts'

let folder: string
let stop: () => void
let running: Promise<number>
const lines: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-testkit-'))
  const file = join(folder, 'urls.json')
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  await new Promise<void>((resolve, reject) => {
    const print = (line: string): void => {
      lines.push(line)
      resolve()
    }
    running = runTestkit(['up', file], { print, stopped })
    running.then(() => reject(new Error(lines.join('\n'))), reject)
  })
  process.env['LATCHKEY_TESTKIT_FILE'] = file
})

afterAll(async () => {
  delete process.env['LATCHKEY_TESTKIT_FILE']
  stop()
  expect(await running).toBe(0)
  await expect(readFile(join(folder, 'urls.json'))).rejects.toThrow('ENOENT')
  await rm(folder, { recursive: true })
})

/** An app with WalletConnect, and the URI that it would show as a QR code. */
function createApp(world: Awaited<ReturnType<typeof findTestWorld>>) {
  const storage = memoryStorage()
  const latchkey = createLatchkey({
    adapters: [evm({ chains: [{ ...foundry, rpcUrls: { default: { http: [world.evm] } } }] })],
    storage,
    connectors: [
      walletConnect({
        relayUrl: world.relay,
        projectId: world.projectId,
        metadata: { name: 'My app', description: '', url: 'https://app.example', icons: [] },
        storage,
        createSocket: (url) => new WebSocket(url),
      }),
    ],
  })
  onTestFinished(start(latchkey))
  return latchkey
}

test('up prints all addresses and writes them to the file', async ({ world }) => {
  const { socials, ...urls } = world
  expect(Object.keys(socials)).toHaveLength(6)
  for (const url of Object.values(urls)) expect(lines.join('\n')).toContain(url)
  expect(await (await fetch(`${world.server}/health`)).json()).toMatchObject({ status: expect.any(String) })
})

test('the phone connects an app and signs, and rejects on demand', async ({ world, phone }) => {
  const latchkey = createApp(world)
  await connect(latchkey, 'walletConnect', { onUri: (uri) => void phone.pair(uri) })
  expect(getAccount(latchkey)).toMatchObject({ status: 'connected', address: expect.stringMatching(/^0xf39F/i) })
  const signature = await signMessage(latchkey, 'Hello')
  expect(await verifyMessage(latchkey, 'Hello', signature)).toBe(true)
  phone.rejectNext()
  await expect(signMessage(latchkey, 'Hello')).rejects.toMatchObject({ code: 'request/rejected' })
  expect(phone.apps()).toEqual(['My app'])
})

test('a rejected session leaves the app disconnected', async ({ world, phone }) => {
  const latchkey = createApp(world)
  phone.rejectNextSession()
  const connecting = connect(latchkey, 'walletConnect', { onUri: (uri) => void phone.pair(uri) })
  await expect(connecting).rejects.toMatchObject({ code: 'connection/rejected' })
  expect(phone.apps()).toEqual([])
})

test('the keys of the extension and of the Solana wallet hold coins', async ({ evmWallet, solanaWallet, world }) => {
  const [address] = (await evmWallet.request({ method: 'eth_requestAccounts' })) as readonly string[]
  const balance = await evmWallet.request({ method: 'eth_getBalance', params: [address, 'latest'] })
  expect(BigInt(String(balance))).toBeGreaterThan(10n ** 18n)
  expect(solanaWallet.info.name).toBe('Test Solana')
  const body = { jsonrpc: '2.0', id: 1, method: 'getBalance', params: ['oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'] }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(world.solana ?? '', init)
  expect(await response.json()).toMatchObject({ result: { value: expect.any(Number) } })
})

test('the mailbox waits for a mail to an address', async ({ mailbox, world }) => {
  const waiting = mailbox.waitFor('ann@example.org', { matching: /\d{6}/ })
  const mailer = createTransport({ url: world.smtp, ignoreTLS: true })
  for (const text of ['Welcome', 'Your code: 123456'])
    await mailer.sendMail({ from: 'app@example.org', to: 'ann@example.org', subject: 'Hi', text })
  expect((await waiting).text).toContain('123456')
  await expect(mailbox.waitFor('bob@example.org', { timeout: 0 })).rejects.toThrow('No mail to bob@example.org')
})

plainTest('the test world is found in a folder above, and its absence is explained', async () => {
  const named = process.env['LATCHKEY_TESTKIT_FILE']
  delete process.env['LATCHKEY_TESTKIT_FILE']
  onTestFinished(() => void (process.env['LATCHKEY_TESTKIT_FILE'] = named))
  const project = await mkdtemp(join(tmpdir(), 'latchkey-testkit-'))
  onTestFinished(() => rm(project, { recursive: true }))
  await mkdir(join(project, 'tests/unit'), { recursive: true })
  await expect(findTestWorld(project)).rejects.toThrow('npx @latchkey/testkit up')
  await mkdir(join(project, '.latchkey'))
  await writeFile(join(project, worldFile), '{ "evm": "http://127.0.0.1:1" }')
  expect(await findTestWorld(join(project, 'tests/unit'))).toEqual({ evm: 'http://127.0.0.1:1' })
})

plainTest.each([[[]], [['down']], [['up', '--port']], [['up', 'a', 'b']]])(
  'the command line %j is wrong and prints the usage',
  async (args) => {
    const printed: string[] = []
    const options = { print: (line: string) => void printed.push(line), stopped: Promise.resolve() }
    expect(await runTestkit(args, options)).toBe(2)
    expect(printed.join()).toContain('Usage: npx @latchkey/testkit up')
  },
)

test('the identity providers of the world are those of the settings for a server', async ({ world }) => {
  const { google } = world.socials
  const response = await fetch(`${google?.['issuer']}/.well-known/openid-configuration`)
  expect(await response.json()).toMatchObject({ issuer: `${world.identity}/google` })
})
