import { expect, test, vi } from 'vitest'
import { createErrors, isLatchkeyError, LatchkeyError } from './errors.ts'
import { connectionError } from './errors/connectionError.ts'
import { httpError } from './errors/httpError.ts'
import { inputError } from './errors/inputError.ts'
import { requestError } from './errors/requestError.ts'
import { networkError } from './errors/networkError.ts'

// Merging through the entry and through this file in one program makes the compiler forget one of them.
declare module './index.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'test/refused': { reason: string }
  }
}

test('LatchkeyError has a code, a context, a message and a cause', () => {
  const cause = new Error('the socket closed')
  const error = connectionError('connector/not-found', { id: 'io.example' }, { cause })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: 'LatchkeyError',
    code: 'connector/not-found',
    context: { id: 'io.example' },
    cause,
  })
  expect(error.message).toBe('No connector has the id "io.example". Is the wallet still installed?')
})

test('isLatchkeyError returns true only for LatchkeyErrors, and with a code only for that code', () => {
  const error: unknown = connectionError('connection/rejected', { wallet: 'Rainbow' })
  expect(isLatchkeyError(error)).toBe(true)
  expect(isLatchkeyError(error, 'connection/rejected')).toBe(true)
  expect(isLatchkeyError(error, 'connection/aborted')).toBe(false)
  for (const other of [new Error('no'), { code: 'connection/rejected' }, undefined, null]) {
    expect(isLatchkeyError(other)).toBe(false)
  }
})

test('createErrors creates errors with the codes and messages of a package', () => {
  const makeError = createErrors({ 'test/refused': ({ reason }) => `No: ${reason}` })
  const cause = new Error('3000')
  const error = makeError('test/refused', { reason: 'unknown project' }, { cause })
  expect(error).toBeInstanceOf(LatchkeyError)
  expect(error).toMatchObject({ code: 'test/refused', message: 'No: unknown project', cause })
  expect(isLatchkeyError(error, 'test/refused')).toBe(true)
})

test('isLatchkeyError returns true for errors of another copy of the package', async () => {
  vi.resetModules()
  const copy = await import('./errors.ts')
  const error: unknown = copy.createErrors({ 'test/refused': ({ reason }) => reason })('test/refused', {
    reason: '3000',
  })
  expect(error).not.toBeInstanceOf(LatchkeyError)
  expect(isLatchkeyError(error, 'test/refused')).toBe(true)
  expect(isLatchkeyError(error, 'connection/aborted')).toBe(false)
})

test('error messages contain the sentences required by the specification [R5.4.3] [R6.6] [R8.1.3] [R8.2.7] [R8.3.1] [R8.3.12]', () => {
  const sentences = [
    inputError('amount/invalid', { value: '1e18' }),
    requestError('request/not-allowed', { method: 'eth_sign' }),
    networkError('network/not-found', { chainId: 'eip155:5' }),
    networkError('network/add-refused', { network: 'Base' }),
    connectionError('connection/not-connected', {}),
    httpError('http/status', { status: 503 }),
  ].map(({ message }) => message)
  const parts = [
    'not a valid decimal number',
    'Requested RPC call is not allowed',
    'Network Not Found',
    'Chain is not supported',
    'Please call connect() before request()',
    'HTTP status code: 503',
  ]
  expect(sentences.map((sentence, index) => sentence.includes(parts[index] ?? sentence))).toEqual(parts.map(() => true))
})
