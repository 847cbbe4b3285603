import { isLatchkeyError, type Network, walletError, LatchkeyError, requestError } from '@latchkey/protocol'
import { getRejection, manualClock, flushTasks } from '@latchkey/core/testing'
import { expect, test, vi } from 'vitest'
import {
  createConnectionListeners,
  createMethodProvider,
  createPendingRequests,
  fetchFirst,
  getErrorReason,
  parseWalletIcon,
  parseWalletName,
  pollUntil,
  requestConnection,
  settleWithin,
  toRequestError,
} from './index.ts'

const createUnavailableError = (): LatchkeyError => walletError('wallet/unavailable', { wallet: 'Example' })

test('createPendingRequests ends a request that times out', async () => {
  const clock = manualClock()
  const request = getRejection(
    createPendingRequests(clock).run(() => new Promise(() => {}), { timeoutMs: 100, lost: createUnavailableError }),
  )
  await clock.advance(100)
  expect(await request).toMatchObject({ code: 'wallet/unavailable' })
})

test('createPendingRequests ends all requests when the wallet is abandoned', async () => {
  const pending = createPendingRequests(manualClock())
  const requests = [1, 2].map(() =>
    getRejection(pending.run(() => new Promise(() => {}), { timeoutMs: 100, lost: createUnavailableError })),
  )
  pending.abandon()
  expect(await Promise.all(requests)).toMatchObject([{ code: 'wallet/unavailable' }, { code: 'wallet/unavailable' }])
})

test('createPendingRequests rejects when the request fails', async () => {
  const failing = (): Promise<never> => Promise.reject(new TypeError('broken'))
  const thrown = createPendingRequests(manualClock()).run(failing, { timeoutMs: 100, lost: createUnavailableError })
  await expect(thrown).rejects.toThrow('broken')
})

test('createMethodProvider refuses methods that it does not have, inherited ones included', async () => {
  const provider = createMethodProvider({}, manualClock(), (method, error) =>
    toRequestError(method, error, { rejectionPattern: /rejected/ }),
  )
  const error = await getRejection(provider.request({ method: 'toString' }))
  expect(isLatchkeyError(error, 'request/failed') && error.context.code).toBe(4200)
})

test('toRequestError recognises a rejection by code and by message', () => {
  const rules = { rejectionPattern: /user rejected/i }
  expect(toRequestError('sign', { code: 4001 }, rules).code).toBe('request/rejected')
  expect(toRequestError('sign', new Error('User rejected it'), rules).code).toBe('request/rejected')
  expect(toRequestError('sign', new Error('Out of gas'), rules).code).toBe('request/failed')
})

test.each([
  ['a bare text', 'User Rejected Request: The user rejected the request.'],
  ['JSON in a bare text', '{"code":4001,"message":"Not now"}'],
  ['JSON in the message of an error', new Error('{"code":4001,"message":"Not now"}')],
])('toRequestError recognises a rejection thrown as %s [R8.3.7]', (_, thrown) => {
  expect(toRequestError('sign', thrown, { rejectionPattern: /user rejected/i }).code).toBe('request/rejected')
})

test('toRequestError reads code and reason of a failure thrown as a JSON string', () => {
  const failure = toRequestError('sign', '{"code":-32000,"message":"Out of gas"}', { rejectionPattern: /rejected/ })
  expect(failure).toMatchObject({ code: 'request/failed', context: { code: -32_000, reason: 'Out of gas' } })
})

test('toRequestError returns a LatchkeyError as it is, including one of another copy of the protocol package', async () => {
  vi.resetModules()
  const copy = await import('@latchkey/protocol')
  const error = copy.walletError('wallet/unavailable', { wallet: 'Example' })
  expect(error).not.toBeInstanceOf(LatchkeyError)
  expect(toRequestError('sign', error, { rejectionPattern: /rejected/ })).toBe(error)
})

test('getErrorReason shortens messages and survives getters that throw', () => {
  const hostile = {
    get message(): string {
      throw new Error('no')
    },
  }
  expect(getErrorReason({ message: 'x'.repeat(500) })).toHaveLength(200)
  expect(getErrorReason(hostile)).toBe('it gave no reason')
})

test('requestConnection reports a declined request as a declined connection', async () => {
  const signal = new AbortController().signal
  const declined = requestError('request/rejected', { method: 'connect' })
  const error = await getRejection(requestConnection('Example', signal, () => Promise.reject(declined)))
  expect(error).toMatchObject({ code: 'connection/rejected' })
})

test('pollUntil continues after failures and returns the first result', async () => {
  const clock = manualClock()
  let attempts = 0
  const look = async (): Promise<string | undefined> => {
    attempts += 1
    if (attempts === 1) throw new Error('unreachable')
    return attempts < 3 ? undefined : 'found'
  }
  const found = pollUntil(look, { clock, intervalMs: 1_000, timeout: 60_000 })
  for (let second = 0; second < 2; second += 1) {
    await flushTasks()
    await clock.advance(1_000)
  }
  expect(await found).toBe('found')
})

test('pollUntil returns undefined when the caller aborts', async () => {
  const abort = new AbortController()
  const found = pollUntil(async () => undefined, {
    clock: manualClock(),
    intervalMs: 1_000,
    timeout: 60_000,
    signal: abort.signal,
  })
  abort.abort()
  expect(await found).toBeUndefined()
})

test('settleWithin does not wait longer than its timeout', async () => {
  const clock = manualClock()
  const done = settleWithin(clock, 500, new Promise(() => {}))
  await clock.advance(500)
  await expect(done).resolves.toBeUndefined()
})

test('createConnectionListeners follows the wallet only while it has listeners', () => {
  const calls: string[] = []
  const listeners = createConnectionListeners(() => {
    calls.push('follow')
    return () => void calls.push('unfollow')
  })
  const ignore = { accountsChanged() {}, chainChanged() {}, disconnected: () => void calls.push('disconnected') }
  const stop = listeners.listen(ignore)
  stop()
  stop()
  listeners.listen(ignore)
  listeners.disconnected('wallet')
  expect(calls).toEqual(['follow', 'unfollow', 'follow', 'unfollow', 'disconnected'])
})

test('fetchFirst tries the next endpoint when one fails, and stops at a refusal', async () => {
  const network = { name: 'Example', rpcUrls: { default: { http: ['one', 'two'] } } } as unknown as Network
  const calledUrls: string[] = []
  const response = await fetchFirst(network, manualClock(), async (url) => {
    calledUrls.push(url)
    if (url === 'one') throw new Error('down')
    return url
  })
  expect([response, calledUrls]).toEqual(['two', ['one', 'two']])
  const refusal = new LatchkeyError(
    'rpc/failed',
    { network: 'Example', method: 'tx', code: 400, reason: 'dust' },
    { sentence: 'Example refused the transaction: dust' },
  )
  expect(await getRejection(fetchFirst(network, manualClock(), () => Promise.reject(refusal)))).toBe(refusal)
})

test('parseWalletName removes invisible characters, and parseWalletIcon refuses addresses', () => {
  expect(parseWalletName(' Evil\u202e Wallet ')).toBe('Evil Wallet')
  expect(parseWalletName('\u200b')).toBeUndefined()
  expect(parseWalletIcon('https://tracker.example/icon.png')).toBeUndefined()
  expect(parseWalletIcon('data:image/png;base64,AA==')).toBe('data:image/png;base64,AA==')
})
