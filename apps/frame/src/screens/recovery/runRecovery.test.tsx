import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { custodyError } from '../../custody/custodyError.ts'
import { ServiceRefusal } from '../../services/serviceRequest.ts'
import { fakeHolder } from '../../testing/fakeHolder.ts'
import { renderScreen } from '../../testing/renderScreen.ts'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import type { KeyHolder, RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import type { Screen } from '../stage/stage.ts'
import type { PasskeyOutcome } from './passkeys.ts'
import { runRecovery } from './runRecovery.ts'

const bytes = new Uint8Array(32).fill(9)
const proof = { id: 'cGs', authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }

/** Runs the recovery screens of a wallet with one method of each kind. */
function run({
  rehearse,
  outcome = { kind: 'used', passkey: { id: 'cGs', output: bytes, proof } },
}: {
  rehearse: KeyHolder['rehearseRecovery']
  outcome?: PasskeyOutcome
}) {
  const methods: readonly RecoveryMethodInfo[] = [
    { id: 'auto', method: 'auto' },
    { id: 'password', method: 'password' },
    { id: 'cGs', method: 'passkey' },
  ]
  const requests: unknown[] = []
  const guards: unknown[] = []
  const holder = fakeHolder({
    recoveryMethods: async () => methods,
    recoveryStatus: async () => ({ isDeviceEnrolled: true, otherDevices: 0, isRecoverable: true, testedAt: {} }),
    createPasskeyRequest: async () => ({ input: bytes, challenge: bytes }),
    rehearseRecovery: (...args) => {
      requests.push(args)
      return rehearse(...args)
    },
  })
  const passkeys = { create: () => Promise.reject(new Error('nothing is created here')), use: async () => outcome }
  const show = <result,>(screen: Screen<result>): Promise<result | undefined> => {
    guards.push(screen.guarded)
    return new Promise((resolve) => {
      let isSettled = false
      const draw: Screen<result>['draw'] = (root, finish) => {
        const leave = screen.draw(root, (choice) => {
          finish(choice)
          if (isSettled) return
          isSettled = true
          leave()
          root.remove()
          resolve(choice)
        })
        return leave
      }
      renderScreen({ ...screen, draw })
    })
  }
  const done = runRecovery(
    { messages: englishMessages, holder, passkeys, userName: 'ann@example.org', split: true },
    show,
  )
  return { requests, guards, done }
}

const pressButton = (name: string) => page.getByRole('button', { name, exact: true }).click()
const listStatusTexts = () =>
  page
    .getByRole('status')
    .elements()
    .map(({ textContent }) => textContent)
const listAlertTexts = () =>
  page
    .getByRole('alert')
    .elements()
    .map(({ textContent }) => textContent)
const rejectAsUnreadable = () => Promise.reject(custodyError('custody/unreadable', { what: 'The recovery key' }))

test('a rehearsal of the password succeeds by keyboard [D-05]', async () => {
  const { requests } = run({ rehearse: async () => ({ at: 1 }) })
  await pressButton('Test: Password')
  await pressButton('Start test')
  expect(listAlertTexts()).toEqual(['Enter your recovery password.'])
  await userEvent.keyboard('four calm herons{Enter}')
  await expect.poll(listStatusTexts).toEqual(['Password: the test succeeded. It opens this wallet.'])
  expect(requests).toEqual([['password', { method: 'password', password: 'four calm herons' }]])
})

test('a rehearsal starts on a guarded screen only [D-05]', async () => {
  const { guards } = run({ rehearse: async () => ({ at: 1 }) })
  await pressButton('Test: Automatic')
  await expect.poll(() => page.getByRole('button', { name: 'Start test' }).elements()).toHaveLength(1)
  expect(page.getByRole('button', { name: 'Start test' }).element()).toHaveAttribute('data-guarded')
  expect(guards).toEqual(['steps', 'steps'])
})

test('the automatic method needs no input, and the passkey is asked for its key', async () => {
  const { requests } = run({ rehearse: async () => ({ at: 1 }) })
  await pressButton('Test: Automatic')
  await pressButton('Start test')
  await pressButton('Test: Passkey')
  await pressButton('Start test')
  await expect.poll(listStatusTexts).toEqual(['Passkey: the test succeeded. It opens this wallet.'])
  expect(requests).toEqual([
    ['auto', undefined],
    ['cGs', { method: 'passkey', id: 'cGs', output: bytes }],
  ])
})

test.each([
  ['Password', rejectAsUnreadable, 'This password does not open your wallet. Check it and try again.'],
  [
    'Automatic',
    rejectAsUnreadable,
    'Automatic does not open your wallet. Add another recovery method, then remove this one.',
  ],
  [
    'Automatic',
    () => Promise.reject(custodyError('custody/mismatch', { reason: 'they differ' })),
    'It opened a different wallet from the one on this device. Don’t rely on it.',
  ],
  [
    'Automatic',
    () => Promise.reject(custodyError('custody/invalid-share', { reason: 'it is missing' })),
    'The services hold no matching shares of your wallet. Keep this device, and test again later.',
  ],
  [
    'Automatic',
    () => Promise.reject(new ServiceRefusal(503, 'service', 'The share store rests.')),
    'The share store rests.',
  ],
] as const)('a failed rehearsal of %s says why and can be repeated [D-05]', async (name, rehearse, reason) => {
  const { requests } = run({ rehearse })
  await pressButton(`Test: ${name}`)
  for (let time = 0; time < 2; time++) {
    if (name === 'Password') await page.getByLabelText('Recovery password').fill('four calm herons')
    await pressButton('Start test')
    await expect.poll(listAlertTexts).toEqual([reason])
  }
  expect(requests).toHaveLength(2)
  await pressButton('Cancel')
  await expect.poll(() => page.getByRole('button', { name: 'Done' }).elements()).toHaveLength(1)
})

test('a cancelled passkey ends in no rehearsal', async () => {
  const { requests } = run({ rehearse: async () => ({ at: 1 }), outcome: { kind: 'cancelled' } })
  await pressButton('Test: Passkey')
  await pressButton('Start test')
  await expect.poll(listAlertTexts).toEqual(['The passkey was not used. Nothing was changed.'])
  expect(requests).toEqual([])
})
