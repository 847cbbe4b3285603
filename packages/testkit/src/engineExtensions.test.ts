import { internalsOf } from '@latchkey/core/internal'
import {
  connect,
  createLatchkey,
  disconnect,
  getAccount,
  getConnections,
  signMessage,
  start,
  switchAccount,
  switchConnection,
  type AccountState,
  type EndReason,
  type Latchkey,
} from '@latchkey/core'
import { fakeStorage, manualClock, type FakeStorage, type ManualClock } from '@latchkey/core/fakes'
import { evm } from '@latchkey/evm'
import { isHex, recoverMessageAddress, type Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { mainnet } from 'viem/chains'
import { afterEach, describe, expect, test } from 'vitest'
import { createSimulatedExtension, type SimulatedExtension } from './evm/extension.ts'
import { announce } from './page/pageProvider.ts'

/** Nine unused keys, three per wallet. */
function keyOf(wallet: number, account: number): Hex {
  return `0x${String(10 * wallet + account + 1).padStart(64, '0')}`
}

function addressOf(wallet: number, account: number): string {
  return privateKeyToAddress(keyOf(wallet, account)).toLowerCase()
}

function createExtension(wallet: number): SimulatedExtension {
  return createSimulatedExtension({
    privateKeys: [keyOf(wallet, 0), keyOf(wallet, 1), keyOf(wallet, 2)],
    rpcUrls: { 1: 'http://127.0.0.1:1' },
    chainId: 1,
    info: { rdns: idOf(wallet), name: `Wallet ${wallet}` },
  })
}

function idOf(wallet: number): string {
  return `org.wallet${wallet}`
}

type Page = { latchkey: Latchkey; clock: ManualClock; appear(wallet: SimulatedExtension): void }

const stops: Array<() => void> = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A page that is loaded, with some wallets in it. */
function load(storage: FakeStorage, wallets: readonly SimulatedExtension[], multiWallet = true): Page {
  const page = new EventTarget()
  const clock = manualClock()
  for (const wallet of wallets) stops.push(announce(wallet, page))
  const latchkey = createLatchkey({ adapters: [evm({ chains: [mainnet], page })], storage, clock, multiWallet })
  stops.push(start(latchkey))
  return { latchkey, clock, appear: (wallet) => void stops.push(announce(wallet, page)) }
}

/** The state once it is one that lasts. */
async function waitUntilRestored({ latchkey }: Page): Promise<AccountState> {
  await expect
    .poll(() => internalsOf(latchkey).tasks.restoring.size + Number(getAccount(latchkey).status === 'reconnecting'))
    .toBe(0)
  return getAccount(latchkey)
}

/** Connected means that the wallet signs, with the key of the account on show. */
async function recoverSigner(latchkey: Latchkey): Promise<string> {
  const signature = await signMessage(latchkey, 'Hello')
  if (!isHex(signature)) return expect.fail('this is not a signature')
  const signer = (await recoverMessageAddress({ message: 'Hello', signature })).toLowerCase()
  const account = getAccount(latchkey)
  expect(account.status === 'connected' && account.address.toLowerCase()).toBe(signer)
  return signer
}

describe('connected extension after a reload', () => {
  type Case = { what: string; meanwhile(wallet: SimulatedExtension): unknown; there?: boolean; ends?: EndReason }
  const cases: readonly Case[] = [
    { what: 'that stayed as it was', meanwhile: () => undefined },
    { what: 'that selected another account', meanwhile: (wallet) => wallet.setAccounts([keyOf(1, 2), keyOf(1, 0)]) },
    { what: 'that was locked', meanwhile: (wallet) => wallet.lock(), ends: 'locked' },
    { what: 'whose permission was taken back', meanwhile: (wallet) => wallet.revoke(), ends: 'wallet' },
    { what: 'that was uninstalled', meanwhile: () => undefined, there: false, ends: 'uninstalled' },
    { what: 'that never responds', meanwhile: (wallet) => wallet.uninstall(), ends: 'slow' },
  ]

  test.each(cases.map((each) => [each.what, each] as const))(
    'extension %s: status and disconnect reason match the wallet [R4.3]',
    async (_, { meanwhile, there = true, ends }) => {
      const storage = fakeStorage()
      const wallet = createExtension(1)
      const before = load(storage, [wallet])
      await connect(before.latchkey, idOf(1))
      const left = fakeStorage({ values: Object.fromEntries(storage.values) })
      meanwhile(wallet)
      const after = load(left, there ? [wallet] : [])
      await expect.poll(() => after.clock.waiting()).toBeGreaterThan(0)
      if (ends === 'uninstalled' || ends === 'slow') {
        await expect
          .poll(() => {
            after.clock.advance(10_000)
            return getAccount(after.latchkey).status
          })
          .toBe('disconnected')
      }
      const account = await waitUntilRestored(after)
      expect(account.status).toBe(ends === undefined ? 'connected' : 'disconnected')
      if (ends === undefined) await recoverSigner(after.latchkey)
      else expect(account).toMatchObject({ reason: ends })
    },
  )

  test('reconnects when it announces itself late, or is unlocked after it was locked [R4.3]', async () => {
    const storage = fakeStorage()
    const wallet = createExtension(1)
    await connect(load(storage, [wallet]).latchkey, idOf(1))
    const late = load(storage.otherTab(), [])
    late.clock.advance(60_000)
    await waitUntilRestored(late)
    late.appear(wallet)
    await expect.poll(() => getAccount(late.latchkey).status).toBe('connected')
    expect(await recoverSigner(late.latchkey)).toBe(addressOf(1, 0))
    wallet.lock()
    expect(await waitUntilRestored(load(storage.otherTab(), [wallet]))).toMatchObject({ reason: 'locked' })
    wallet.unlock()
    const unlocked = load(storage.otherTab(), [wallet])
    expect((await waitUntilRestored(unlocked)).status).toBe('connected')
    expect(await recoverSigner(unlocked.latchkey)).toBe(addressOf(1, 0))
  })
})

describe('three extensions with three accounts each', () => {
  const wallets = [1, 2, 3] as const

  test('stay connected together: the active account signs, even after reloads', async () => {
    const storage = fakeStorage()
    const extensions = wallets.map(createExtension)
    let page = load(storage, extensions)
    for (const wallet of wallets) await connect(page.latchkey, idOf(wallet))
    const reload = async (): Promise<readonly string[]> => {
      page = load(storage.otherTab(), extensions)
      await expect.poll(() => getConnections(page.latchkey).length).toBe(storageCount(storage))
      return getConnections(page.latchkey).map(({ connectorId }) => connectorId)
    }
    expect(await recoverSigner(page.latchkey)).toBe(addressOf(3, 0))
    switchAccount(page.latchkey, `eip155:1:${getWalletAddress(2, 1)}`)
    expect(await recoverSigner(page.latchkey)).toBe(addressOf(2, 1))
    expect(await reload()).toEqual([idOf(2), idOf(3), idOf(1)])
    expect(await recoverSigner(page.latchkey)).toBe(addressOf(2, 1))
    switchConnection(page.latchkey, { namespace: 'eip155', connectorId: idOf(1) })
    expect(await reload()).toEqual([idOf(1), idOf(2), idOf(3)])
    expect(await recoverSigner(page.latchkey)).toBe(addressOf(1, 0))
    await disconnect(page.latchkey, { namespace: 'eip155', connectorId: idOf(1) })
    expect(await extensions[0]?.request({ method: 'eth_accounts' })).toEqual([])
    expect(await extensions[1]?.request({ method: 'eth_accounts' })).toHaveLength(3)
    expect(await reload()).toEqual([idOf(2), idOf(3)])
    expect(await recoverSigner(page.latchkey)).toBe(addressOf(2, 1))
    extensions[1]?.revoke()
    await expect.poll(() => getConnections(page.latchkey).map(({ connectorId }) => connectorId)).toEqual([idOf(3)])
    expect(await recoverSigner(page.latchkey)).toBe(addressOf(3, 0))
  })

  test('replace each other when the app allows one connection, and the replaced wallet is disconnected', async () => {
    const extensions = wallets.map(createExtension)
    const { latchkey } = load(fakeStorage(), extensions, false)
    for (const wallet of wallets) await connect(latchkey, idOf(wallet))
    expect(getConnections(latchkey)).toHaveLength(1)
    await expect.poll(() => extensions[1]?.request({ method: 'eth_accounts' })).toEqual([])
    expect(await recoverSigner(latchkey)).toBe(addressOf(3, 0))
  })

  test('disconnect with a reason when the permission is revoked or the wallet is locked', async () => {
    for (const [end, reason] of [
      [(wallet: SimulatedExtension) => wallet.revoke(), 'account-removed'],
      [(wallet: SimulatedExtension) => wallet.lock(), 'locked'],
    ] as const) {
      const wallet = createExtension(1)
      const page = load(fakeStorage(), [wallet])
      await connect(page.latchkey, idOf(1))
      end(wallet)
      await expect.poll(() => getAccount(page.latchkey)).toMatchObject({ status: 'disconnected', reason })
    }
  })
})

function getWalletAddress(wallet: number, account: number): string {
  return privateKeyToAddress(keyOf(wallet, account))
}

/** The number of remembered connections in storage. */
function storageCount(storage: FakeStorage): number {
  const { eip155 } = JSON.parse(storage.values.get('@latchkey/connections') ?? '{}')
  return eip155 === undefined ? 0 : 1 + (eip155.others?.length ?? 0)
}
