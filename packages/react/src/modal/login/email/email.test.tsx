import { getAccount, localSignIn, memoryStorage } from '@latchkey/core'
import { fakeConnector, fakeLoginWorld, type FakeLoginWorld, type FakeLoginWorldOptions } from '@latchkey/core/fakes'
import { modalOf, pushView, replaceView, type ViewEntry } from '@latchkey/modal'
import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { enterGarbage } from '../../../testing/enterGarbage.ts'
import { modalRoot, renderModal } from '../../../testing/renderModal.tsx'

const email = 'ann@mail.example'
const codeEntry: ViewEntry = { view: 'EmailVerifyOtp', params: { email } }

type RenderedWorld = FakeLoginWorld & { screen: RenderResult }

async function renderView(entry?: ViewEntry, options?: FakeLoginWorldOptions, locale?: string): Promise<RenderedWorld> {
  const world = fakeLoginWorld(options)
  return { ...world, screen: await renderModal(world.latchkey, entry, { locale }) }
}

/** Enters an address on the connect view. */
async function enterEmail({ screen }: RenderedWorld, text: string = email): Promise<void> {
  await userEvent.fill(screen.getByRole('textbox', { name: 'Email address' }), text)
  await userEvent.keyboard('{Enter}')
}

function getCodeText(): string {
  return [...modalRoot().querySelectorAll('.code-box')].map((box) => box.textContent || '·').join('')
}

function isConnected({ latchkey }: RenderedWorld): boolean {
  return getAccount(latchkey).status === 'connected'
}

test('no entry breaks the fields of an email login', { tags: 'browsers' }, async () => {
  const { latchkey, screen } = await renderView()
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'Email address' }))).toEqual([])
})

