import { describe, expect, test } from 'vitest'
import { frameAnswer, frameError, frameNews, readFrameMessage } from './answers.ts'

const asked = { id: 'one', name: 'GET_USER' } as const
const user = { address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', chainId: 'eip155:1' }

describe('a frame’s message', () => {
  test('is read as it was written', () => {
    expect(readFrameMessage(frameAnswer(asked, user))).toEqual({ kind: 'answer', ...asked, payload: user })
    expect(readFrameMessage(frameError(asked, 'No.', { code: 4001, said: 'Nein.' }))).toEqual({
      kind: 'error',
      ...asked,
      message: 'No.',
      code: 4001,
      said: 'Nein.',
    })
    expect(readFrameMessage(frameNews('READY', {}))).toEqual({ kind: 'news', name: 'READY', payload: {} })
  })

  test('of an older frame, without what is optional, is read', () => {
    expect(readFrameMessage({ type: '@w3m-frame/READY' })).toEqual({ kind: 'news', name: 'READY', payload: {} })
    expect(readFrameMessage({ type: '@w3m-frame/GET_USER_ERROR', id: 'one' })).toEqual({
      kind: 'error',
      ...asked,
      message: 'An error occurred',
    })
  })

  test('brings nothing that is not of its form [I-08]', () => {
    const answer = readFrameMessage({ ...frameAnswer(asked, user), payload: { ...user, share: 'x', token: 'y' } })
    expect(answer).toEqual({ kind: 'answer', ...asked, payload: user })
  })

  test.each([
    ['no user', frameAnswer(asked, { ...user, address: '<b>' })],
    ['nothing', { type: '@w3m-frame/GET_USER_SUCCESS', id: 'one' }],
    ['a function’s worth', { type: '@w3m-frame/GET_USER_SUCCESS', id: 'one', payload: new Date(0) }],
  ])('that answers with %s is invalid, and said to be', (_, message) => {
    expect(readFrameMessage(message)).toEqual({ kind: 'invalid', ...asked })
  })

  test.each([
    ['news that make no sense', { type: '@w3m-frame/SCREEN', payload: { open: 'yes' } }],
    ['a token', { type: '@w3m-frame/SESSION_UPDATE', payload: { token: 'x' } }],
    ['a page’s message', { type: '@w3m-app/IS_CONNECTED', id: 'one' }],
    ['an answer without an id', { type: '@w3m-frame/SIGN_OUT_SUCCESS' }],
    ['an answer to what nobody asks', { type: '@w3m-frame/toString_SUCCESS', id: 'one' }],
  ])('that is %s is not heard', (_, message) => {
    expect(readFrameMessage(message)).toBeUndefined()
  })
})
