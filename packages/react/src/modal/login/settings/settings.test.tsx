import { connect } from '@latchkey/core'
import { fakeLoginWorld, type FakeLoginOptions, type FakeLoginWorld } from '@latchkey/core/fakes'
import type { ViewEntry } from '@latchkey/modal'
import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { modalRoot, renderModal } from '../../../testing/renderModal.tsx'

const email = 'ann@mail.example'
const settings: ViewEntry = { view: 'AccountSettings', params: {} }

type RenderedWorld = FakeLoginWorld & { screen: RenderResult }

async function renderView(
  login: FakeLoginOptions = { user: { email } },
  entry: ViewEntry = settings,
): Promise<RenderedWorld> {
  const world = fakeLoginWorld({ login })
  await connect(world.latchkey, 'embedded')
  return { ...world, screen: await renderModal(world.latchkey, entry) }
}

test('the address is changed by a code to the old and a code to the new one [R4.3.4]', async () => {
  const { screen, login } = await renderView()
  await screen.getByRole('button', { name: `${email} Email address` }).click()
  await expect.element(screen.getByRole('heading', { name: 'Edit email' })).toBeVisible()
  const field = screen.getByRole('textbox', { name: 'New email address' })
  await expect.element(field).toHaveValue(email)
  const save = screen.getByRole('button', { name: 'Save' })
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await userEvent.fill(field, 'ann@new')
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  expect(login.calls).toEqual([])
  await userEvent.fill(field, 'ann@new.example')
  await save.click()
  await expect.element(screen.getByRole('heading', { name: 'Confirm current email' })).toBeVisible()
  await expect.element(screen.getByText('Enter the code we sent to')).toHaveTextContent(email)
  await userEvent.fill(screen.getByRole('textbox', { name: 'Six-digit code' }).last(), '123456')
  await expect.element(screen.getByRole('heading', { name: 'Confirm new email' })).toBeVisible()
  await expect.element(screen.getByText('Enter the code we sent to')).toHaveTextContent('ann@new.example')
  await userEvent.fill(screen.getByRole('textbox', { name: 'Six-digit code' }).last(), '123456')
  await expect.element(screen.getByText('Email address changed')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'ann@new.example Email address' })).toBeVisible()
  expect(login.calls).toEqual([
    'updateEmail ann@new.example',
    'updateEmailPrimary 123456',
    'updateEmailSecondary 123456',
  ])
  await screen.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.element(screen.getByRole('button', { name: 'ann@new.example Wallets' })).toBeVisible()
})

