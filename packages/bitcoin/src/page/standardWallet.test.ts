import type { Connection } from '@latchkey/core'
import { manualClock, flushTasks } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { bitcoin } from '../bitcoin.ts'
import { bitcoinMainnet } from '../chain/bitcoinNetworks.ts'

const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const request = { networks: [bitcoinMainnet], signal: new AbortController().signal }

type Change = { accounts: readonly object[] }

/** A wallet as Xverse registers it: it reports changes by `bitcoin:events`, and has none of the `standard:` features. */
function registerWallet(page: EventTarget, publicKey: Uint8Array) {
  const listeners = new Set<(change: Change) => void>()
  const account = { address, publicKey, purpose: 'payment', chains: ['bitcoin:mainnet'], features: [] }
  const wallet = {
    version: '1.0.0',
    name: 'Xverse Wallet',
    chains: ['bitcoin:mainnet'],
    accounts: [] as readonly object[],
    features: {
      'bitcoin:connect': {
        version: '1.0.0',
        async connect() {
          wallet.accounts = [account]
          return { accounts: wallet.accounts }
        },
      },
      'bitcoin:signMessage': { version: '1.0.0', signMessage: async () => [] },
      'bitcoin:events': {
        version: '1.0.0',
        on(_event: string, listener: (change: Change) => void) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
    },
  }
  page.addEventListener('wallet-standard:app-ready', (event) => Reflect.get(event, 'detail').register(wallet))
  const change = (accounts: readonly object[]): void => {
    wallet.accounts = accounts
    for (const listener of listeners) listener({ accounts })
  }
  return { listeners, change }
}

async function connectWallet(publicKey: Uint8Array = new Uint8Array(33).fill(2)) {
  const page = new EventTarget()
  const wallet = registerWallet(page, publicKey)
  const connections: Connection[] = []
  const connecting: Promise<void>[] = []
  bitcoin({ networks: [bitcoinMainnet], page, clock: manualClock() }).discover?.((connector) => {
    connecting.push(connector.connect(request).then((granted) => void connections.push(...granted)))
  })
  await Promise.all(connecting)
  const [connection] = connections
  if (connection === undefined) throw new Error('The wallet was not found.')
  return { ...wallet, connection }
}

test('a wallet that reports a revocation by bitcoin:events is disconnected [R4.5]', async () => {
  const { connection, change, listeners } = await connectWallet()
  const ends: unknown[] = []
  const stop = connection.listen({
    accountsChanged() {},
    chainChanged() {},
    disconnected: (end) => void ends.push(end),
  })
  await flushTasks()
  change([])
  await expect.poll(() => ends).toEqual(['account-removed'])
  stop()
  await expect.poll(() => listeners.size).toBe(0)
})

test.each([32, 33])('a public key of %i bytes is reported [R3.3]', async (length) => {
  const { connection } = await connectWallet(new Uint8Array(length).fill(2))
  expect(connection.details?.(connection.accounts[0])?.publicKey).toBe('02'.repeat(length))
})

test.each([0, 1, 20, 34, 65])('a public key of %i bytes is dropped [R3.3]', async (length) => {
  const { connection } = await connectWallet(new Uint8Array(length))
  expect(connection.details?.(connection.accounts[0])).toMatchObject({ publicKey: undefined })
})
