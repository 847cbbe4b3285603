import { frameRequest } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { EmailChangeFacts } from '../screens/emailChangeScreen.ts'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { createHandlers, type HandlersDependencies } from './createHandlers.ts'
import { createDispatcher } from './dispatcher.ts'

const origin = 'https://app.example.org'
const newEmail = 'mallory@example.net'

/** A page that the user is logged in on, and the change of address that it requests. */
function start() {
  const mailed: unknown[] = []
  const sent: { type: string; payload?: unknown }[] = []
  const shown: EmailChangeFacts[] = []
  let decide = (_isConfirmed: boolean): void => {}
  const handlers = createHandlers({
    config: { networks: [{ chainId: 'eip155:1' }] },
    origin: () => origin,
    pageSession: { get: async () => ({ id: 'ann', email: 'ann@example.org', accounts: [] }) },
    holder: fakeHolder({
      async updateEmail(request) {
        mailed.push(request)
        return { action: 'VERIFY_PRIMARY_OTP' }
      },
    }),
    confirmEmailChange(facts: EmailChangeFacts, signal: AbortSignal) {
      shown.push(facts)
      return new Promise<boolean>((resolve) => {
        decide = resolve
        signal.addEventListener('abort', () => resolve(false))
      })
    },
    // A change of address uses these dependencies only.
  } as unknown as HandlersDependencies)
  const dispatcher = createDispatcher({
    handlers,
    send: (message) => sent.push(message as (typeof sent)[number]),
    localizeFailure: () => undefined,
    now: () => 0,
  })
  dispatcher.receive(frameRequest('UPDATE_EMAIL', 'one', { email: newEmail }))
  return { mailed, sent, shown, decide: (isConfirmed: boolean) => decide(isConfirmed), dispatcher }
}

const flushPromises = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve))

test('a page’s request to change the address sends no mail before the user has confirmed it [C-01]', async () => {
  const { mailed, sent, shown, decide } = start()
  await flushPromises()
  expect(shown).toEqual([{ origin, email: 'ann@example.org', newEmail }])
  expect([mailed, sent]).toEqual([[], []])
  decide(true)
  await flushPromises()
  expect(mailed).toEqual([{ email: newEmail, origin }])
  expect(sent.map(({ type }) => type)).toEqual(['@w3m-frame/UPDATE_EMAIL_SUCCESS'])
})

test('a change of address that the user rejects sends no mail [C-01]', async () => {
  const { mailed, sent, decide } = start()
  await flushPromises()
  decide(false)
  await flushPromises()
  expect(mailed).toEqual([])
  expect(sent).toMatchObject([
    { type: '@w3m-frame/UPDATE_EMAIL_ERROR', payload: { message: 'User rejected the request' } },
  ])
})

test('closing the modal rejects a pending change of address [C-01]', async () => {
  const { mailed, sent, dispatcher } = start()
  await flushPromises()
  dispatcher.abortScreens()
  await flushPromises()
  expect(mailed).toEqual([])
  expect(sent).toMatchObject([{ type: '@w3m-frame/UPDATE_EMAIL_ERROR' }])
})
