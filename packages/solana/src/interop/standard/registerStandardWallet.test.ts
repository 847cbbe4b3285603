import { createLatchkey, memoryStorage, start } from '@latchkey/core'
import { createSimulatedSolanaWallet, registerSolanaWallet, testKeys } from '@latchkey/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { solana } from '../../solana.ts'
import { createStandardWallet } from './createStandardWallet.ts'
import { registerStandardWallet } from './registerStandardWallet.ts'

/** An instance that discovers the wallets of a page. */
function loadLatchkey(page: EventTarget) {
  const latchkey = createLatchkey({ adapters: [solana({ page })], storage: memoryStorage() })
  onTestFinished(start(latchkey))
  return { latchkey, listed: () => latchkey.connectors.getState().map(({ name }) => name) }
}

/** A library of an app that uses the Wallet Standard. */
function loadLibrary(page: EventTarget) {
  const found: string[] = []
  const app = {
    register(wallet: { name: string }) {
      found.push(wallet.name)
      return () => void found.splice(found.indexOf(wallet.name), 1)
    },
  }
  const listen = () =>
    page.addEventListener('wallet-standard:register-wallet', (event) => Reflect.get(event, 'detail')(app))
  const ask = () => page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: app }))
  return { found, listen, ask }
}

test('the wallet is registered with libraries that load before and after it, until it is unregistered', () => {
  const page = new EventTarget()
  const [early, late, latest] = [loadLibrary(page), loadLibrary(page), loadLibrary(page)]
  early.listen()
  const unregister = registerStandardWallet(loadLatchkey(new EventTarget()).latchkey, { page, name: 'My App' })
  late.ask()
  expect([early.found, late.found]).toEqual([['My App'], ['My App']])
  unregister()
  latest.ask()
  expect([early.found, late.found, latest.found]).toEqual([[], [], []])
})

test('the wallet is never listed by Latchkey, neither by its own instance nor by another one in the page', () => {
  const page = new EventTarget()
  const { latchkey, listed } = loadLatchkey(page)
  registerStandardWallet(latchkey, { page })
  const other = loadLatchkey(page)
  registerStandardWallet(other.latchkey, { page, name: 'Other' })
  const rpcUrls = { 'solana:mainnet': 'http://127.0.0.1:1' }
  registerSolanaWallet(createSimulatedSolanaWallet({ privateKeys: [testKeys.solana[0]], rpcUrls }), page)
  expect(listed()).toEqual(['Simulated Solana Wallet'])
  expect(other.listed()).toEqual(['Simulated Solana Wallet'])
})

test('a wallet that is passed to the page without its registration is not listed either', () => {
  const page = new EventTarget()
  const { latchkey, listed } = loadLatchkey(page)
  const wallet = createStandardWallet(latchkey)
  const detail = (app: { register(given: unknown): void }): void => app.register(wallet)
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
  expect(listed()).toEqual([])
})

test.each([undefined, {}, { register: 'text' }, { register: (): never => expect.fail('no') }])(
  'a library whose registration is %j does not keep others from the wallet',
  (broken) => {
    const page = new EventTarget()
    const unregister = registerStandardWallet(loadLatchkey(new EventTarget()).latchkey, { page })
    page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: broken }))
    const library = loadLibrary(page)
    library.ask()
    expect(library.found).toEqual(['Latchkey'])
    unregister()
    expect(library.found).toEqual([])
  },
)

test('nothing is registered on a server', () => {
  expect(registerStandardWallet(loadLatchkey(new EventTarget()).latchkey)).not.toThrow()
})
