import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { Wallet } from '@wallet-standard/base'
import { describe, expect, test } from 'vitest'
import { registerSolanaWallet } from './register.ts'
import { createStandardWallet } from './standardWallet.ts'
import { createSimulatedSolanaWallet, type SimulatedSolanaOptions, type SimulatedSolanaWallet } from './wallet.ts'

const [key, otherKey] = ['a1'.repeat(32), 'b2'.repeat(32)]

type Account = { address: string }

/** A wallet and the part that a page sees. No test in this file sends a request to a chain. */
function setUp(options: Partial<SimulatedSolanaOptions> = {}) {
  const rpcUrls = { 'solana:localnet': 'http://127.0.0.1:1' }
  const wallet = createSimulatedSolanaWallet({ privateKeys: [key], rpcUrls, ...options })
  const seen = createStandardWallet(wallet.info, wallet)
  const addresses = (): readonly string[] => seen.accounts.map((account) => account.address)
  return { wallet, seen, addresses, connect: (silent?: boolean) => connectTo(seen, silent) }
}

async function connectTo(seen: Wallet, silent?: boolean): Promise<readonly string[]> {
  // The feature is defined in another file.
  const feature = seen.features['standard:connect'] as {
    connect(input?: { silent?: boolean }): Promise<{ accounts: readonly Account[] }>
  }
  const { accounts } = await feature.connect(silent === undefined ? undefined : { silent })
  return accounts.map(({ address }) => address)
}

async function signMessage(seen: Wallet, message: Uint8Array): Promise<Uint8Array> {
  const feature = seen.features['solana:signMessage'] as {
    signMessage(input: object): Promise<readonly { signature: Uint8Array }[]>
  }
  const [output] = await feature.signMessage({ account: seen.accounts[0], message })
  return output?.signature ?? new Uint8Array()
}

describe('simulated Solana wallet', () => {
  test('returns its accounts only to permitted pages', async () => {
    const { wallet, addresses, connect } = setUp({ privateKeys: [key, otherKey] })
    expect(await connect(true)).toEqual([])
    expect(await connect()).toHaveLength(2)
    expect(addresses()).toHaveLength(2)
    expect(await connect(true)).toEqual(addresses())
    wallet.revoke()
    expect(addresses()).toEqual([])
  })

  test('signs messages with the key of its account', async () => {
    const { seen, connect, addresses } = setUp()
    await connect()
    const message = new TextEncoder().encode('Hello')
    const signature = await signMessage(seen, message)
    expect(ed25519.verify(signature, message, base58.decode(addresses()[0] ?? ''))).toBe(true)
  })

  test.each<[string, (wallet: SimulatedSolanaWallet) => void, object]>([
    ['declines', (wallet) => wallet.rejectNext(), { code: 4001 }],
    ['fails', (wallet) => wallet.faults.once('all', { kind: 'fail', code: 7, message: 'No' }), { code: 7 }],
  ])('%s only once when a single refusal or fault is set', async (_, configure, failure) => {
    const { wallet, connect } = setUp()
    configure(wallet)
    await expect(connect()).rejects.toMatchObject(failure)
    expect(await connect()).toHaveLength(1)
  })

  test('hold keeps requests pending until the owner approves', async () => {
    const { wallet, connect } = setUp()
    wallet.hold()
    const connecting = connect()
    wallet.approve()
    expect(await connecting).toHaveLength(1)
  })

  test('shows no accounts while locked, and rejects silent connection', async () => {
    const { wallet, addresses, connect } = setUp({ permitted: true })
    expect(await connect(true)).toHaveLength(1)
    wallet.lock()
    expect(addresses()).toEqual([])
    await expect(connect(true)).rejects.toThrow('The wallet is locked.')
    const waiting = connect()
    wallet.unlock()
    expect(await waiting).toHaveLength(1)
  })

  test('changes the accounts of the page on setAccounts and removeAccount', async () => {
    const { wallet, addresses, connect } = setUp()
    const [first = ''] = await connect()
    wallet.setAccounts([otherKey, key])
    expect(addresses()[1]).toBe(first)
    wallet.removeAccount(first)
    expect(addresses()).not.toContain(first)
  })

  test('omits the features listed in without', () => {
    const { seen } = setUp({ info: { without: ['standard:events', 'solana:signTransaction'] } })
    expect(Object.keys(seen.features)).toEqual([
      'standard:connect',
      'standard:disconnect',
      'solana:signMessage',
      'solana:signAndSendTransaction',
    ])
  })

  test('registers in pages that listen before or after it, until it vanishes', () => {
    const { wallet } = setUp()
    const page = new EventTarget()
    const events: string[] = []
    const app = (name: string) => ({
      register() {
        events.push(`${name} took it`)
        return () => void events.push(`${name} lost it`)
      },
    })
    page.addEventListener('wallet-standard:register-wallet', (event) => Reflect.get(event, 'detail')(app('early')))
    registerSolanaWallet(wallet, page)
    const late = (): boolean =>
      page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: app('late') }))
    late()
    wallet.uninstall()
    late()
    expect(events).toEqual(['early took it', 'late took it', 'early lost it', 'late lost it'])
  })
})
