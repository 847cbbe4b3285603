import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import { loginScreen, type LoginProvider } from './loginScreen.ts'

const user: HolderUser = { id: 'user', email: 'ann@example.org', accounts: [] }
const noPasskeys = {
  create: () => Promise.reject(new Error('not here')),
  use: () => Promise.reject(new Error('not here')),
}

function renderLoginScreen(
  overrides: Partial<KeyHolder>,
  { opens = true, social = 'github' }: { opens?: boolean; social?: LoginProvider } = {},
) {
  const opened: string[] = []
  const screen = loginScreen({
    messages: englishMessages,
    holder: fakeHolder(overrides),
    passkeys: noPasskeys,
    origin: 'https://wallet.example',
    social,
    openWindow(url) {
      opened.push(url)
      return opens
    },
  })
  return { ...renderScreen(screen), opened }
}

const getTitle = (root: HTMLElement) => root.querySelector('h1')?.textContent
const getAlertText = (root: HTMLElement) => root.querySelector('[role=alert]')?.textContent

test('a new browser is approved by its two digits, then asked for the code, by keyboard alone', async () => {
  const requests: unknown[] = []
  let approve = (): void => undefined
  const { root, choice } = renderLoginScreen({
    sendCode: async (request) => {
      requests.push(request)
      return { action: 'VERIFY_DEVICE', match: '42' }
    },
    awaitDevice: () => new Promise((resolve) => (approve = resolve)),
    redeem: async (code) => {
      requests.push(code)
      return { user }
    },
  })
  await userEvent.keyboard('{Tab}ann@example.org{Enter}')
  await expect.poll(() => root.querySelector('.match')?.textContent).toBe('42')
  approve()
  await expect.poll(() => getTitle(root)).toBe('Enter the code')
  await userEvent.keyboard('123 456')
  await expect.poll(choice).toEqual(user)
  expect(requests).toEqual([{ email: 'ann@example.org', origin: 'https://wallet.example', fresh: true }, '123456'])
})

test('an invalid e-mail address is refused without a request', async () => {
  const { root } = renderLoginScreen({})
  await page.getByLabelText('Email address').fill('ann at example')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  expect(getAlertText(root)).toMatch(/such as name@example.org/)
  expect(document.activeElement).toBe(page.getByLabelText('Email address').element())
})

test('a refusal shows the service’s message', async () => {
  const { root } = renderLoginScreen({
    sendCode: () => Promise.reject(new ServiceRefusal(429, 'email', 'Please try again after 20 seconds.')),
  })
  await page.getByLabelText('Email address').fill('ann@example.org')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect.poll(() => getAlertText(root)).toBe('Please try again after 20 seconds.')
})

test('a wrong code can be corrected, and an incomplete one is not sent', async () => {
  let sent = 0
  const { root } = renderLoginScreen({
    sendCode: async () => ({ action: 'VERIFY_OTP' }),
    redeem: () => {
      sent++
      return Promise.reject(new ServiceRefusal(401, 'code', 'This code is wrong. Two tries are left.'))
    },
  })
  await page.getByLabelText('Email address').fill('ann@example.org')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => getTitle(root)).toBe('Enter the code')
  await userEvent.keyboard('12345{Enter}')
  expect([getAlertText(root), sent]).toEqual(['Enter the six digits from the email.', 0])
  await userEvent.keyboard('6')
  await expect.poll(() => getAlertText(root)).toBe('This code is wrong. Two tries are left.')
  expect(sent).toBe(1)
})

test('a wallet that needs its password asks for it immediately', async () => {
  const { root, choice } = renderLoginScreen({
    sendCode: async () => ({ action: 'VERIFY_OTP' }),
    redeem: async () => ({ recoveryMethods: [{ id: 'p', method: 'password' }] }),
    recoverWith: async () => user,
  })
  await page.getByLabelText('Email address').fill('ann@example.org')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => getTitle(root)).toBe('Enter the code')
  await userEvent.keyboard('123456')
  await expect.poll(() => getTitle(root)).toBe('Open your wallet here')
  await userEvent.keyboard('{Tab}four calm herons{Enter}')
  await expect.poll(choice).toEqual(user)
})

test('the user’s provider opens in a window, and its code approves a new device', async () => {
  const sent: string[] = []
  let approve = (): void => undefined
  const approved = new Promise<{ user: typeof user }>((resolve) => (approve = () => resolve({ user })))
  const { root, choice, opened } = renderLoginScreen({
    beginSocial: async () => ({ uri: 'https://github.example/authorize' }),
    awaitSocial: async () => ({ needsCode: true }),
    awaitApproval: () => approved,
    async approveDevice(code) {
      sent.push(code)
      if (code !== '12345678') throw new ServiceRefusal(401, 'code', 'This code is wrong.')
      approve()
    },
  })
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect.poll(() => getTitle(root)).toBe('Approve this browser')
  expect(opened).toEqual(['https://github.example/authorize'])
  await page.getByLabelText('Code').fill('1234')
  await userEvent.keyboard('{Enter}')
  expect(getAlertText(root)).toBe('Enter the eight digits from the other window.')
  await page.getByLabelText('Code').fill('8765 4321')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => getAlertText(root)).toBe('This code is wrong.')
  await page.getByLabelText('Code').fill('1234 5678')
  await userEvent.keyboard('{Enter}')
  await expect.poll(choice).toEqual(user)
  expect(sent).toEqual(['87654321', '12345678'])
})

test('Farcaster opens its page', async () => {
  const { choice, opened } = renderLoginScreen(
    { beginFarcaster: async () => ({ url: 'https://farcaster.example/siwf' }), awaitFarcaster: async () => ({ user }) },
    { social: 'farcaster' },
  )
  await page.getByRole('button', { name: 'Continue with Farcaster' }).click()
  await expect.poll(choice).toEqual(user)
  expect(opened).toEqual(['https://farcaster.example/siwf'])
})

test('a blocked window can be opened with another click', async () => {
  const { root, opened } = renderLoginScreen(
    { beginSocial: async () => ({ uri: 'https://github.example/authorize' }) },
    { opens: false },
  )
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect.poll(() => getAlertText(root)).toMatch(/blocked the window/)
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(opened).toHaveLength(2)
})
