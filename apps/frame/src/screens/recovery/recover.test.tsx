import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { custodyError } from '../../custody/custodyError.ts'
import { ServiceRefusal } from '../../services/ask.ts'
import { fakeHolder } from '../../testing/fakeHolder.ts'
import { shown } from '../../testing/shown.ts'
import { englishWords } from '../../words/words.ts'
import type { HolderUser, KeyHolder, ShownWay } from '../../worker/keyHolder.ts'
import type { PasskeyOutcome, Passkeys } from './passkeys.ts'
import { recoverScreen } from './recover.ts'

const user: HolderUser = { id: 'user', email: 'ann@example.org', accounts: [] }
const password: ShownWay = { id: 'one', method: 'password' }
const passkey: ShownWay = { id: 'cGFzc2tleQ', method: 'passkey' }
const output = new Uint8Array(32).fill(9)
const proof = { id: passkey.id, authenticatorData: output, clientDataJSON: output, signature: output }

function show({
  ways = [password],
  recoverBy = async () => user,
  outcome = { kind: 'used', passkey: { id: passkey.id, output, proof } },
}: {
  ways?: readonly ShownWay[]
  recoverBy?: KeyHolder['recoverBy']
  outcome?: PasskeyOutcome
}) {
  const asked: unknown[] = []
  const holder = fakeHolder({
    recoverBy: (answer) => {
      asked.push(answer)
      return recoverBy(answer)
    },
    passkeyAsk: async () => ({ input: output, challenge: output }),
  })
  const passkeys: Passkeys = {
    create: () => Promise.reject(new Error('nothing is made here')),
    use: async ({ ids }) => {
      asked.push(ids)
      return outcome
    },
  }
  return { ...shown(recoverScreen({ words: englishWords, ways, holder, passkeys })), asked }
}

const field = page.getByLabelText('Recovery password')
const open = page.getByRole('button', { name: 'Open wallet' })

test('the password opens the wallet, by keyboard alone [K-09]', async () => {
  const { answer, asked } = show({})
  await userEvent.keyboard('{Tab}four calm herons{Enter}')
  await expect.poll(answer).toEqual(user)
  expect(asked).toEqual([{ method: 'password', password: 'four calm herons' }])
})

test('while the password is turned into a key it is said so', async () => {
  const { root } = show({ recoverBy: () => new Promise(() => undefined) })
  await field.fill('four calm herons')
  await open.click()
  expect(root).toHaveTextContent('Opening your wallet')
  expect(root.querySelector('[role=status]')).toHaveTextContent('guessing it takes years')
})

test('no password at all is asked for again, and nobody is bothered', async () => {
  const { root, asked } = show({})
  await open.click()
  expect(root.querySelector('[role=alert]')).toHaveTextContent('Enter your recovery password.')
  expect(document.activeElement).toBe(field.element())
  expect(asked).toEqual([])
})

test.each([
  ['another password', custodyError('custody/unreadable', { what: 'The recovery key' }), /does not open your wallet/],
  ['too many guesses', new ServiceRefusal(429, 'password', 'Try again in 24 hours.'), /^Try again in 24 hours\.$/],
  ['no network', new LatchkeyError('http/unreachable', { origin: 'x' }), /cannot be reached/],
  ['what nobody foresaw', new TypeError('x is not a function'), /^That did not work/],
])('after %s one may try again, the field in focus', async (_, error, sentence) => {
  const { root, answer } = show({ recoverBy: () => Promise.reject(error) })
  await field.fill('four calm herons')
  await open.click()
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toMatch(sentence)
  expect(document.activeElement).toBe(field.element())
  expect(field.element()).toHaveValue('')
  expect(answer()).toBeUndefined()
})

test('a passkey opens the wallet; only those of this wallet are asked for [K-16]', async () => {
  const { answer, asked } = show({ ways: [password, passkey] })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect.poll(answer).toEqual(user)
  expect(asked).toEqual([[passkey.id], { method: 'passkey', id: passkey.id, output }])
})

test.each([
  ['cancelled', /Nothing was changed/],
  ['unable', /cannot open a wallet in this browser/],
] as const)('a ceremony that ended as %s leaves everything as it was [K-16]', async (kind, sentence) => {
  const { root, answer, asked } = show({ ways: [passkey], outcome: { kind } })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toMatch(sentence)
  expect(asked).toHaveLength(1)
  expect(answer()).toBeUndefined()
})

test('where no way goes, the device that knows the wallet is named', () => {
  const { root } = show({ ways: [] })
  expect(root).toHaveTextContent('Open the wallet on a device that knows it.')
  expect(root.querySelector('button')).toBeNull()
})

test('a screen that is gone draws nothing more', async () => {
  let reject: ((error: Error) => void) | undefined
  const { root, leave } = show({ recoverBy: () => new Promise((_, refuse) => (reject = refuse)) })
  await field.fill('four calm herons')
  await open.click()
  leave()
  reject?.(new Error('too late'))
  await Promise.resolve()
  expect(root.childElementCount).toBe(0)
})
