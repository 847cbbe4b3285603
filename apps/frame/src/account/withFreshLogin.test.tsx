import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Passkeys } from '../screens/recovery/passkeys.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import type { HolderUser, KeyHolder, RecoveryMethodInfo } from '../worker/keyHolder.ts'
import { runAccount } from './runAccount.ts'
import { runExport } from '../export/runExport.ts'
import { withFreshLogin } from './withFreshLogin.ts'
import type { TopLevelPage } from './topLevelPage.ts'
import '../screens/frame.css'

const user: HolderUser = {
  id: 'user',
  email: 'ann@example.org',
  accounts: [{ namespace: 'one', address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' }],
}
const bytes = new Uint8Array(32).fill(9)
const proof = { id: 'cGs', authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
const fresh = new ServiceRefusal(403, 'fresh', 'Log in again.')
const tooNew = new ServiceRefusal(403, 'deviceAge', 'This device is new. Wait a day.')

/** A page with a fake key holder. */
function createOwnPage(overrides: Partial<KeyHolder>) {
  const requests: string[] = []
  const root = document.createElement('main')
  root.className = 'stage'
  document.body.append(root)
  onTestFinished(() => root.remove())
  const passkeys: Passkeys = {
    create: () => Promise.reject(new Error('not here')),
    use: async () => ({ kind: 'used', passkey: { id: 'cGs', output: Uint8Array.from(bytes), proof } }),
  }
  const holder = fakeHolder({
    restore: async () => user,
    sendCode: async () => {
      requests.push('login')
      return { action: 'VERIFY_OTP' }
    },
    redeem: async () => ({ user }),
    createPasskeyRequest: async () => ({ input: bytes, challenge: bytes }),
    provePasskey: async () => void requests.push('passkey'),
    lock: async () => void requests.push('lock'),
    ...overrides,
  })
  const own: TopLevelPage = {
    messages: englishMessages,
    holder,
    passkeys,
    config: {
      auth: 'https://a.example',
      shares: 'https://a.example',
      server: '',
      origin: 'https://wallet.example',
      networks: [
        { chainId: 'one:1', name: 'First Network', nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 } },
      ],
      allowedOrigins: [],
    },
    from: { projectId: 'ab'.repeat(16) },
    show: (screen) =>
      new Promise((resolve) => {
        const clear = screen.draw(root, (choice) => {
          clear()
          resolve(choice)
        })
      }),
  }
  return { own, root, requests }
}

const pressButton = (name: string) => page.getByRole('button', { name, exact: true }).click()
const alertText = (root: HTMLElement) => root.querySelector('[role=alert]')?.textContent

async function logIn(root: HTMLElement): Promise<void> {
  await expect.poll(() => root.querySelector('#email')).not.toBeNull()
  await page.getByLabelText('Email address').fill('ann@example.org')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => root.querySelector('#code')).not.toBeNull()
  await userEvent.keyboard('123456')
}

/** Refuses the given number of times, then succeeds. */
function createRefusingHandler(...refusals: readonly Error[]) {
  const remaining = [...refusals]
  return async () => {
    const refusal = remaining.shift()
    if (refusal !== undefined) throw refusal
    return { at: 1 }
  }
}

test('an action that needs a fresh login runs after one [A-08]', async () => {
  const { own, root, requests } = createOwnPage({})
  const result = withFreshLogin(own, createRefusingHandler(fresh))
  await logIn(root)
  expect(await result).toEqual({ at: 1 })
  expect(requests).toEqual(['login'])
})

test('a device that is too new is refused [A-08]', async () => {
  const { own, root } = createOwnPage({ recoveryMethods: async () => [{ id: 'a', method: 'auto' }] })
  const result = withFreshLogin(own, createRefusingHandler(tooNew, tooNew, tooNew, tooNew))
  await expect.poll(() => alertText(root)).toBe('This device is new. Wait a day.')
  await pressButton('Back')
  expect(await result).toBeUndefined()
})

test('a passkey unlocks the action on a device that is too new [A-08]', async () => {
  const methods: readonly RecoveryMethodInfo[] = [{ id: 'cGs', method: 'passkey' }]
  const { own, root, requests } = createOwnPage({ recoveryMethods: async () => methods })
  const result = withFreshLogin(own, createRefusingHandler(tooNew))
  await expect.poll(() => alertText(root)).toBe('This device is new. Wait a day.')
  await pressButton('Use a passkey')
  expect(await result).toEqual({ at: 1 })
  expect(requests).toEqual(['passkey'])
})

test('secrets are shown after the explanation and a fresh login, and the keys are locked afterwards', async () => {
  let reveals = 0
  const { own, root, requests } = createOwnPage({
    reveal: async () => {
      if (++reveals === 1) throw fresh
      return { phrase: 'twelve words', evm: '0x1', solana: '5' }
    },
  })
  const clipboard = { copy: async () => true, clear: async () => undefined }
  const finished = runExport(own, { clipboard, later: () => () => undefined })
  expect(reveals).toBe(0)
  await pressButton('Show my keys')
  await logIn(root)
  await expect.poll(() => root.querySelector('h1')?.textContent).toBe('Your keys')
  await pressButton('Done')
  await finished
  expect([reveals, requests]).toEqual([2, ['login', 'lock']])
})

test('the account shows its addresses by network', async () => {
  const { own, root } = createOwnPage({})
  void runAccount(own, () => undefined)
  await expect.poll(() => root.querySelector('dt')?.textContent).toBe('First Network')
  expect(root.querySelector('.address')).toHaveTextContent('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
})

test('a wallet that is deleted in 72 hours can be kept', async () => {
  const { own, root } = createOwnPage({
    requestDeletion: async () => ({ at: 1_780_000_000_000 }),
    cancelDeletion: async () => undefined,
  })
  void runAccount(own, () => undefined)
  await pressButton('Delete wallet')
  expect(root.querySelector('.banner')).toHaveTextContent('After 72 hours')
  await pressButton('Delete in 72 hours')
  await expect.poll(() => root.textContent).toMatch(/It will be deleted on May 28, 2026/)
  expect(page.getByRole('button', { name: 'Delete wallet' }).elements()).toEqual([])
  await pressButton('Keep the wallet')
  await expect.poll(() => root.querySelector('[role=status]')?.textContent).toBe('Your wallet will not be deleted.')
})

test('logging out leads to the login', async () => {
  let signOutCount = 0
  const { own, root } = createOwnPage({ signOut: async () => void signOutCount++ })
  void runAccount(own, () => undefined)
  await pressButton('Log out')
  await expect.poll(() => root.querySelector('h1')?.textContent).toBe('Log in')
  expect(signOutCount).toBe(1)
})

test('the export opens on its own page', async () => {
  let exitCount = 0
  const { own } = createOwnPage({})
  const finished = runAccount(own, () => void exitCount++)
  await page.getByRole('button', { name: /^Export your wallet/ }).click()
  await finished
  expect(exitCount).toBe(1)
})
