import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import type { WaitingDevice } from '../services/shareStore.ts'
import type { DeviceInfo } from '../worker/keyHolder.ts'
import type { Passkeys } from './recovery/passkeys.ts'
import { devicesScreen } from './devicesScreen.ts'

const own: DeviceInfo = {
  setId: 'own',
  key: 'k-own',
  browser: 'Chromium on Linux',
  origin: 'https://app.example.org',
  createdAt: 1_780_000_000_000,
  current: true,
}
const phone = {
  ...own,
  setId: 'phone',
  key: 'k-phone',
  browser: 'Safari on iPhone',
  createdAt: 1_780_090_000_000,
  current: false,
}

const passkeys: Passkeys = {
  create: () => Promise.reject(new Error('not here')),
  use: () => Promise.reject(new Error('not here')),
}

function renderDevicesScreen(devices: readonly DeviceInfo[], waiting: readonly WaitingDevice[] = []) {
  let left = devices
  const requests: unknown[] = []
  const holder = fakeHolder({
    devices: async () => left,
    waitingDevices: async () => waiting.filter(({ id }) => !requests.includes(id)),
    stopWaitingDevice: async (id) => void requests.push(id),
    signOutOthers: async () => {
      requests.push('sign out others')
      left = left.filter(({ hasOnlyLogin }) => hasOnlyLogin !== true)
    },
    revokeDevice: async (setId, options) => {
      requests.push([setId, options])
      left = left.filter(({ key }) => key !== options.key)
    },
  })
  return { ...renderScreen(devicesScreen({ messages: englishMessages, holder, passkeys })), requests }
}

const listNames = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((row) => row.querySelector('.name')?.textContent)

test('devices are listed with browser, page and time; the current one is first and can’t be removed', async () => {
  const { root } = renderDevicesScreen([phone, own])
  await expect.poll(listNames).toEqual(['Chromium on Linux', 'Safari on iPhone'])
  expect(root.querySelector('li')).toHaveTextContent('This device')
  expect(root.querySelector('li')).toHaveTextContent('https://app.example.org')
  expect(page.getByRole('button', { name: /^Remove/ }).elements()).toHaveLength(1)
})

test.each([false, true])('a device is revoked, stolen: %s [K-08]', async (stolen) => {
  const { root, requests } = renderDevicesScreen([phone, own])
  await page.getByRole('button', { name: /^Remove: Safari on iPhone/ }).click()
  expect(requests).toEqual([])
  if (stolen) await page.getByLabelText('It was lost or stolen').click()
  await page.getByRole('button', { name: 'Remove device' }).click()
  await expect.poll(listNames).toEqual(['Chromium on Linux'])
  expect(requests).toEqual([['phone', { key: 'k-phone', stolen, credentials: [] }]])
  expect(root.querySelector('[role=status]')).toHaveTextContent('It no longer opens your wallet.')
  expect(root).toHaveTextContent('No other device opens this wallet.')
})

test('devices that only one service has are marked and can be removed [C-07]', async () => {
  const hidden: DeviceInfo = { ...phone, setId: undefined, key: 'k-hidden', browser: '', origin: '', onlyAt: 'shares' }
  const { requests } = renderDevicesScreen([own, { ...phone, onlyAt: 'auth' }, hidden])
  await expect.poll(listNames).toEqual(['Chromium on Linux', 'Safari on iPhone', 'Unknown device'])
  await expect.element(page.getByText('Only the auth service knows this device.')).toBeVisible()
  await expect.element(page.getByText('Only the share store knows this device.')).toBeVisible()
  await page.getByRole('button', { name: /^Remove: Unknown device/ }).click()
  await page.getByRole('button', { name: 'Remove device' }).click()
  await expect.poll(() => requests).toEqual([[undefined, { key: 'k-hidden', stolen: false, credentials: [] }]])
})

test('a device’s description stays text with its hidden characters spelled out [G-05]', async () => {
  const { root } = renderDevicesScreen([
    { ...own, browser: '<img src=x onerror=alert(1)>\u202Egnp', origin: 'javascript:alert(1)\u202E' },
  ])
  await expect.poll(listNames).toEqual(['<img src=x onerror=alert(1)>U+202Egnp'])
  expect(root.querySelector('img, a')).toBeNull()
  expect(root.querySelector('bdi.origin')).toHaveTextContent('javascript:alert(1)U+202E')
  expect(root.querySelector('.name')?.firstElementChild?.localName).toBe('bdi')
})

test('a device that waits for an approval is listed first and can be refused [A-09]', async () => {
  const waiting = { id: 'new', browser: 'Firefox on Windows', at: 1_780_095_000_000, opensAt: 1_780_181_400_000 }
  const { root, requests } = renderDevicesScreen([phone, own], [waiting])
  await expect.poll(listNames).toEqual(['Firefox on Windows', 'Chromium on Linux', 'Safari on iPhone'])
  await page.getByRole('button', { name: /^Review: Firefox on Windows/ }).click()
  await page.getByRole('button', { name: 'Reject device' }).click()
  await expect.poll(listNames).toEqual(['Chromium on Linux', 'Safari on iPhone'])
  expect(requests).toEqual(['new'])
  expect(root.querySelector('[role=status]')).toHaveTextContent('Rejected.')
})

const loggedIn: DeviceInfo = {
  ...phone,
  setId: undefined,
  key: 'k-thief',
  browser: 'Chrome on Windows',
  hasOnlyLogin: true,
}

test('a device that is only logged in is listed, and removing it needs no new keys [A-25]', async () => {
  const { root, requests } = renderDevicesScreen([own, loggedIn])
  await expect.poll(listNames).toEqual(['Chromium on Linux', 'Chrome on Windows'])
  expect(root).toHaveTextContent('Only logged in.')
  await page.getByRole('button', { name: /^Remove: Chrome on Windows/ }).click()
  expect(root.querySelector('input')).toBeNull()
  await page.getByRole('button', { name: 'Remove device' }).click()
  await expect.poll(() => requests).toEqual([[undefined, { key: 'k-thief', stolen: false, credentials: [] }]])
})

test('all other devices are signed out together, after a confirmation [A-25]', async () => {
  const { root, requests } = renderDevicesScreen([own, phone, loggedIn])
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  expect(requests).toEqual([])
  expect(root.querySelector('[data-guarded]')).toHaveTextContent('Sign out everywhere else')
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect.poll(listNames).toEqual(['Chromium on Linux', 'Safari on iPhone'])
  expect(root.querySelector('[role=status]')).toHaveTextContent('Signed out everywhere else.')
})

test('the button that removes a device is guarded, and the other one is not [I-09]', async () => {
  const screen = devicesScreen({ messages: englishMessages, holder: fakeHolder({}), passkeys })
  expect(screen.guarded).toBe('steps')
  const { root } = renderDevicesScreen([phone, own])
  await page.getByRole('button', { name: /^Remove: Safari on iPhone/ }).click()
  const guarded = [...root.querySelectorAll('[data-guarded]')].map(({ textContent }) => textContent)
  expect(guarded).toEqual(['Remove device'])
})
