import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import type { Policy } from '../../policy/policy.ts'
import { fakeHolder } from '../../testing/fakeHolder.ts'
import { renderScreen } from '../../testing/renderScreen.ts'
import type { PolicyView, SecondDeviceRequest, SecondDeviceState } from '../../worker/keyHolder.ts'
import type { PasskeyOutcome, Passkeys } from '../recovery/passkeys.ts'
import { limitScreen } from './limitScreen.ts'
import { policyScreen } from './policyScreen.ts'
import { requestsScreen } from './requestsScreen.ts'

const messages = englishMessages
const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const networks = [{ chainId: 'eip155:1', name: 'Ethereum', nativeCurrency: ether }]
const address = `0x${'Ab'.repeat(20)}`
const createBytes = (value: number): Uint8Array => new Uint8Array(32).fill(value)
const requested: SecondDeviceRequest = {
  id: 'one',
  origin: 'https://app.example.org',
  rule: 'daily',
  match: '47',
  spending: { amounts: [{ asset: 'eip155:1', units: 10n ** 18n }], receivers: [], isUnknown: false },
  expiresAt: 0,
}

function showPolicy(view: Partial<PolicyView> = {}, outcome: PasskeyOutcome = { kind: 'unable' }) {
  const calls: unknown[] = []
  const saved: (readonly [Policy, number])[] = []
  let current: PolicyView = { policy: {}, counter: 0, copies: { auth: 'current', shares: 'current' }, ...view }
  const holder = fakeHolder({
    policy: async () => current,
    recoveryMethods: async () => [
      { id: 'a', method: 'auto' },
      { id: 'key', method: 'passkey' },
    ],
    createPasskeyRequest: async () => ({ input: new Uint8Array(32), challenge: new Uint8Array(32) }),
    provePasskey: async (given) => void calls.push(given),
    savePolicy: async (policy, counter) => {
      saved.push([policy, counter])
      const { pending: _, ...rest } = current
      current = { ...rest, policy, counter: counter + 1 }
      return current
    },
  })
  const passkeys: Passkeys = {
    create: () => Promise.reject(new Error('not here')),
    use: async ({ ids }) => {
      calls.push(ids)
      return outcome
    },
  }
  return { ...renderScreen(policyScreen({ messages, holder, networks, passkeys })), saved, calls }
}

test('rules are entered by keyboard and stored in base units [L-01]', async () => {
  const { root, saved } = showPolicy()
  await page.getByRole('button', { name: 'Change rules' }).click()
  await userEvent.tab()
  await userEvent.keyboard(' ')
  await page.getByLabelText('ETH on Ethereum').first().fill('0.25')
  await page.getByLabelText('Only known receivers').click()
  await page.getByLabelText('Address').fill(address)
  await page.getByRole('button', { name: 'Add receiver' }).click()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect.poll(() => root.textContent).toContain('The rules apply on all your devices.')
  const dailyLimit = [{ asset: 'eip155:1', units: 25n * 10n ** 16n }]
  expect(saved).toEqual([[{ dailyLimit, onlyKnownReceivers: [`eip155:1:${address.toLowerCase()}`] }, 0]])
  expect(root).toHaveTextContent('0.25 ETH')
})

const looser: PolicyView['pending'] = { policy: {}, at: 1_780_000_000_000 }

test('a passkey of the wallet lifts the wait of looser rules [L-07]', async () => {
  const proof = {
    id: 'key',
    authenticatorData: createBytes(1),
    clientDataJSON: createBytes(2),
    signature: createBytes(3),
  }
  const passkey = { id: 'key', output: createBytes(9), proof }
  const view = { policy: { dailyLimit: [] }, counter: 4, pending: looser }
  const { root, saved, calls } = showPolicy(view, { kind: 'used', passkey })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect.poll(() => root.textContent).toContain('The rules apply on all your devices.')
  expect(calls).toEqual([['key'], proof])
  expect(saved).toEqual([[{}, 4]])
  expect(root.textContent).toContain('There are no rules yet.')
  expect(passkey.output).toEqual(createBytes(0))
})

test.each(['cancelled', 'unable'] as const)('a passkey that is %s leaves the wait [L-07]', async (kind) => {
  const { root, saved } = showPolicy({ policy: { dailyLimit: [] }, counter: 4, pending: looser }, { kind })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  const sentence = kind === 'cancelled' ? messages.recover.cancelled : messages.recover.unable
  await expect.poll(() => root.textContent).toContain(sentence)
  expect(saved).toEqual([])
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(page.getByRole('button', { name: 'Stop the change' })).toBeVisible()
})

