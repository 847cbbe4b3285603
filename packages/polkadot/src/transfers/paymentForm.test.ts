import { connect, createLatchkey, memoryStorage, start, type Latchkey, type Storage } from '@latchkey/core'
import {
  chooseToken,
  pendingTransactions,
  sendNow,
  sendState,
  setAmount,
  setMax,
  setReceiver,
  trackPending,
  type TrackedOutcome,
} from '@latchkey/core/money'
import { startPolkadotChain, type PolkadotChain } from '@latchkey/devnet'
import { putInjectedWeb3 } from '@latchkey/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { polkadot } from '../polkadot.ts'
import { createWalletOpener, type OpenWallet } from '../testing/openWallet.ts'
import { startRpcProxy } from '../testing/startRpcProxy.ts'

let chain: PolkadotChain
beforeAll(async () => void (chain = await startPolkadotChain()))
afterAll(() => chain.close())

const openWallet = createWalletOpener(() => chain)

/** Opens a page of a user with the payment form. A reload opens another one with the same storage. */
async function openPage({ extension }: OpenWallet, url: string, storage: Storage): Promise<Latchkey> {
  const page = new EventTarget()
  putInjectedWeb3(extension, page)
  const network = { ...chain.network, rpcUrls: { default: { http: [url] } } }
  const latchkey = createLatchkey({ adapters: [polkadot({ networks: [network], page, storage })], storage })
  start(latchkey)
  await connect(latchkey, `polkadot:${extension.info.name}`)
  const asset = { symbol: 'ROC', decimals: 12 }
  chooseToken(latchkey, {
    asset,
    name: 'ROC',
    chainId: network.caipNetworkId,
    balance: undefined,
    price: undefined,
  })
  return latchkey
}

async function fill(latchkey: Latchkey, receiver: string, amount: string): Promise<void> {
  setReceiver(latchkey, receiver)
  setAmount(latchkey, amount)
  await expect
    .poll(() => [sendState(latchkey).getState().status, sendState(latchkey).getState().fee?.value !== undefined])
    .toEqual(['ready', true])
}

test('a payment of the form moves exactly its amount', { tags: 'faults' }, async () => {
  const [payer, receiver] = [await openWallet(chain.network), await openWallet(chain.network)]
  const latchkey = await openPage(payer, chain.rpcUrl, memoryStorage())
  await fill(latchkey, receiver.address, '0.25')
  const { outcome } = await sendNow(latchkey)
  expect(await outcome).toMatchObject({ status: 'mined' })
  const { value } = (await latchkey.adapters[0]?.getBalance(chain.network, receiver.address)) ?? {}
  expect(value).toBe(1_250_000_000_000n)
})

test('the maximum leaves the existential deposit and the fee', { tags: 'faults' }, async () => {
  const [payer, receiver] = [await openWallet(chain.network), await openWallet(chain.network)]
  const latchkey = await openPage(payer, chain.rpcUrl, memoryStorage())
  await fill(latchkey, receiver.address, '0.1')
  await setMax(latchkey)
  await expect.poll(() => sendState(latchkey).getState().amount).toMatch(/^0\.9/)
  const { outcome } = await sendNow(latchkey)
  expect(await outcome).toMatchObject({ status: 'mined' })
  const { value = 0n } = (await latchkey.adapters[0]?.getBalance(chain.network, payer.address)) ?? {}
  expect(value).toBeGreaterThanOrEqual(3_333_333n)
})

test('a declined payment keeps the form', { tags: 'faults' }, async () => {
  const [payer, receiver] = [await openWallet(chain.network), await openWallet(chain.network)]
  const latchkey = await openPage(payer, chain.rpcUrl, memoryStorage())
  await fill(latchkey, receiver.address, '0.1')
  payer.extension.rejectNext()
  await expect(sendNow(latchkey)).rejects.toMatchObject({ code: 'request/rejected' })
  const { amount, receiver: to, uncertain } = sendState(latchkey).getState()
  expect([amount, to, uncertain]).toEqual(['0.1', receiver.address, false])
})

test('a pending payment survives a reload, and its outcome is found', { tags: 'faults' }, async () => {
  const proxy = await startRpcProxy(chain.rpcUrl)
  onTestFinished(proxy.close)
  const storage = memoryStorage()
  const [payer, receiver] = [await openWallet(chain.network), await openWallet(chain.network)]
  const before = await openPage(payer, proxy.url, storage)
  await fill(before, receiver.address, '0.1')
  // The page closes before it can read the block of the payment.
  proxy.replace('chain_getBlock', 'dropped')
  const { sent } = await sendNow(before)
  proxy.respondTruthfully()
  const after = await openPage(payer, proxy.url, storage)
  const outcomes: TrackedOutcome[] = []
  onTestFinished(trackPending(after, { onOutcome: (_, outcome) => outcomes.push(outcome) }))
  await expect.poll(() => outcomes).toMatchObject([{ status: 'mined', hash: sent.hash }])
  expect(pendingTransactions(after).getState()).toEqual([])
})
