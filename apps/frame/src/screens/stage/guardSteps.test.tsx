import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { englishMessages } from '../../messages/loadFrameMessages.ts'
import { fakeHolder } from '../../testing/fakeHolder.ts'
import type { Passkeys } from '../recovery/passkeys.ts'
import { recoveryMethodsScreen } from '../recovery/recoveryMethodsScreen.ts'
import { devicesScreen } from '../devicesScreen.ts'
import { waitingDeviceScreen } from '../waitingDeviceScreen.ts'
import { createStage } from './createStage.ts'
import type { Screen } from './stage.ts'
import type { WatchVisibility } from './watchVisibility.ts'

const passkeys: Passkeys = {
  create: () => Promise.reject(new Error('not here')),
  use: () => Promise.reject(new Error('not here')),
}
const device = { browser: 'Firefox', origin: 'https://app.example.org', createdAt: 0 }

/** The screens with an action that can't be undone, and the label of its button. */
function createDestructiveScreens(actions: string[]): Record<string, { screen: Screen<unknown>; confirm: string }> {
  const holder = fakeHolder({
    devices: async () => [
      { ...device, setId: 'own', key: 'k-own', current: true },
      { ...device, setId: 'phone', key: 'k-phone', current: false },
    ],
    recoveryMethods: async () => [
      { id: 'a', method: 'auto' },
      { id: 'p', method: 'password' },
    ],
    revokeDevice: async (setId) => void actions.push(setId ?? ''),
    removeRecoveryMethod: async (id) => void actions.push(id),
  })
  const props = { messages: englishMessages, holder, passkeys }
  return {
    devices: { screen: devicesScreen(props), confirm: 'Remove device' },
    recovery: { screen: recoveryMethodsScreen({ ...props, userName: 'ann', split: false }), confirm: 'Remove' },
  }
}

/** Shows a screen in a frame whose visibility the browser reports. */
async function renderGuardedScreen(name: 'devices' | 'recovery') {
  const actions: string[] = []
  const waiting: (() => void)[] = []
  let report = (_isSeen: boolean): void => {}
  const watch: WatchVisibility = (_, notify) => {
    report = notify
    return () => {}
  }
  const root = document.createElement('main')
  document.body.append(root)
  onTestFinished(() => root.remove())
  const later = (act: () => void): (() => void) => {
    waiting.push(act)
    return () => void waiting.splice(waiting.indexOf(act), 1)
  }
  const { screen, confirm } = createDestructiveScreens(actions)[name] ?? expect.fail('no such screen')
  const stage = createStage({
    root,
    emit: () => {},
    messages: () => englishMessages,
    origin: location.origin,
    later,
    watch,
  })
  void stage.show(screen)
  const removal = (): HTMLElement | null => root.querySelector<HTMLElement>('.chip:last-child')
  await expect.poll(removal).not.toBeNull()
  removal()?.click()
  const button = (): HTMLElement =>
    [...root.querySelectorAll('button')].find(({ textContent }) => textContent === confirm) ?? expect.fail('no button')
  await expect.poll(() => button().getAttribute('aria-disabled')).toBe('true')
  return { root, actions, button, uncover: () => report(true), pass: () => waiting.splice(0).forEach((act) => act()) }
}

test.each(['devices', 'recovery'] as const)(
  'a covered frame can’t trick the user into a removal on the %s screen [I-09]',
  async (name) => {
    const { actions, button, pass } = await renderGuardedScreen(name)
    pass()
    button().click()
    expect(actions).toEqual([])
    expect(button()).toHaveAttribute('aria-disabled', 'true')
  },
)

test.each(['devices', 'recovery'] as const)(
  'a removal on the %s screen works once the browser proves that nothing covers it [I-09]',
  async (name) => {
    const { button, uncover, pass } = await renderGuardedScreen(name)
    uncover()
    expect(button()).toHaveAttribute('aria-disabled', 'true')
    pass()
    expect(button()).toHaveAttribute('aria-disabled', 'false')
  },
)

test.each(['Approve device', 'Reject device'])(
  'a covered frame can’t trick the user into “%s”, even with the digits entered [I-09] [A-09]',
  async (label) => {
    const actions: unknown[] = []
    const holder = fakeHolder({
      approveWaitingDevice: async (id) => void actions.push(id),
      stopWaitingDevice: async (id) => void actions.push(id),
    })
    const waiting = { id: 'one', browser: 'Firefox on Linux', at: 0, opensAt: 86_400_000 }
    const root = document.createElement('main')
    document.body.append(root)
    onTestFinished(() => root.remove())
    const options = { root, emit: () => {}, messages: () => englishMessages, origin: location.origin }
    const stage = createStage({ ...options, watch: () => () => {} })
    void stage.show(waitingDeviceScreen({ messages: englishMessages, holder, device: waiting }))
    await expect.poll(() => root.querySelector('input')).not.toBeNull()
    await userEvent.fill(root.querySelector('input') ?? expect.fail('no field'), '42')
    await userEvent.keyboard('{Enter}')
    await userEvent.click(page.getByRole('button', { name: label }), { force: true })
    expect(actions).toEqual([])
    await expect.element(page.getByRole('button', { name: label })).toHaveAttribute('aria-disabled', 'true')
  },
)

test('a browser that can’t prove visibility gets a link to the account page instead of the screen [I-09]', async () => {
  const root = document.createElement('main')
  document.body.append(root)
  onTestFinished(() => root.remove())
  const { screen } = createDestructiveScreens([])['devices'] ?? expect.fail('no such screen')
  const stage = createStage({
    root,
    emit: () => {},
    messages: () => englishMessages,
    origin: location.origin,
    watch: () => undefined,
  })
  void stage.show({ ...screen, page: 'https://wallet.example/account/' })
  await expect.poll(() => root.querySelector('a')?.href).toBe('https://wallet.example/account/')
  expect(root.querySelector('.chip')).toBeNull()
})