test('a new user approves the link, compares two digits, enters the code, and sees the account [R4.3.4]', async () => {
  const world = await renderView()
  const { screen, login, latchkey } = world
  await enterEmail(world)
  await expect.element(screen.getByRole('heading', { name: 'Register device' })).toBeVisible()
  await expect.element(screen.getByText('Approve the login link we sent to')).toHaveTextContent(email)
  expect(modalRoot().querySelector('.match')).toHaveTextContent('42')
  login.approveDevice()
  await expect.element(screen.getByRole('heading', { name: 'Confirm email' })).toBeVisible()
  await userEvent.fill(screen.getByRole('textbox', { name: 'Six-digit code' }), '123456')
  await expect.element(screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  expect(login.calls).toEqual([`email ${email}`, 'device', 'code 123456'])
  const states = ['eip155', 'solana'] as const
  expect(states.map((namespace) => getAccount(latchkey, namespace).status)).toEqual(['connected', 'connected'])
})

test('the first letter of an address prepares the wallet once', async () => {
  const { screen, login } = await renderView()
  await expect.element(screen.getByRole('textbox', { name: 'Email address' })).toBeVisible()
  expect(login.warmed).toBe(0)
  await screen.getByRole('textbox', { name: 'Email address' }).click()
  await userEvent.keyboard('ann')
  expect(login.warmed).toBe(1)
})

test('a known device asks for the code at once', async () => {
  const world = await renderView(undefined, { login: { known: [email] } })
  await enterEmail(world)
  await expect.element(world.screen.getByRole('heading', { name: 'Confirm email' })).toBeVisible()
})

test('an existing session needs no email', async () => {
  const world = await renderView(undefined, { login: { session: email } })
  await enterEmail(world)
  await expect.element(world.screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  expect(world.login.calls).toEqual([`email ${email}`])
})

test('an invalid address is reported in place, and no email is sent [R5.3.1]', async () => {
  const world = await renderView()
  await enterEmail(world, 'ann@mail')
  const field = world.screen.getByRole('textbox', { name: 'Email address' })
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field).toHaveAccessibleDescription('This is not a valid email address. Check it for typos.')
  expect(world.login.calls).toEqual([])
  await userEvent.keyboard('.example')
  await expect.element(field).toHaveAttribute('aria-invalid', 'false')
})

test('the arrow appears with the fourth letter', async () => {
  const { screen } = await renderView()
  const next = screen.getByRole('button', { name: 'Continue', exact: true })
  await userEvent.fill(screen.getByRole('textbox'), 'ann')
  expect(next.query()).toBeNull()
  await userEvent.fill(screen.getByRole('textbox'), 'ann@')
  await expect.element(next).toBeVisible()
})

test('a mistyped common domain is offered for correction', async () => {
  const { screen, clock } = await renderView()
  const field = screen.getByRole('textbox', { name: 'Email address' })
  await userEvent.fill(field, 'ann@gmial.com')
  expect(screen.getByText('Did you mean').query()).toBeNull()
  clock.advance(500)
  await expect.element(screen.getByText('Did you mean')).toHaveTextContent('Did you mean ann@gmail.com?')
  await screen.getByRole('button', { name: 'ann@gmail.com' }).click()
  await expect.element(field).toHaveValue('ann@gmail.com')
  expect(screen.getByText('Did you mean').query()).toBeNull()
})

test('the cooldown counts down second by second and then disappears [R5.3.6] [R8.2.10]', async () => {
  const early = fakeLoginWorld()
  await early.login.email('bob@mail.example')
  early.clock.advance(28_500)
  const world = { ...early, screen: await renderModal(early.latchkey) }
  await enterEmail(world)
  await expect.element(world.screen.getByText('Please try again after 2 seconds')).toBeVisible()
  world.clock.advance(1000)
  await expect.element(world.screen.getByText('Please try again after 1 seconds')).toBeVisible()
  world.clock.advance(1000)
  await expect.poll(() => world.screen.getByText('Please try again').query()).toBeNull()
  await userEvent.keyboard('{Enter}')
  await expect.element(world.screen.getByRole('heading', { name: 'Register device' })).toBeVisible()
})

test('an unreachable wallet is reported, and the address stays', async () => {
  const world = await renderView()
  const unreachable = new LatchkeyError('embedded/unreachable', { origin: 'https://a' }, { sentence: 'secret' })
  world.login.fail('email', unreachable)
  await enterEmail(world)
  await expect.element(world.screen.getByText('This wallet can’t be reached right now.')).toBeVisible()
  await expect.element(world.screen.getByRole('textbox')).toHaveValue(email)
  expect(modalRoot().textContent).not.toContain('secret')
})

test('a wallet whose release is not signed as the app requires is not opened, with a reason [S-08]', async () => {
  const world = await renderView()
  const context = { origin: 'https://a', reason: '0 of 1 required signers signed the manifest' }
  world.login.fail('email', new LatchkeyError('embedded/unsigned', context, { sentence: 'secret' }))
  await enterEmail(world)
  await expect.element(world.screen.getByText('the version that this app trusts', { exact: false })).toBeVisible()
  expect(modalRoot().textContent).not.toContain('secret')
})

test('an unexpected error is shown with our own text', async () => {
  const world = await renderView()
  world.login.fail('email', new Error('secret'))
  await enterEmail(world)
  await expect.element(world.screen.getByText('The request could not be completed.')).toBeVisible()
  expect(modalRoot().textContent).not.toContain('secret')
})

test('a user who leaves before the email is sent sees no further view', async () => {
  const world = await renderView()
  let respond = (): void => undefined
  world.login.email = () => new Promise((resolve) => (respond = () => resolve({ action: 'VERIFY_OTP' })))
  await enterEmail(world)
  await world.screen.getByRole('button', { name: 'What is a wallet?' }).click()
  await expect.element(world.screen.getByRole('heading', { level: 1, name: 'What is a wallet?' })).toBeVisible()
  respond()
  await expect.element(world.screen.getByRole('heading', { level: 1, name: 'What is a wallet?' })).toBeVisible()
  expect(modalOf(world.latchkey).state.getState()).toMatchObject({
    history: [{ view: 'Connect' }, { view: 'WhatIsAWallet' }],
  })
})

test('the link is awaited once, and no longer after going back', async () => {
  const world = await renderView()
  const signals: AbortSignal[] = []
  const { device } = world.login
  world.login.device = (signal) => (signals.push(signal), device(signal))
  await enterEmail(world)
  await expect.element(world.screen.getByRole('heading', { name: 'Register device' })).toBeVisible()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([false])
  await world.screen.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('another link can be requested after the cooldown, and replaces the first', { tags: 'browsers' }, async () => {
  const world = await renderView()
  const { screen, clock, login } = world
  await enterEmail(world)
  const again = screen.getByRole('button', { name: 'Resend in 30s' })
  await expect.element(again).toHaveAttribute('aria-disabled', 'true')
  await again.click({ force: true })
  expect(login.calls.filter((verb) => verb.startsWith('email'))).toHaveLength(1)
  for (let second = 0; second < 30; second += 1) {
    clock.advance(1000)
    await expect
      .element(screen.getByRole('button', { name: /^Resend/ }))
      .toHaveTextContent(second < 29 ? `Resend in ${29 - second}s` : 'Resend link')
  }
  await screen.getByRole('button', { name: 'Resend link' }).click()
  await expect.element(screen.getByText('Login link resent')).toBeVisible()
  expect(login.calls.filter((verb) => verb === 'device')).toHaveLength(2)
  await expect.element(screen.getByRole('button', { name: 'Resend in 30s' })).toBeVisible()
  login.approveDevice()
  await expect.element(screen.getByRole('heading', { name: 'Confirm email' })).toBeVisible()
})

test('an expired link can be sent again', async () => {
  const world = await renderView({ view: 'EmailVerifyDevice', params: { email, match: '07' } })
  const { screen, login } = world
  await expect.element(screen.getByText('Waiting for your approval.')).toBeVisible()
  login.fail('email', new LatchkeyError('embedded/timeout', {}, { sentence: 'x' }))
  await screen.getByRole('button', { name: 'Resend link' }).click()
  await expect.element(screen.getByText('The login timed out.')).toBeVisible()
  expect(modalRoot().querySelector('.match')).toHaveTextContent('07')
})

test('after some seconds without an email the view says where to look', async () => {
  const { screen, clock } = await renderView({ view: 'EmailVerifyDevice', params: { email, match: '42' } })
  await expect.element(screen.getByText('Waiting for your approval.')).toBeVisible()
  clock.advance(8_000)
  await expect.element(screen.getByText('Check your spam folder')).toBeVisible()
})

test('the code has one field that browsers can fill, and is submitted once when complete', async () => {
  const world = await renderView(codeEntry)
  const field = world.screen.getByRole('textbox', { name: 'Six-digit code' })
  await expect.poll(() => modalRoot().activeElement).toBe(field.element())
  await expect.element(field).toHaveAttribute('autocomplete', 'one-time-code')
  await expect.element(field).toHaveAttribute('inputmode', 'numeric')
  await userEvent.keyboard('12a3 4')
  expect(getCodeText()).toBe('1234··')
  expect(modalRoot().querySelector('[data-active]')).toBe(modalRoot().querySelectorAll('.code-box')[4])
  await userEvent.keyboard('{Backspace}45')
  expect(world.login.calls).toEqual([])
  await userEvent.keyboard('6{Enter}7')
  await expect.poll(() => isConnected(world)).toBe(true)
  expect(world.login.calls).toEqual(['code 123456'])
})

test.each(['123456', ' 123 456\n', 'Your code: 123-456.', '١٢٣٤٥٦', '１２３４５６'])(
  'a pasted %j is a code',
  async (text) => {
    const world = await renderView(codeEntry)
    const field = world.screen.getByRole('textbox', { name: 'Six-digit code' })
    await userEvent.fill(field, text)
    await expect.poll(() => world.login.calls).toEqual(['code 123456'])
  },
)

test('a wrong code is announced, its digits stay, and a new one is submitted automatically', async () => {
  const world = await renderView(codeEntry)
  const field = world.screen.getByRole('textbox', { name: 'Six-digit code' })
  await userEvent.fill(field, '999999')
  await expect.element(world.screen.getByRole('alert').last()).toHaveTextContent('This code is wrong or too old.')
  await expect.element(field).toHaveAttribute('aria-invalid', 'true')
  expect(getCodeText()).toBe('999999')
  expect(isConnected(world)).toBe(false)
  await userEvent.fill(field, '123456')
  await expect.poll(() => isConnected(world)).toBe(true)
  expect(world.login.calls).toEqual(['code 999999', 'code 123456'])
})

test('a code that could not be checked is submitted again by the button', async () => {
  const world = await renderView(codeEntry)
  world.login.fail('code', new LatchkeyError('embedded/timeout', {}, { sentence: 'x' }))
  await userEvent.fill(world.screen.getByRole('textbox', { name: 'Six-digit code' }), '123456')
  await expect.element(world.screen.getByRole('alert').last()).toHaveTextContent('The login timed out. Try again.')
  world.login.fail('code', undefined)
  await world.screen.getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(() => isConnected(world)).toBe(true)
})

test('a new code clears the field and is announced', async () => {
  const world = await renderView(codeEntry, { login: { known: [email] } })
  const { screen, login } = world
  await userEvent.fill(screen.getByRole('textbox', { name: 'Six-digit code' }), '99')
  await screen.getByRole('button', { name: 'Resend code' }).click()
  await expect.element(screen.getByText('Code email resent')).toBeVisible()
  await expect.element(screen.getByRole('textbox', { name: 'Six-digit code' })).toHaveValue('')
  await expect.poll(() => modalRoot().activeElement?.getAttribute('aria-label')).toBe('Six-digit code')
  await expect.element(screen.getByRole('button', { name: 'Resend in 30s' })).toBeVisible()
  expect(login.calls).toEqual([`email ${email}`])
})

test('a wallet that did not open is opened again without another code', async () => {
  const world = await renderView(codeEntry, { wallet: { neverResponds: true } })
  await userEvent.fill(world.screen.getByRole('textbox', { name: 'Six-digit code' }), '123456')
  await expect.poll(() => world.connector.connectRequests).toHaveLength(1)
  world.connector.reject()
  await expect.element(world.screen.getByText('The wallet did not open')).toBeVisible()
  await world.screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => world.connector.connectRequests).toHaveLength(2)
  world.connector.approve()
  await expect.element(world.screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  expect(world.login.calls).toEqual(['code 123456'])
})

test('closing the modal while the wallet opens aborts it', async () => {
  const world = await renderView(codeEntry, { wallet: { neverResponds: true } })
  await userEvent.fill(world.screen.getByRole('textbox', { name: 'Six-digit code' }), '123456')
  await expect.poll(() => world.connector.connectRequests).toHaveLength(1)
  await world.screen.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => world.connector.connectRequests[0]?.signal.aborted).toBe(true)
  expect(isConnected(world)).toBe(false)
})

test('an app with sign-in continues with it', async () => {
  const siwx = localSignIn({ storage: memoryStorage() })
  const world = await renderView(codeEntry, { siwx })
  await userEvent.fill(world.screen.getByRole('textbox', { name: 'Six-digit code' }), '123456')
  await expect.element(world.screen.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

/** Returns the positions of the digits, in reading order. */
function listLeftEdges(selector: string): readonly number[] {
  return [...modalRoot().querySelectorAll(selector)].map((part) => part.getBoundingClientRect().left)
}

test('digits are read from left to right in right-to-left languages, typed and compared ones', async () => {
  const world = await renderView(codeEntry, undefined, 'ar')
  await expect.poll(() => listLeftEdges('.code-box')).toHaveLength(6)
  expect(listLeftEdges('.code-box').toSorted((a, b) => a - b)).toEqual(listLeftEdges('.code-box'))
  expect(getComputedStyle(modalRoot().querySelector('.mailed') ?? document.body).direction).toBe('rtl')
  replaceView(world.latchkey, { view: 'EmailVerifyDevice', params: { email, match: '42' } })
  await expect.poll(() => listLeftEdges('.match [aria-hidden]')).toHaveLength(2)
  const digits = [...modalRoot().querySelectorAll('.match [aria-hidden]')].map(({ textContent }) => textContent)
  expect(digits).toEqual(['4', '2'])
  expect(listLeftEdges('.match [aria-hidden]').toSorted((a, b) => a - b)).toEqual(listLeftEdges('.match [aria-hidden]'))
})

test('the email view has focus, and waits for the required box', async () => {
  const legal = { termsUrl: 'https://app.invalid/terms' }
  const { screen } = await renderView({ view: 'EmailLogin', params: {} }, { legal, features: { legalCheckbox: true } })
  const field = modalRoot().querySelector('input[type=email]')
  expect(field?.closest('[inert]')).not.toBeNull()
  await screen.getByRole('checkbox').click()
  expect(field?.closest('[inert]')).toBeNull()
})

test('a logged-in user sees no logins', async () => {
  const world = fakeLoginWorld({ login: { session: email } })
  world.latchkey.connectors.setState([world.connector, fakeConnector({ id: 'ext', name: 'Extension' })], true)
  const shownWorld = { ...world, screen: await renderModal(world.latchkey) }
  await enterEmail(shownWorld)
  await expect.element(shownWorld.screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  pushView(world.latchkey, { view: 'EmailLogin', params: {} })
  await expect.element(shownWorld.screen.getByText('You are already logged in.')).toBeVisible()
  pushView(world.latchkey, { view: 'Connect', params: {} })
  await expect.element(shownWorld.screen.getByRole('button', { name: /Extension/ })).toBeVisible()
  await expect.poll(() => shownWorld.screen.getByRole('textbox').query()).toBeNull()
})
