import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { PasskeyOutcome, Passkeys } from '../screens/recovery/passkeys.ts'
import type { KeyHolder, LoginResult } from '../worker/keyHolder.ts'
import { deviceWaitScreen } from './deviceWaitScreen.ts'

const user = { id: 'ann', accounts: [] }
const wait = { match: '42', opensAt: 1_780_086_400_000 }
const bytes = new Uint8Array(32)
const unused: Passkeys = {
  create: () => Promise.reject(new Error('nothing creates a passkey here')),
  use: () => Promise.reject(new Error('nothing uses a passkey here')),
}

function renderDeviceWaitScreen(approval: Promise<LoginResult>, verbs: Partial<KeyHolder> = {}, passkeys = unused) {
  const holder = fakeHolder({ awaitApproval: () => approval, ...verbs })
  const hasPasskey = passkeys !== unused
  return renderScreen(deviceWaitScreen({ messages: englishMessages, holder, passkeys, wait: { ...wait, hasPasskey } }))
}

test('a new device shows its two digits until a known one has approved it [A-09]', async () => {
  let approve: (result: LoginResult) => void = () => undefined
  const { root, choice } = renderDeviceWaitScreen(new Promise((resolve) => (approve = resolve)))
  expect(root.querySelector('.match')).toHaveTextContent('42')
  expect(choice()).toBeUndefined()
  approve({ user })
  await expect.poll(choice).toEqual({ user })
})

test('a refused device is reported as refused', async () => {
  const { root } = renderDeviceWaitScreen(
    Promise.reject(new ServiceRefusal(403, 'stopped', 'One of your devices refused this one.')),
  )
  await expect.poll(() => root).toHaveTextContent('One of your devices refused this one.')
  await page.getByRole('button', { name: 'Back' }).click()
})

describe('a passkey of the wallet', () => {
  const used = (): PasskeyOutcome => ({
    kind: 'used',
    passkey: {
      id: 'key',
      output: bytes,
      proof: { id: 'key', authenticatorData: bytes, clientDataJSON: bytes, signature: bytes },
    },
  })

  /** A new device whose user uses a passkey with these outcomes, one after the other. */
  function showWith(outcomes: readonly PasskeyOutcome[], approve: KeyHolder['approveDeviceByPasskey']) {
    const left = [...outcomes]
    const requested: unknown[] = []
    const passkeys: Passkeys = {
      ...unused,
      async use({ challenge, input, ids }) {
        requested.push({ challenge, input, ids })
        return left.shift() ?? expect.fail('one passkey too many')
      },
    }
    const request = { challenge: bytes, input: bytes }
    const verbs = { createDevicePasskeyRequest: async () => request, approveDeviceByPasskey: approve }
    return { ...renderDeviceWaitScreen(new Promise(() => undefined), verbs, passkeys), requested, request }
  }

  test('approves the device, and any passkey of the site may be chosen', async () => {
    const approved: string[] = []
    const { requested, request } = showWith([used()], async ({ proof }) => void approved.push(proof.id))
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect.poll(() => approved).toEqual(['key'])
    expect(requested).toEqual([{ ...request, ids: [] }])
  })

  test('can be used again after it was cancelled, and after it was refused', async () => {
    let refusals = 0
    const { root } = showWith([{ kind: 'cancelled' }, used(), used()], async () => {
      refusals += 1
      throw new ServiceRefusal(401, 'passkey', 'This passkey was not recognised. Try again, or use another one.')
    })
    const button = page.getByRole('button', { name: 'Use a passkey' })
    await button.click()
    await expect.poll(() => root).toHaveTextContent('The passkey was not used.')
    await button.click()
    await expect.poll(() => root).toHaveTextContent('This passkey was not recognised.')
    await button.click()
    await expect.poll(() => refusals).toBe(2)
  })

  test('is not offered without a passkey at the share store', () => {
    const { root } = renderDeviceWaitScreen(new Promise(() => undefined))
    expect(root).not.toHaveTextContent('passkey')
  })
})
