import type { Connector } from '@latchkey/core'
import { flushTasks } from '@latchkey/core/testing'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mainnet } from 'viem/chains'
import type { Eip1193Provider } from '../injected/eip1193Provider.ts'
import { evm } from '../evm.ts'

type Fake = Eip1193Provider & Record<string, unknown>

/** A wallet with its own account and flags. */
function walletOf(account: number, flags: Record<string, unknown> = {}): Fake {
  const request: Eip1193Provider['request'] = async ({ method }) =>
    method === 'eth_chainId' ? '0x1' : [`0x${String(account).padStart(40, '0')}`]
  return { request, ...flags }
}

function announce(page: EventTarget, provider: Eip1193Provider, name = 'Announced'): void {
  const info = { uuid: name, name, rdns: `io.${name.toLowerCase()}`, icon: '' }
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
}

/** A page and its discovered connectors. */
async function setUp(ethereum?: unknown, announced: readonly Eip1193Provider[] = [], legacy?: boolean) {
  const page = new EventTarget()
  const inject = (value: unknown): void => void Object.defineProperty(page, 'ethereum', { value, configurable: true })
  if (ethereum !== undefined) inject(ethereum)
  page.addEventListener('eip6963:requestProvider', () => {
    for (const provider of announced) announce(page, provider)
  })
  const offered = new Map<string, Connector>()
  const stop = evm({ chains: [mainnet], page, legacy }).discover?.(
    (connector) => void offered.set(connector.id, connector),
    (id) => void offered.delete(id),
  )
  onTestFinished(() => stop?.())
  await waitForSearch()
  const rows = (): string[] => [...offered.values()].map(({ id, name }) => `${id} ${name}`)
  return { page, inject, offered, rows, stop }
}

/** The search at `window.ethereum` is loaded only if that object exists. */
async function waitForSearch(): Promise<void> {
  await import('./unannouncedWallets.ts')
  await flushTasks()
}

async function accountBehind(connector: Connector | undefined): Promise<number> {
  const connections = await connector?.connect({ networks: [], signal: new AbortController().signal })
  return Number(connections?.[0].accounts[0].split(':')[2]?.slice(2))
}