test('a wrong code keeps the view, and the user can start over', async () => {
  const { screen } = await renderView()
  await screen.getByRole('button', { name: `${email} Email address` }).click()
  await userEvent.fill(screen.getByRole('textbox', { name: 'New email address' }), 'ann@new.example')
  await userEvent.keyboard('{Enter}')
  await userEvent.fill(screen.getByRole('textbox', { name: 'Six-digit code' }), '000000')
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('This code is wrong or too old.')
  await screen.getByRole('button', { name: 'Start over' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Edit email' })).toBeVisible()
})

test('an address that the service rejects is reported in place', async () => {
  const { screen, login } = await renderView({ user: { email } }, { view: 'UpdateEmail', params: {} })
  login.fail(
    'updateEmail',
    new LatchkeyError('embedded/failed', { reason: 'In use.', localizedMessage: 'It is in use.' }, { sentence: 'x' }),
  )
  await userEvent.fill(screen.getByRole('textbox'), 'bob@new.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('It is in use.')).toBeVisible()
  await userEvent.keyboard('x')
  await expect.poll(() => screen.getByText('It is in use.').query()).toBeNull()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
})

test.each([
  [{ userName: 'ann#0', social: 'discord' }, 'ann', 'Discord account'],
  [{ userName: 'bob10', social: 'discord' }, 'bob10', 'Discord account'],
  [{ userName: 'ann', social: 'github', email }, 'ann', 'GitHub account'],
  [{ email, social: 'google' }, email, 'Google account'],
] as const)('of %j one sees the name, and changes nothing', async (user, name, account) => {
  const { screen } = await renderView({ user })
  await expect.element(screen.getByText(account)).toBeVisible()
  await expect.element(screen.getByText(name, { exact: true })).toBeVisible()
  expect(screen.getByRole('button', { name: new RegExp(account) }).query()).toBeNull()
})

test('the account type never changes by one click, and the change is explained first [R6.1] [R8.2.9]', async () => {
  const { screen, login } = await renderView({ user: { email }, accountType: 'eoa' })
  const row = screen.getByRole('button', { name: 'Standard account Switch to your smart account' })
  await expect.element(row).toHaveAttribute('aria-expanded', 'false')
  expect(screen.getByText('This application might not support Smart Accounts').query()).toBeNull()
  await row.click()
  expect(login.calls).toEqual([])
  await expect.element(screen.getByText('It has a different address.')).toBeVisible()
  await expect.element(screen.getByText('This application might not support Smart Accounts')).toBeVisible()
  await screen.getByRole('button', { name: 'Switch', exact: true }).click()
  await expect.element(screen.getByText('Account switched')).toBeVisible()
  expect(login.calls).toEqual(['setAccountType smartAccount'])
  const back = screen.getByRole('button', { name: 'Smart account Switch to your standard account' })
  await expect.element(back).toHaveAttribute('aria-expanded', 'false')
  await back.click()
  expect(screen.getByText('This application might not support Smart Accounts').query()).toBeNull()
  await screen.getByRole('button', { name: 'Switch', exact: true }).click()
  await expect.poll(() => login.calls).toEqual(['setAccountType smartAccount', 'setAccountType eoa'])
})

test('the confirmation of the switch is visible on a small screen', async () => {
  await page.viewport(320, 480)
  const { screen } = await renderView({ user: { email }, accountType: 'eoa' })
  await screen.getByRole('button', { name: /^Standard account/ }).click()
  const button = screen.getByRole('button', { name: 'Switch', exact: true })
  await expect.element(button).toBeVisible()
  await expect.poll(() => button.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(480)
})

test('an unavailable account type is reported, and the current one stays', async () => {
  const { screen, login } = await renderView({ user: { email }, accountType: 'eoa' })
  login.setAccountType = () => Promise.reject(new LatchkeyError('embedded/timeout', {}, { sentence: 'x' }))
  await screen.getByRole('button', { name: /^Standard account/ }).click()
  await screen.getByRole('button', { name: 'Switch', exact: true }).click()
  await expect.element(screen.getByText('The login timed out. Try again.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: /^Standard account/ })).toBeVisible()
})

test('there is no switch without smart accounts', async () => {
  const { screen } = await renderView()
  await expect.element(screen.getByRole('button', { name: /^Recovery methods/ })).toBeVisible()
  expect(screen.getByText('Account type').query()).toBeNull()
})

test('recovery methods, devices and signing rules open the wallet’s screens, and closing one is not a failure', async () => {
  const { screen, login } = await renderView()
  await screen.getByRole('button', { name: /^Recovery methods/ }).click()
  await expect.poll(() => login.state.get().screen).toBeDefined()
  login.rejectAll()
  await screen.getByRole('button', { name: /^Devices/ }).click()
  await expect.poll(() => login.state.get().screen).toBeDefined()
  login.show(undefined)
  await screen.getByRole('button', { name: /^Signing rules/ }).click()
  await expect.poll(() => login.state.get().screen).toBeDefined()
  login.show(undefined)
  expect(login.calls).toEqual(['openScreen recovery', 'rejectAll', 'openScreen devices', 'openScreen policy'])
  await expect.element(screen.getByRole('button', { name: /^Devices/ })).toBeVisible()
  expect(modalRoot().querySelector('.toast')?.textContent).toBe('')
})

test('export and deletion open their own pages, next to the custody statement', async () => {
  const { screen } = await renderView()
  await expect.element(screen.getByRole('link', { name: /^Export wallet/ })).toBeInTheDocument()
  const links = screen.getByRole('link').elements()
  expect(
    links.map((link) => [link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]),
  ).toEqual([
    ['https://keys.invalid/export', '_blank', 'noopener noreferrer'],
    ['https://keys.invalid/account', '_blank', 'noopener noreferrer'],
    ['https://keys.invalid/account#keys', '_blank', 'noopener noreferrer'],
  ])
  await expect.element(screen.getByText('Your keys are yours')).toHaveTextContent('could rebuild them together')
})
