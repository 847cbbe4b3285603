import { createSimulatedExtension, type SimulatedExtension } from '@latchkey/testkit'
import { verifyMessage, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { announceIn, openApp, type OpenedApp } from './testing/openApp.ts'

// The first key of every development chain. It is funded there only.
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const alice = privateKeyToAddress(key)

function createExtension(): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { 1: 'http://127.0.0.1:9/', 42_161: 'http://127.0.0.1:9/' },
    chainId: 1,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
}

/** Waits until the app shows a text. */
function shows(app: OpenedApp, text: string): Promise<void> {
  return expect.poll(app.text).toContain(text)
}

async function click({ screen }: OpenedApp, name: string): Promise<void> {
  await screen.getByRole('button', { name, exact: true }).click()
}

test('an app with wagmi connects, switches, signs, disconnects and reconnects', async () => {
  const extension = createExtension()
  const app = await openApp('wagmiApp', announceIn(extension))
  await shows(app, 'Status: disconnected')
  await click(app, 'Open')
  await app.screen.getByRole('button', { name: 'Dev Wallet' }).click()
  await shows(app, `Address: ${alice}`)
  await shows(app, `Account id: eip155:1:${alice}`)
  await shows(app, `wagmi: ${alice} on 1`)

  await click(app, 'Switch to Arbitrum')
  await shows(app, 'Network: Arbitrum One 42161')
  await shows(app, `wagmi: ${alice} on 42161`)
  await click(app, 'Switch to Ethereum with wagmi')
  await shows(app, 'Network: Ethereum 1')

  await click(app, 'Sign')
  await shows(app, 'Signature: 0x')
  const signature = /Signature: (0x[0-9a-f]+)/.exec(app.text())?.[1] as Hex
  expect(await verifyMessage({ address: alice, message: 'Hello AppKit', signature })).toBe(true)

  await app.reload()
  await shows(app, `Address: ${alice}`)
  await shows(app, `wagmi: ${alice} on 1`)

  await click(app, 'Disconnect')
  await shows(app, 'Status: disconnected')
  await shows(app, 'wagmi: none')
  await app.reload()
  await shows(app, 'Status: disconnected')
})
