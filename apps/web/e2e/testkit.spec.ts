import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startSite } from '@latchkey/devnet'
import { copyPairingUri, expect, test, type TestkitWorkerFixtures } from '@latchkey/testkit/playwright-test'

type World = TestkitWorkerFixtures['world']

const root = fileURLToPath(new URL('../../..', import.meta.url))
let site: Awaited<ReturnType<typeof startSite>>
let end = async (): Promise<void> => {}

// One world is enough for both tests.
test.describe.configure({ mode: 'default' })

// The app of the tests runs against a separate world, like the app of another team.
test.beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-testkit-spec-'))
  const file = join(folder, 'urls.json')
  const up = spawn(process.execPath, [join(root, 'packages/testkit/dist/world/main.js'), 'up', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => up.once('exit', resolve))
  await expect.poll(() => existsSync(file) || up.exitCode, { timeout: 180_000 }).toBe(true)
  process.env['LATCHKEY_TESTKIT_FILE'] = file
  // Written by the command.
  const world = JSON.parse(await readFile(file, 'utf8')) as World
  site = await startSite(appOf(world))
  end = async () => {
    await site.close()
    up.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(existsSync(file)).toBe(false)
    await rm(folder, { recursive: true })
  }
})

test.afterAll(() => end())

/** The web app with the configuration of the test world. */
function appOf({ server, relay, evm, projectId, mailbox }: World): Parameters<typeof startSite>[0] {
  const network = {
    id: 31_337,
    caipNetworkId: 'eip155:31337',
    chainNamespace: 'eip155',
    name: 'Test Chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [evm] } },
  }
  const config = { projectId, server, relay, wallet: server, mailbox, networks: [network], tokens: [] }
  const connect = [server, relay.replace(/\/relay$/, ''), evm, mailbox]
  return { root: join(root, 'apps/web/dist'), port: 0, config, connect, images: [server] }
}

test('the extension of the testkit connects and signs, and rejects once', async ({ page, evmWallet }) => {
  await page.goto(`${site.url}/account`)
  await page.locator('.site-header').getByRole('button').click()
  evmWallet.rejectNext()
  await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
  await expect(page.getByRole('dialog')).toContainText(/rejected/i)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /try again/i })
    .click()
  await expect(page.getByRole('main')).toContainText('0xf39F')
})

test('the phone of the testkit connects through the relay', async ({ page, phone }) => {
  await page.goto(`${site.url}/account`)
  await page.locator('.site-header').getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /WalletConnect/ })
    .click()
  await phone.pair(await copyPairingUri(page))
  await expect(page.getByRole('main')).toContainText('0xf39F')
  expect(phone.apps()).toEqual(['Latchkey'])
})
