import { describe, expect, test } from 'vitest'
import { frameResponse, frameError, frameEvent, parseFrameMessage } from './parseFrameMessage.ts'

const request = { id: 'one', name: 'GET_USER' } as const
const user = { address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', chainId: 'eip155:1' }

describe('parseFrameMessage', () => {
  test('parses formatted messages to the same values', () => {
    expect(parseFrameMessage(frameResponse(request, user))).toEqual({ kind: 'response', ...request, payload: user })
    expect(parseFrameMessage(frameError(request, 'No.', { code: 4001, localizedMessage: 'Nein.' }))).toEqual({
      kind: 'error',
      ...request,
      message: 'No.',
      code: 4001,
      localizedMessage: 'Nein.',
    })
    expect(parseFrameMessage(frameEvent('READY', {}))).toEqual({ kind: 'event', name: 'READY', payload: {} })
  })

  test('parses messages of an older frame without optional fields', () => {
    expect(parseFrameMessage({ type: '@w3m-frame/READY' })).toEqual({ kind: 'event', name: 'READY', payload: {} })
    expect(parseFrameMessage({ type: '@w3m-frame/GET_USER_ERROR', id: 'one' })).toEqual({
      kind: 'error',
      ...request,
      message: 'An error occurred',
    })
  })

  test('drops unknown payload fields [I-08]', () => {
    const response = parseFrameMessage({
      ...frameResponse(request, user),
      payload: { ...user, share: 'x', token: 'y' },
    })
    expect(response).toEqual({ kind: 'response', ...request, payload: user })
  })

  test.each([
    ['no user', frameResponse(request, { ...user, address: '<b>' })],
    ['nothing', { type: '@w3m-frame/GET_USER_SUCCESS', id: 'one' }],
    ['a function’s worth', { type: '@w3m-frame/GET_USER_SUCCESS', id: 'one', payload: new Date(0) }],
  ])('returns kind invalid for a response with %s as payload', (_, message) => {
    expect(parseFrameMessage(message)).toEqual({ kind: 'invalid', ...request })
  })

  test.each([
    ['news that make no sense', { type: '@w3m-frame/SCREEN', payload: { open: 'yes' } }],
    ['a token', { type: '@w3m-frame/SESSION_UPDATE', payload: { token: 'x' } }],
    ['a page’s message', { type: '@w3m-app/IS_CONNECTED', id: 'one' }],
    ['a response without an id', { type: '@w3m-frame/SIGN_OUT_SUCCESS' }],
    ['a response to an unknown request', { type: '@w3m-frame/toString_SUCCESS', id: 'one' }],
  ])('returns undefined for %s', (_, message) => {
    expect(parseFrameMessage(message)).toBeUndefined()
  })
})
