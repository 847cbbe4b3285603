import { describe, expect, test } from 'vitest'
import { englishMessages, loadFrameMessages } from '../messages/loadFrameMessages.ts'
import { localizedRefusal, messageForUser } from './failure.ts'

const german = await loadFrameMessages(['de'])
const createRefusal = (status: number, field: string, message = 'A sentence of the service.') => ({
  status,
  field,
  message,
})

describe('a service’s refusal', () => {
  test.each([
    [401, 'code'],
    [401, 'token'],
    [401, 'proof'],
    [401, 'identity'],
    [401, 'mailbox'],
    [401, 'login'],
    [401, 'passkey'],
    [403, 'deviceAge'],
    [403, 'fresh'],
    [404, 'id'],
    [409, 'email'],
    [429, 'walletId'],
    [429, 'id'],
    [429, 'ways'],
    [502, 'provider'],
    [503, 'mail'],
  ])('with %i %s is localized', (status, field) => {
    const text = messageForUser(createRefusal(status, field), german)
    expect(Object.values(german.refused)).toContain(text)
  })

  test('with a waiting time shows the seconds', () => {
    const error = createRefusal(429, 'email', 'Please try again after 27 seconds')
    expect(localizedRefusal(error, german)).toBe('Bitte versuche es in 27 Sekunden erneut')
  })

  test('keeps the service’s message in English and without a translation', () => {
    expect(messageForUser(createRefusal(418, 'teapot'), german)).toBe('A sentence of the service.')
    expect(messageForUser(createRefusal(401, 'code'), englishMessages)).toBe('A sentence of the service.')
  })
})

test('an unexpected error shows a generic message', () => {
  expect(messageForUser(new TypeError('undefined is not a function'), german)).toBe(german.common.other)
  expect(messageForUser({ code: 'http/unreachable', message: 'x' }, german)).toBe(german.common.unreachable)
})
