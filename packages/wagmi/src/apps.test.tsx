import { createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
import { verifyMessage, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { announceIn, openApp, type OpenedApp } from '../../../scripts/testing/openApp.ts'

// The first key of every development chain. It is funded there only.
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const alice = privateKeyToAddress(key)
const folder = '/packages/wagmi/src/testing/apps'
/** No test reads a chain. */
const nowhere = 'http://127.0.0.1:9/'

function createExtension(): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { 1: nowhere, 137: nowhere, 42_161: nowhere },
    chainId: 1,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
}

/** Waits until the app shows a text. */
function expectText(app: OpenedApp, text: string): Promise<void> {
  return expect.poll(app.text).toContain(text)
}

async function click({ screen }: OpenedApp, name: string): Promise<void> {
  await screen.getByRole('button', { name, exact: true }).click()
}

/** Presses a button of the open modal. */
async function choose({ screen }: OpenedApp, name: string): Promise<void> {
  await screen.getByRole('dialog').getByRole('button', { name }).click()
}

async function signatureOf(app: OpenedApp): Promise<Hex> {
  await expect.poll(app.text).toMatch(/Signature: 0x\w{100}/)
  return (/Signature: (\w+)/.exec(app.text())?.[1] ?? '0x') as Hex
}

test('an app of RainbowKit connects, switches, signs, reconnects and disconnects', async () => {
  const app = await openApp(folder, 'rainbowKitApp', announceIn(createExtension()))
  await expectText(app, 'Status: disconnected')
  await click(app, 'Connect me')
  await choose(app, 'Dev Wallet')
  await expectText(app, `wagmi: ${alice} on 1`)
  await expectText(app, 'Custom: 0xf3…b92266 on Ethereum')

  await click(app, 'Open chains')
  await choose(app, 'Arbitrum One')
  await expectText(app, `wagmi: ${alice} on 42161`)
  await expectText(app, 'Custom: 0xf3…b92266 on Arbitrum One')
  await click(app, 'Switch to Ethereum')
  await expectText(app, `wagmi: ${alice} on 1`)

  await click(app, 'Sign')
  const signature = await signatureOf(app)
  expect(await verifyMessage({ address: alice, message: 'Hello RainbowKit', signature })).toBe(true)

  await app.reload()
  await expectText(app, `wagmi: ${alice} on 1`)
  await click(app, 'Open account')
  await choose(app, 'Disconnect')
  await expectText(app, 'Status: disconnected')
  await app.reload()
  await expectText(app, 'Status: disconnected')
})

test('an app of ConnectKit connects, switches, signs, reconnects and disconnects', { tags: 'browsers' }, async () => {
  const app = await openApp(folder, 'connectKitApp', announceIn(createExtension()))
  await expectText(app, 'Status: disconnected')
  await click(app, 'Connect me')
  await expectText(app, 'Modal: open')
  await choose(app, 'Dev Wallet')
  await expectText(app, `wagmi: ${alice} on 1`)
  await expectText(app, 'avatar of 24')
  await expectText(app, '0xf3…b92266 on Ethereum')

  await click(app, 'Open networks')
  await choose(app, 'Polygon')
  await expectText(app, `wagmi: ${alice} on 137`)
  await click(app, 'Switch to Ethereum')
  await expectText(app, `wagmi: ${alice} on 1`)
  await expectText(app, 'Modal: closed')

  await click(app, 'Sign')
  const signature = await signatureOf(app)
  expect(await verifyMessage({ address: alice, message: 'Hello ConnectKit', signature })).toBe(true)

  await app.reload()
  await expectText(app, `wagmi: ${alice} on 1`)
  await click(app, 'Disconnect')
  await expectText(app, 'Status: disconnected')
  await app.reload()
  await expectText(app, 'Status: disconnected')
})
