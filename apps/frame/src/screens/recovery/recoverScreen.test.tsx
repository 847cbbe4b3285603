import { httpError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { custodyError } from '../../custody/custodyError.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import { fakeHolder } from '../../testing/fakeHolder.ts'
import { renderScreen } from '../../testing/renderScreen.ts'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import type { HolderUser, KeyHolder, RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import type { PasskeyOutcome, Passkeys } from './passkeys.ts'
import { recoverScreen } from './recoverScreen.ts'

const user: HolderUser = { id: 'user', email: 'ann@example.org', accounts: [] }
const password: RecoveryMethodInfo = { id: 'one', method: 'password' }
const passkey: RecoveryMethodInfo = { id: 'cGFzc2tleQ', method: 'passkey' }
const output = new Uint8Array(32).fill(9)
const proof = { id: passkey.id, authenticatorData: output, clientDataJSON: output, signature: output }

function renderRecoverScreen({
  methods = [password],
  recoverBy = async () => user,
  outcome = { kind: 'used', passkey: { id: passkey.id, output, proof } },
}: {
  methods?: readonly RecoveryMethodInfo[]
  recoverBy?: KeyHolder['recoverWith']
  outcome?: PasskeyOutcome
}) {
  const requests: unknown[] = []
  const holder = fakeHolder({
    recoverWith: (result) => {
      requests.push(result)
      return recoverBy(result)
    },
    createPasskeyRequest: async () => ({ input: output, challenge: output }),
  })
  const passkeys: Passkeys = {
    create: () => Promise.reject(new Error('nothing is made here')),
    use: async ({ ids }) => {
      requests.push(ids)
      return outcome
    },
  }
  return { ...renderScreen(recoverScreen({ messages: englishMessages, methods, holder, passkeys })), requests }
}

const field = page.getByLabelText('Recovery password')
const open = page.getByRole('button', { name: 'Open wallet' })

test('the password opens the wallet by keyboard [K-09]', async () => {
  const { choice, requests } = renderRecoverScreen({})
  await userEvent.keyboard('{Tab}four calm herons{Enter}')
  await expect.poll(choice).toEqual(user)
  expect(requests).toEqual([{ method: 'password', password: 'four calm herons' }])
})

test('the screen explains the wait while the password is stretched', async () => {
  const { root } = renderRecoverScreen({ recoverBy: () => new Promise(() => undefined) })
  await field.fill('four calm herons')
  await open.click()
  expect(root).toHaveTextContent('Opening your wallet')
  expect(root.querySelector('[role=status]')).toHaveTextContent('it makes guessing the password very slow')
})

test('an empty password is refused without a request', async () => {
  const { root, requests } = renderRecoverScreen({})
  await open.click()
  expect(root.querySelector('[role=alert]')).toHaveTextContent('Enter your recovery password.')
  expect(document.activeElement).toBe(field.element())
  expect(requests).toEqual([])
})

test.each([
  ['another password', custodyError('custody/unreadable', { what: 'The recovery key' }), /does not open your wallet/],
  ['too many guesses', new ServiceRefusal(429, 'password', 'Try again in 24 hours.'), /^Try again in 24 hours\.$/],
  ['no network', httpError('http/unreachable', { origin: 'x' }), /can’t be reached/],
  ['an unexpected error', new TypeError('x is not a function'), /^The request could not be completed/],
])('after %s the user can try again with the field focused', async (_, error, sentence) => {
  const { root, choice } = renderRecoverScreen({ recoverBy: () => Promise.reject(error) })
  await field.fill('four calm herons')
  await open.click()
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toMatch(sentence)
  expect(document.activeElement).toBe(field.element())
  expect(field.element()).toHaveValue('')
  expect(choice()).toBeUndefined()
})

test('a passkey of this wallet opens the wallet [K-16]', async () => {
  const { choice, requests } = renderRecoverScreen({ methods: [password, passkey] })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect.poll(choice).toEqual(user)
  expect(requests).toEqual([[passkey.id], { method: 'passkey', id: passkey.id, output }])
})

test.each([
  ['cancelled', /Nothing was changed/],
  ['unable', /can’t open a wallet in this browser/],
] as const)('a ceremony that ends as %s changes nothing [K-16]', async (kind, sentence) => {
  const { root, choice, requests } = renderRecoverScreen({ methods: [passkey], outcome: { kind } })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toMatch(sentence)
  expect(requests).toHaveLength(1)
  expect(choice()).toBeUndefined()
})

test('without a usable method the screen refers to the known device', () => {
  const { root } = renderRecoverScreen({ methods: [] })
  expect(root).toHaveTextContent('Open the wallet on a device where you used it before.')
  expect(root.querySelector('button')).toBeNull()
})

test('a removed screen is not drawn', async () => {
  let reject: ((error: Error) => void) | undefined
  const { root, leave } = renderRecoverScreen({ recoverBy: () => new Promise((_, refuse) => (reject = refuse)) })
  await field.fill('four calm herons')
  await open.click()
  leave()
  reject?.(new Error('too late'))
  await Promise.resolve()
  expect(root.childElementCount).toBe(0)
})
