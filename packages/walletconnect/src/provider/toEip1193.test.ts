import { getRejection } from '@latchkey/core/testing'
import { requestError, connectionError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { walletConnectError } from '../walletConnectError.ts'
import { providerError } from './providerError.ts'
import { toEip1193 } from './toEip1193.ts'
import { createEmitter } from './emitter.ts'
import type { UniversalEvents } from './universalProvider.ts'

const { emit, ...events } = createEmitter<UniversalEvents>()
const sign = { method: 'personal_sign', params: [] }

/** A provider whose requests fail. */
const createFailingProvider = (error: Error) => ({
  ...events,
  async request() {
    throw error
  },
})

describe('toEip1193', () => {
  test('passes on requests, responses and events', async () => {
    const requests: unknown[] = []
    const provider = toEip1193({ ...events, request: async (...args) => requests.push(args) })
    const received: string[] = []
    provider.on('chainChanged', (chain) => received.push(chain))
    emit('chainChanged', '0xa')
    expect(await provider.request(sign)).toBe(1)
    expect([requests, received]).toEqual([[[sign]], ['0xa']])
  })

  test.each([
    [4001, requestError('request/rejected', { method: 'personal_sign' })],
    [4100, providerError('namespace/not-configured', { namespace: 'solana' })],
    [4200, requestError('request/failed', { method: 'eth_sign', code: 4200, reason: 'not approved' })],
    [4900, connectionError('connection/not-connected', {})],
    [4900, walletConnectError('session/ended', { wallet: 'Phone' })],
    [4901, walletConnectError('network/unsupported', { chainId: 'eip155:5' })],
    [-32_603, requestError('request/unknown', { method: 'personal_sign' })],
  ])('rejects with number %i, the message and the cause', async (code, error) => {
    const failure = await getRejection(toEip1193(createFailingProvider(error)).request(sign))
    expect(failure).toMatchObject({ code, message: error.message, cause: error })
  })

  test('passes on the data of a revert', async () => {
    const context = { network: 'Ethereum', method: 'eth_call', code: 3, reason: 'execution reverted' }
    const error = providerError('rpc/failed', context, { cause: { code: 3, data: '0x08c379a0' } })
    expect(await getRejection(toEip1193(createFailingProvider(error)).request(sign))).toMatchObject({
      code: 3,
      data: { code: 'rpc/failed', data: '0x08c379a0' },
    })
  })

  test('passes on errors that are not Latchkey’s', async () => {
    const mistake = new TypeError('of the app')
    expect(await getRejection(toEip1193(createFailingProvider(mistake)).request(sign))).toBe(mistake)
  })
})
