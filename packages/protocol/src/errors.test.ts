import { expect, test } from 'vitest'
import { createErrors, isLatchkeyError, LatchkeyError } from './errors.ts'

test('carries a code, what it is about, a sentence and its cause', () => {
  const cause = new Error('the socket closed')
  const error = new LatchkeyError('connector/not-found', { id: 'io.example' }, { cause })
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({
    name: 'LatchkeyError',
    code: 'connector/not-found',
    context: { id: 'io.example' },
    cause,
  })
  expect(error.message).toBe('No connector has the id "io.example". Is the wallet still installed?')
})

test('is told from other errors, and by its code from its kind', () => {
  const error: unknown = new LatchkeyError('connection/rejected', { wallet: 'Rainbow' })
  expect(isLatchkeyError(error)).toBe(true)
  expect(isLatchkeyError(error, 'connection/rejected')).toBe(true)
  expect(isLatchkeyError(error, 'connection/aborted')).toBe(false)
  for (const other of [new Error('no'), { code: 'connection/rejected' }, undefined, null]) {
    expect(isLatchkeyError(other)).toBe(false)
  }
})

test('says what a package says for its own codes', () => {
  const makeError = createErrors({ 'relay/refused': ({ reason }) => `No: ${reason}` })
  const cause = new Error('3000')
  const error = makeError('relay/refused', { reason: 'unknown project' }, { cause })
  expect(error).toBeInstanceOf(LatchkeyError)
  expect(error).toMatchObject({ code: 'relay/refused', message: 'No: unknown project', cause })
  expect(isLatchkeyError(error, 'relay/refused')).toBe(true)
})

test('says the sentences that the specification gives [R5.4.3] [R6.6] [R8.1.3] [R8.1.4] [R8.2.7] [R8.3.1] [R8.3.12]', () => {
  const sentences = [
    new LatchkeyError('amount/invalid', { value: '1e18' }),
    new LatchkeyError('request/not-allowed', { method: 'eth_sign' }),
    new LatchkeyError('network/not-found', { chainId: 'eip155:5' }),
    new LatchkeyError('project/missing', {}),
    new LatchkeyError('network/add-refused', { network: 'Base' }),
    new LatchkeyError('connection/not-connected', {}),
    new LatchkeyError('http/status', { status: 503 }),
  ].map(({ message }) => message)
  const parts = [
    'not a valid decimal number',
    'Requested RPC call is not allowed',
    'Network Not Found',
    'Project ID Not Configured',
    'Chain is not supported',
    'Please call connect() before request()',
    'HTTP status code: 503',
  ]
  expect(sentences.map((sentence, index) => sentence.includes(parts[index] ?? sentence))).toEqual(parts.map(() => true))
})