describe('a wallet at window.ethereum', () => {
  test('is listed under its own name and connects', async () => {
    const { rows, offered } = await setUp(walletOf(1))
    expect(rows()).toEqual(['injected Browser wallet'])
    expect(offered.get('injected')).toMatchObject({ type: 'injected', namespaces: ['eip155'], rdns: undefined })
    expect(await accountBehind(offered.get('injected'))).toBe(1)
  })

  test.each([
    ['Rabby', { isMetaMask: true, isRabby: true }],
    ['Brave Wallet', { isBraveWallet: true, isMetaMask: true }],
    ['Trust Wallet', { isTrust: true, isTrustWallet: true }],
    ['Browser wallet', { isMetaMask: true }],
    ['Browser wallet', { isRabby: true, isBraveWallet: true }],
    ['Browser wallet', { isRabby: 'yes', isConnected: true, isConnectedTo: () => true }],
    ['Browser wallet', { isabella: true, is: true, 'is<b>': true }],
  ])('is named %s with the flags %j', async (name, flags) => {
    const { offered } = await setUp(walletOf(1, flags))
    expect([...offered.values()].map((connector) => connector.name)).toEqual([name])
  })

  test('is not listed if the app excludes it', async () => {
    const { rows } = await setUp(walletOf(1), [], false)
    expect(rows()).toEqual([])
  })

  test('is listed once if it also announces itself, in either order', async () => {
    const wallet = walletOf(1)
    const { rows } = await setUp(wallet, [wallet])
    expect(rows()).toEqual(['io.announced Announced'])
    const late = await setUp(wallet)
    expect(late.rows()).toEqual(['injected Browser wallet'])
    announce(late.page, wallet)
    expect(late.rows()).toEqual(['io.announced Announced'])
  })

  test.each([
    ['in a wrapper with the same request function', (wallet: Fake) => ({ request: wallet.request, isExtra: true })],
    ['behind a proxy', (wallet: Fake) => new Proxy(wallet, {})],
    ['as a new object with the same specific flags', () => walletOf(1, { isExample: true, isMetaMask: true })],
  ])('is listed once if it is announced %s', async (_, wrap) => {
    const wallet = walletOf(1, { isExample: true })
    const { rows } = await setUp(wallet, [wrap(wallet)])
    expect(rows()).toEqual(['io.announced Announced'])
  })

  test('is listed next to a different wallet that also sets isMetaMask', async () => {
    const { rows, offered } = await setUp(walletOf(1, { isMetaMask: true }), [walletOf(2, { isMetaMask: true })])
    expect(rows()).toEqual(['io.announced Announced', 'injected Browser wallet'])
    expect(await accountBehind(offered.get('injected'))).toBe(1)
  })

  test('is found when it is injected late', async () => {
    const { page, inject, rows } = await setUp()
    expect(rows()).toEqual([])
    inject(walletOf(1))
    page.dispatchEvent(new Event('ethereum#initialized'))
    await waitForSearch()
    page.dispatchEvent(new Event('ethereum#initialized'))
    await waitForSearch()
    expect(rows()).toEqual(['injected Browser wallet'])
  })

  test('is not found after the discovery stopped', async () => {
    const { page, inject, rows, stop } = await setUp()
    inject(walletOf(1))
    page.dispatchEvent(new Event('ethereum#initialized'))
    stop?.()
    await waitForSearch()
    page.dispatchEvent(new Event('ethereum#initialized'))
    await waitForSearch()
    expect(rows()).toEqual([])
  })

  test('keeps its provider when another wallet overwrites window.ethereum', async () => {
    const { page, inject, rows, offered } = await setUp(walletOf(1))
    inject(walletOf(2))
    page.dispatchEvent(new Event('ethereum#initialized'))
    await waitForSearch()
    expect(rows()).toEqual(['injected Browser wallet', 'injected/2 Browser wallet'])
    expect(await Promise.all([...offered.values()].map(accountBehind))).toEqual([1, 2])
  })
})

describe('wallets that share window.ethereum', () => {
  test('are listed once each, without announced ones, in any order', async () => {
    const wallets = [1, 2, 3, 4].map((account) => walletOf(account, { [`isWallet${account}x`]: true }))
    const announced = walletOf(5, { isMetaMask: true })
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...wallets, announced], { minLength: 5 }), async (providers) => {
        const { offered } = await setUp({ ...walletOf(9), providers }, [announced])
        expect(offered.size).toBe(5)
        for (const [id, connector] of offered) {
          if (id !== 'io.announced') expect(connector.name).toBe(`Wallet${await accountBehind(connector)}x`)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('are listed once each, at most twenty', async () => {
    const wallets = Array.from({ length: 50 }, (_, index) => walletOf(index + 1))
    const { offered } = await setUp({ ...walletOf(99), providers: [wallets[0], wallets[0], null, 7, {}, ...wallets] })
    expect(offered.size).toBe(15)
  })
})

test('discovery survives any value at window.ethereum', async () => {
  const traps = new Proxy(
    {},
    {
      get() {
        throw new Error('trap')
      },
      ownKeys() {
        throw new Error('trap')
      },
      getPrototypeOf() {
        throw new Error('trap')
      },
    },
  )
  const half = new Proxy(walletOf(1), {
    ownKeys() {
      throw new Error('trap')
    },
    getOwnPropertyDescriptor() {
      throw new Error('trap')
    },
  })
  for (const ethereum of [null, undefined, 7, 'text', {}, { request: 7 }, { providers: [] }, traps]) {
    expect((await setUp(ethereum ?? null)).rows()).toEqual([])
  }
  expect((await setUp(half, [walletOf(2)])).rows()).toContain('injected Browser wallet')
})
