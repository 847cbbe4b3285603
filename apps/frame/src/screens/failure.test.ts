import { describe, expect, test } from 'vitest'
import { englishWords, loadWords } from '../words/words.ts'
import { refusalOf, sentenceOf } from './failure.ts'

const german = await loadWords(['de'])
const refusal = (status: number, field: string, message = 'A sentence of the service.') => ({ status, field, message })

describe('what a service refuses', () => {
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
  ])('by %i %s is said in the language of the visitor', (status, field) => {
    const said = sentenceOf(refusal(status, field), german)
    expect(Object.values(german.refused)).toContain(said)
  })

  test('for a while is said with how long that is', () => {
    const error = refusal(429, 'email', 'Please try again after 27 seconds')
    expect(refusalOf(error, german)).toBe('Bitte versuche es in 27 Sekunden erneut')
  })

  test('is said by the service itself where there are no other words for it, and in English', () => {
    expect(sentenceOf(refusal(418, 'teapot'), german)).toBe('A sentence of the service.')
    expect(sentenceOf(refusal(401, 'code'), englishWords)).toBe('A sentence of the service.')
  })
})

test('what nobody foresaw is not read out', () => {
  expect(sentenceOf(new TypeError('undefined is not a function'), german)).toBe(german.common.other)
  expect(sentenceOf({ code: 'http/unreachable', message: 'x' }, german)).toBe(german.common.unreachable)
})
