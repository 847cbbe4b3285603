import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  connect,
  createLatchkey,
  memoryStorage,
  start,
  type Clock,
  type Latchkey,
  type LatchkeyEvent,
} from '@latchkey/core'
import { loadTokens } from '@latchkey/core/internal'
import {
  chooseToken,
  findToken,
  pendingTransactions,
  resetSend,
  sendState,
  setAmount,
  setAmountInDollars,
  setMax,
  setReceiver,
  type SendToken,
} from '@latchkey/core/money'
import { getRejection, manualClock } from '@latchkey/core/testing'
import {
  attachModal,
  confirmSend,
  currentEntry,
  modalOf,
  openModal,
  openSendFlow,
  reviewSendFlow,
} from '@latchkey/modal'
import { announce } from '@latchkey/testkit'
import { numberToHex, parseEther, type Address } from 'viem'
import { beforeAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { evm } from '../evm.ts'
import { startTestChain, type TestChain, type TestWallet } from '../testing/startTestChain.ts'

let chain: TestChain
let receiver: TestWallet
let dollars: Address
let moody: Address

beforeAll(async () => {
  chain = await startTestChain()
  receiver = await chain.wallet()
  dollars = await chain.deploy('LocalToken', ['Latch Dollar', 'LUSD', 6, [], 0n])
  moody = await chain.deploy('MoodyToken')
  return () => chain.stop()
})

afterEach(async () => {
  chain.proxy.reconnect()
  await chain.request('evm_setAutomine', true)
})

/** A data service for prices and names that can be made to fail. */
async function startService() {
  const service = { url: '', countTransactions: 0, failing: false }
  const server = createServer((request, response) => {
    const balances = [
      { name: 'Ether', symbol: 'ETH', price: 2_000, quantity: { decimals: '18', numeric: '10' } },
      {
        name: 'Latch Dollar',
        symbol: 'LUSD',
        price: 1,
        address: `eip155:31337:${dollars}`,
        quantity: { decimals: '6', numeric: '1' },
      },
      {
        name: 'Far Dollar',
        symbol: 'FAR',
        price: 1,
        chainId: 'eip155:1',
        address: `eip155:1:${dollars}`,
        quantity: { decimals: '6', numeric: '1' },
      },
    ].map((each) => ({ chainId: 'eip155:31337', iconUrl: 'data:image/png;base64,', ...each }))
    const isBalance = request.url?.includes('/balance') === true
    if (isBalance) service.countTransactions += 1
    const body = isBalance ? { balances } : { name: 'visitor.eth', avatar: 'https://pictures.example/visitor.png' }
    response.statusCode = isBalance && service.failing ? 500 : 200
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A TCP server always has an address of this form while it listens.
  const { port } = server.address() as AddressInfo
  service.url = `http://127.0.0.1:${port}`
  return service
}

/** A connected user with funds. */
async function visit({ ether = '10', server, clock }: { ether?: string; server?: string; clock?: Clock } = {}) {
  const wallet = await chain.wallet(ether)
  await chain.call('LocalToken', dollars, 'mint', [wallet.address, 1_000_000n])
  await chain.call('MoodyToken', moody, 'mint', [wallet.address, 1_000_000n])
  const page = new EventTarget()
  announce(wallet.extension, page)
  const adapters = [evm({ chains: [chain.chain], page })]
  const latchkey = createLatchkey({ adapters, storage: memoryStorage(), server, clock })
  attachModal(latchkey)
  start(latchkey)
  const events: LatchkeyEvent[] = []
  latchkey.events.subscribe((event) => events.push(event))
  await connect(latchkey, wallet.extension.info.rdns)
  openModal(latchkey)
  const countTransactions = (): number =>
    wallet.extension.requests.filter(({ method }) => method === 'eth_sendTransaction').length
  return { latchkey, wallet, events, countTransactions, state: () => sendState(latchkey).getState() }
}

const createEther = (): SendToken => ({
  asset: chain.native,
  name: 'Ether',
  chainId: chain.network.caipNetworkId,
  balance: undefined,
  price: 2_000,
})

/** Fills the form until nothing is missing. */
async function fill(latchkey: Latchkey, { token = createEther(), amount = '1', to = receiver.address as string } = {}) {
  openSendFlow(latchkey, token)
  setReceiver(latchkey, to)
  setAmount(latchkey, amount)
  await expect.poll(() => sendState(latchkey).getState().status).toBe('ready')
}

function viewOf(latchkey: Latchkey): string | undefined {
  const state = modalOf(latchkey).state.getState()
  return state.open ? currentEntry(state).view : undefined
}

function toastOf(latchkey: Latchkey): string | undefined {
  const toast = modalOf(latchkey).toast.getState()
  return toast.open ? toast.message : undefined
}

const getHeldBalance = async (address: Address): Promise<bigint> =>
  BigInt(String(await chain.request('eth_getBalance', address, 'latest')))

describe('a payment', () => {
  test('returns to Account, clears the form, notifies and is followed to its end [R4.4.2] [R4.4.3] [R8.2.3]', async () => {
    const { latchkey, events, state } = await visit()
    const before = await getHeldBalance(receiver.address)
    await fill(latchkey)
    expect(await reviewSendFlow(latchkey)).toBe('ready')
    expect(viewOf(latchkey)).toBe('WalletSendPreview')
    await chain.request('evm_setAutomine', false)
    const { sent, outcome } = await confirmSend(latchkey)
    expect(viewOf(latchkey)).toBe('Account')
    expect(state()).toMatchObject({ token: undefined, amount: '', receiver: '', loading: false, tokens: undefined })
    expect(toastOf(latchkey)).toBe('Transaction started')
    const what = { kind: 'send', amount: '1', symbol: 'ETH', to: receiver.address }
    expect(pendingTransactions(latchkey).getState()).toMatchObject([{ hash: sent.hash, status: 'pending', what }])
    await chain.request('anvil_mine')
    expect(await outcome).toMatchObject({ status: 'mined', hash: sent.hash })
    expect(pendingTransactions(latchkey).getState()).toEqual([])
    expect(await getHeldBalance(receiver.address)).toBe(before + parseEther('1'))
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['send', 'transaction']))
  })

  test('sends a single request for repeated clicks on Send', async () => {
    const { latchkey, wallet, countTransactions } = await visit()
    await fill(latchkey)
    wallet.extension.hold()
    const presses = Array.from({ length: 50 }, () => confirmSend(latchkey))
    await expect.poll(countTransactions).toBe(1)
    wallet.extension.approve()
    const [first, ...others] = await Promise.all(presses)
    expect(others.every((other) => other === first)).toBe(true)
    await first?.outcome
    expect(countTransactions()).toBe(1)
    expect(BigInt(String(await chain.request('eth_getTransactionCount', wallet.address, 'latest')))).toBe(1n)
  })

  test('cannot be changed or discarded while its request is pending', async () => {
    const { latchkey, wallet, countTransactions, state } = await visit()
    await fill(latchkey)
    wallet.extension.hold()
    const sending = confirmSend(latchkey)
    await expect.poll(countTransactions).toBe(1)
    setAmount(latchkey, '2')
    setReceiver(latchkey, wallet.address)
    await setMax(latchkey)
    resetSend(latchkey)
    expect(state()).toMatchObject({ amount: '1', receiver: receiver.address, max: false, loading: true })
    wallet.extension.approve()
    await (
      await sending
    ).outcome
    expect(state().loading).toBe(false)
  })

  test('of another account is not affected by a response to the previous one', async () => {
    const { latchkey, wallet, countTransactions, state } = await visit()
    await fill(latchkey)
    wallet.extension.hold()
    const sending = getRejection(confirmSend(latchkey))
    await expect.poll(countTransactions).toBe(1)
    wallet.extension.setAccounts([receiver.key])
    await expect.poll(() => state().amount).toBe('')
    wallet.extension.decline()
    expect(await sending).toMatchObject({ code: 'request/rejected' })
    expect(state()).toMatchObject({ amount: '', problem: undefined, uncertain: false, loading: false })
  })

  test('that fails keeps the form and reports the reason to the app [R4.4.4] [R8.2.3]', async () => {
    const { latchkey, wallet, events, state } = await visit()
    await fill(latchkey)
    const message = 'insufficient funds for something'
    wallet.extension.faults.once('eth_sendTransaction', { kind: 'fail', code: -32_000, message })
    expect(await getRejection(confirmSend(latchkey))).toMatchObject({ code: 'request/failed' })
    expect(toastOf(latchkey)).toBe('Something went wrong')
    expect(state()).toMatchObject({ amount: '1', receiver: receiver.address, loading: false, status: 'ready' })
    expect(events).toContainEqual({
      type: 'send-error',
      code: 'request/failed',
      message: expect.stringContaining(message),
    })
  })

  test('that is declined is not a failure and can be sent again', async () => {
    const { latchkey, wallet, state } = await visit()
    await fill(latchkey)
    wallet.extension.rejectNext()
    expect(await getRejection(confirmSend(latchkey))).toMatchObject({ code: 'request/rejected' })
    expect(toastOf(latchkey)).toBe('You rejected the payment. Nothing was sent.')
    expect(state()).toMatchObject({ amount: '1', status: 'ready', uncertain: false })
    expect(await (await confirmSend(latchkey)).outcome).toMatchObject({ status: 'mined' })
  })

  test('with an unknown outcome is not sent again before a review [P-02]', async () => {
    const { latchkey, wallet, countTransactions, state } = await visit()
    await fill(latchkey)
    wallet.extension.faults.once('eth_sendTransaction', { kind: 'fail', code: -32_603, message: 'Failed to fetch' })
    expect(await getRejection(confirmSend(latchkey))).toMatchObject({ code: 'request/unknown' })
    expect(toastOf(latchkey)).toContain('did not confirm whether')
    expect(state()).toMatchObject({ uncertain: true, amount: '1' })
    expect(await getRejection(confirmSend(latchkey))).toMatchObject({ code: 'send/uncertain' })
    expect(countTransactions()).toBe(1)
    openSendFlow(latchkey)
    expect(await reviewSendFlow(latchkey)).toBe('ready')
    expect(await (await confirmSend(latchkey)).outcome).toMatchObject({ status: 'mined' })
  })

  test('with a lost response counts as sent and is made once [P-02]', async () => {
    const { latchkey, wallet, countTransactions } = await visit()
    const before = await getHeldBalance(receiver.address)
    await fill(latchkey)
    chain.proxy.loseNext('eth_sendRawTransaction')
    expect(await (await confirmSend(latchkey)).outcome).toMatchObject({ status: 'mined' })
    expect(await getHeldBalance(receiver.address)).toBe(before + parseEther('1'))
    expect(countTransactions()).toBe(1)
    expect(BigInt(String(await chain.request('eth_getTransactionCount', wallet.address, 'latest')))).toBe(1n)
  })

  test('is followed if the wallet responds after the modal was closed', async () => {
    const { latchkey, wallet, countTransactions } = await visit()
    await fill(latchkey)
    wallet.extension.hold()
    const sending = confirmSend(latchkey)
    await expect.poll(countTransactions).toBe(1)
    modalOf(latchkey).state.setState({ open: false }, true)
    wallet.extension.approve()
    expect(await (await sending).outcome).toMatchObject({ status: 'mined' })
    expect(viewOf(latchkey)).toBeUndefined()
  })

  test('that reverts is reported with the reason', async () => {
    const { latchkey, wallet } = await visit()
    await fill(latchkey, { token: await findToken(latchkey, moody), amount: '0.0000000000001' })
    wallet.extension.hold()
    const sending = confirmSend(latchkey)
    await expect.poll(() => wallet.extension.requests.at(-1)?.method).toBe('eth_sendTransaction')
    await chain.call('MoodyToken', moody, 'setMood', [1])
    wallet.extension.approve()
    const { outcome } = await sending
    expect(await outcome).toMatchObject({ status: 'reverted', reason: 'Pausable: paused' })
    await expect.poll(() => toastOf(latchkey)).toContain('the token is paused by its issuer.')
    await chain.call('MoodyToken', moody, 'setMood', [0])
  })
})

describe('the form', () => {
  test('shows all details before the payment [R3.12]', async () => {
    const service = await startService()
    const { latchkey, state } = await visit({ server: service.url })
    openSendFlow(latchkey)
    await expect.poll(() => state().tokensStatus).toBe('loaded')
    expect(state().tokens?.map(({ asset }) => asset.symbol)).toEqual(['ETH', 'LUSD'])
    const token = state().tokens?.[1]
    expect(token).toMatchObject({ asset: { address: dollars, decimals: 6 }, balance: 1_000_000n, price: 1 })
    if (token !== undefined) chooseToken(latchkey, token)
    setAmountInDollars(latchkey, '0.25')
    setReceiver(latchkey, receiver.address)
    await expect.poll(() => state().status).toBe('ready')
    await expect.poll(() => state().receiverName).toBe('visitor.eth')
    await expect.poll(() => state().feeInDollars).toBeGreaterThan(0)
    expect(state()).toMatchObject({
      amount: '0.25',
      receiverAddress: receiver.address,
      receiverImage: 'https://pictures.example/visitor.png',
      fee: { price: expect.any(BigInt) },
      networkBalance: { value: parseEther('10'), symbol: 'ETH' },
      networkBalanceInDollars: 20_000,
      loading: false,
      lastRetry: undefined,
    })
  })

  test('offers the native currency if tokens cannot be loaded, and retries after 30 s [R3.12] [R9.1.3]', async () => {
    const service = await startService()
    const clock = manualClock()
    const { latchkey, state } = await visit({ server: service.url, clock })
    service.failing = true
    openSendFlow(latchkey)
    await expect.poll(() => state().tokensStatus).toBe('failed')
    expect(state()).toMatchObject({ lastRetry: clock.now(), tokens: [{ asset: { symbol: 'ETH' } }] })
    service.failing = false
    clock.advance(29_999)
    await loadTokens(latchkey)
    expect([service.countTransactions, state().tokensStatus]).toEqual([1, 'failed'])
    clock.advance(1)
    await loadTokens(latchkey)
    expect([service.countTransactions, state().tokensStatus, state().lastRetry]).toEqual([2, 'loaded', undefined])
  })
})

describe('the funds for a payment', () => {
  test('are checked before the wallet request [R5.4.2] [R8.2.5]', async () => {
    const { latchkey, countTransactions } = await visit()
    for (const prepare of [
      () => resetSend(latchkey),
      () => chooseToken(latchkey, createEther()),
      () => setAmount(latchkey, '1e3'),
      () => setAmount(latchkey, '1'),
      () => setReceiver(latchkey, 'nobody'),
    ]) {
      prepare()
      expect(await getRejection(confirmSend(latchkey))).toMatchObject({ code: 'send/incomplete' })
      await expect.poll(() => toastOf(latchkey)).toBe('Please enter a valid amount and receiver address')
    }
    expect(countTransactions()).toBe(0)
  })

  test('are read again, so a balance that fell since the review is noticed', async () => {
    const { latchkey, wallet, countTransactions, state } = await visit()
    await fill(latchkey, { amount: '9' })
    expect(await reviewSendFlow(latchkey)).toBe('ready')
    await chain.request('anvil_setBalance', wallet.address, numberToHex(parseEther('5')))
    expect(await getRejection(confirmSend(latchkey))).toMatchObject({
      code: 'send/insufficient-funds',
      context: { what: 'amount' },
    })
    expect(state()).toMatchObject({ amount: '9', status: 'insufficient-funds', loading: false })
    await chain.request('anvil_setBalance', wallet.address, numberToHex(parseEther('9')))
    expect(await getRejection(confirmSend(latchkey))).toMatchObject({
      code: 'send/insufficient-funds',
      context: { what: 'fee' },
    })
    expect(countTransactions()).toBe(0)
  })

  test('include gas for a token transfer [R5.4.4]', async () => {
    const { latchkey, state } = await visit({ ether: '0' })
    openSendFlow(latchkey, await findToken(latchkey, dollars))
    setAmount(latchkey, '0.5')
    setReceiver(latchkey, receiver.address)
    await expect.poll(() => state().status).toBe('insufficient-gas')
    setAmount(latchkey, '1.000001')
    expect(state().status).toBe('insufficient-funds')
  })

  test('allow a maximum native transfer minus the fee', async () => {
    const { latchkey, wallet, state } = await visit({ ether: '1.234567890123456789' })
    openSendFlow(latchkey, createEther())
    setReceiver(latchkey, receiver.address)
    await setMax(latchkey)
    await expect.poll(() => state().status).toBe('ready')
    await expect
      .poll(() => parseEther(state().amount) + (state().fee?.value ?? 0n))
      .toBe(parseEther('1.234567890123456789'))
    expect(await reviewSendFlow(latchkey)).toBe('ready')
    const { fee } = state()
    expect(await (await confirmSend(latchkey)).outcome).toMatchObject({ status: 'mined' })
    const left = await getHeldBalance(wallet.address)
    expect(left >= 0n && left < (fee?.value ?? 0n)).toBe(true)
  })

  test('allow a maximum token transfer to the last unit', async () => {
    const { latchkey, state } = await visit()
    openSendFlow(latchkey, await findToken(latchkey, dollars))
    await setMax(latchkey)
    expect(state().amount).toBe('1')
  })
})

describe('the receiver', () => {
  test('is new until the first payment, and look-alikes are flagged', async () => {
    const { latchkey, state } = await visit()
    await fill(latchkey)
    expect(state().notes).toEqual(['first-time'])
    await (
      await confirmSend(latchkey)
    ).outcome
    const known = receiver.address
    const poisoned = `${known.slice(0, 6)}${'0'.repeat(32)}${known.slice(-4)}`.toLowerCase()
    await fill(latchkey)
    expect(state().notes).toEqual([])
    setReceiver(latchkey, poisoned)
    await expect.poll(() => state().notes).toEqual(['similar', 'unused', 'first-time'])
    expect(state().similarTo).toBe(known)
  })

  test('is invalid with a wrong checksum or an unregistered name [R5.6.2]', async () => {
    const { latchkey, state } = await visit()
    openSendFlow(latchkey, createEther())
    setAmount(latchkey, '1')
    // Not derived from a random address: a single case has no checksum (EIP-55).
    const mistyped = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'
    for (const text of [mistyped, 'nobody.eth', 'gréat_.eth', 'nobody']) {
      setReceiver(latchkey, text)
      await expect.poll(() => [text, state().resolving, state().status]).toEqual([text, false, 'invalid-address'])
    }
  })

  test('typed last wins, in any order of responses', async () => {
    const { latchkey, state } = await visit()
    openSendFlow(latchkey, createEther())
    setAmount(latchkey, '1')
    const others = await Promise.all([chain.wallet('1'), chain.wallet('1')])
    for (const { address } of others) setReceiver(latchkey, address)
    setReceiver(latchkey, receiver.address)
    await expect.poll(() => state().status).toBe('ready')
    expect(state().receiverAddress).toBe(receiver.address)
  })
})