test('malformed amounts and addresses are refused in place [L-04]', async () => {
  const { root, saved } = showPolicy({ policy: { dailyLimit: [], onlyKnownReceivers: [] } })
  await page.getByRole('button', { name: 'Change rules' }).click()
  await page.getByLabelText('Address').fill('0x12')
  await page.getByRole('button', { name: 'Add receiver' }).click()
  await expect.poll(() => root.querySelector('.problem')?.textContent).toBe(messages.policy.wrongAddress)
  await page.getByLabelText('ETH on Ethereum').first().fill('1e3')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect.poll(() => root.querySelector('.problem')?.textContent).toBe(messages.policy.wrongAmount)
  expect(saved).toEqual([])
})

test('a rule that is off hides its fields [L-01]', async () => {
  showPolicy({ policy: { dailyLimit: [] } })
  await page.getByRole('button', { name: 'Change rules' }).click()
  const fields = page.getByLabelText('ETH on Ethereum')
  await expect.element(fields.nth(0)).toBeVisible()
  await expect.element(fields.nth(1)).not.toBeVisible()
  await page.getByLabelText('Set a limit per request').click()
  await expect.element(fields.nth(1)).toBeVisible()
})

test('limits of tokens stay when the form is saved [L-01]', async () => {
  const token = { asset: `eip155:1/${address.toLowerCase()}`, units: 7n }
  const { saved } = showPolicy({ policy: { dailyLimit: [token] }, counter: 3 })
  await page.getByRole('button', { name: 'Change rules' }).click()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect.poll(() => saved).toEqual([[{ dailyLimit: [token] }, 3]])
})

test.each([
  ['behind', 'The share store returned older rules.'],
  ['foreign', 'The share store returned rules that this wallet did not sign.'],
  ['unreachable', 'The share store does not respond.'],
] as const)('a service whose copy is %s is named [L-03]', async (shares, sentence) => {
  const { root } = showPolicy({ copies: { auth: 'current', shares } })
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toContain(sentence)
})

test.each([
  ['Approve', true, 'Approved.'],
  ['Reject', false, 'Rejected.'],
] as const)(
  'a request of another device is shown with its digits and effects: %s [L-06]',
  async (name, isApproved, done) => {
    const decisions: unknown[] = []
    const holder = fakeHolder({
      secondDeviceRequests: async () => (decisions.length === 0 ? [requested] : []),
      decideForDevice: async (...result) => void decisions.push(result),
    })
    const { root } = renderScreen(requestsScreen({ messages, holder, networks }))
    await page.getByRole('button', { name: 'Show' }).click()
    expect(root).toHaveTextContent('47')
    expect(root).toHaveTextContent('1 ETH')
    expect(root).toHaveTextContent('https://app.example.org')
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => root.textContent).toContain(done)
    expect(decisions).toEqual([['one', isApproved]])
  },
)

test.each<[SecondDeviceState, string]>([
  ['refused', messages.policy.refusedThere],
  ['tooNew', messages.policy.tooNew],
  ['expired', messages.policy.expired],
])('the screen of a rule says that the decision is %s [L-06]', async (state, sentence) => {
  const holder = fakeHolder({ requestSecondDevice: async () => requested, checkSecondDevice: async () => state })
  const request = { kind: 'evm-message', message: new Uint8Array(32) } as const
  const { origin, rule } = requested
  const { root, choice } = renderScreen(limitScreen({ messages, holder, networks, request, origin, rule }))
  expect(root).toHaveTextContent(messages.policy.rules.daily)
  await page.getByRole('button', { name: 'Ask another device' }).click()
  await expect.poll(() => root.querySelector('[role=alert]')?.textContent).toBe(sentence)
  expect(choice()).toBeUndefined()
})

test('the screen of a rule shows the digits until the other device approved [L-06]', async () => {
  const states: SecondDeviceState[] = ['waiting', 'waiting', 'approved']
  const holder = fakeHolder({
    requestSecondDevice: async () => requested,
    checkSecondDevice: async () => states.shift() ?? 'expired',
  })
  const acts: (() => void)[] = []
  const later = (act: () => void) => {
    acts.push(act)
    return () => undefined
  }
  const request = { kind: 'evm-message', message: new Uint8Array(32) } as const
  const { origin, rule } = requested
  const { root, choice } = renderScreen(limitScreen({ messages, holder, networks, request, origin, rule, later }))
  await page.getByRole('button', { name: 'Ask another device' }).click()
  await expect.poll(() => root.querySelector('.match')?.textContent).toBe('47')
  for (const at of [0, 1]) {
    await expect.poll(() => acts.length).toBe(at + 1)
    acts[at]?.()
  }
  await expect.poll(choice).toBe('approved')
})
