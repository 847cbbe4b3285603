import { getAccount, type SocialProvider } from '@latchkey/core'
import { fakeLoginWorld, type FakeLoginWorld, type FakeLoginWorldOptions } from '@latchkey/core/fakes'
import { goBack, modalOf, pushView, type ViewEntry } from '@latchkey/modal'
import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { WalletButton } from '../../../button/WalletButton.tsx'
import { renderApp, modalRoot, renderModal } from '../../../testing/renderModal.tsx'

type RenderedWorld = FakeLoginWorld & { screen: RenderResult }

async function renderView(entry?: ViewEntry, options?: FakeLoginWorldOptions): Promise<RenderedWorld> {
  const world = fakeLoginWorld(options)
  return { ...world, screen: await renderModal(world.latchkey, entry) }
}

function isConnected({ latchkey }: FakeLoginWorld): boolean {
  return getAccount(latchkey).status === 'connected'
}

/** The social logins on show, the wide one first. */
function listSocialMarks(): Array<string | undefined> {
  const all = modalRoot().querySelectorAll<HTMLElement>('.pane:not([data-leaving]) :is(.social,.tile) svg')
  return [...all].map((mark) => mark.dataset['social'] ?? 'more')
}

const rows: ReadonlyArray<[SocialProvider[] | false, SocialProvider[] | undefined, string[]]> = [
  [['google'], undefined, ['google']],
  [['google', 'x'], undefined, ['google', 'x']],
  [['x', 'google'], undefined, ['x', 'google']],
  [['google', 'x'], ['x'], ['x']],
  [
    ['google', 'x', 'discord', 'farcaster', 'github', 'apple'],
    undefined,
    ['google', 'x', 'discord', 'farcaster', 'github', 'apple'],
  ],
  [
    ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
    undefined,
    ['google', 'x', 'discord', 'farcaster', 'github', 'more'],
  ],
  [['google'], [], []],
  [false, undefined, []],
]

test.each(rows)('with %j, and %j of the wallet, the first row shows %j [R9.3.1]', async (socials, ours, expected) => {
  const { screen } = await renderView(undefined, { login: { socials: ours }, features: { socials } })
  await expect.element(screen.getByRole('textbox', { name: 'Email address' })).toBeVisible()
  expect(listSocialMarks()).toEqual(expected)
})

test('the last tile opens all social logins, each with its name', async () => {
  const { screen } = await renderView()
  await expect.element(screen.getByRole('button', { name: 'Continue with Discord' })).toBeVisible()
  await screen.getByRole('button', { name: 'More logins' }).click()
  await expect.element(screen.getByRole('heading', { name: 'All socials' })).toBeVisible()
  const names = screen
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent)
  const providers = ['Google', 'X', 'Discord', 'Farcaster', 'GitHub', 'Apple', 'Facebook']
  expect(names).toEqual(providers.map((name) => `Continue with ${name}`))
})

test('the provider is requested synchronously in the click, and its response opens the wallet', async () => {
  const world = await renderView()
  const button = world.screen.getByRole('button', { name: 'Continue with Google' })
  await expect.element(button).toBeVisible()
  const element = button.element() as HTMLElement
  element.click()
  expect(world.login.calls).toEqual(['social google'])
  await expect.element(world.screen.getByRole('heading', { level: 1, name: 'Google' })).toBeVisible()
  await expect.element(world.screen.getByText('Connect in the provider window')).toBeVisible()
  await expect.element(world.screen.getByText('If its last page asks for two digits: 42')).toBeVisible()
  world.login.approve()
  await expect.element(world.screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  await expect.element(world.screen.getByRole('button', { name: 'ann Wallets' })).toBeVisible()
})

test('a blocked window is opened by another click', async () => {
  const world = await renderView(undefined, { login: { blocked: true } })
  await world.screen.getByRole('button', { name: 'Continue with X', exact: true }).click()
  await expect.element(world.screen.getByText('The window was blocked')).toBeVisible()
  await world.screen.getByRole('button', { name: 'Open the window' }).click()
  await expect.element(world.screen.getByText('Connect in the provider window')).toBeVisible()
  world.login.approve()
  await expect.poll(() => isConnected(world)).toBe(true)
})

test('a closed window can be opened again, or another login chosen', async () => {
  const world = await renderView()
  await world.screen.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect.element(world.screen.getByText('Connect in the provider window')).toBeVisible()
  world.login.closeWindow()
  await expect.element(world.screen.getByText('The window was closed')).toBeVisible()
  await world.screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(world.screen.getByText('Connect in the provider window')).toBeVisible()
  expect(world.login.calls).toEqual(['social github', 'social github'])
  world.login.closeWindow()
  await world.screen.getByRole('button', { name: 'Log in another way' }).click()
  await expect.element(world.screen.getByRole('textbox', { name: 'Email address' })).toBeVisible()
})

test('a hidden window can be opened again after some seconds', async () => {
  const world = await renderView()
  await world.screen.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect.element(world.screen.getByText('Connect in the provider window')).toBeVisible()
  world.clock.advance(8_000)
  await world.screen.getByRole('button', { name: 'Open the window again' }).click()
  expect(world.login.calls).toEqual(['social github', 'social github'])
})

test('going back aborts the login, and a late response is ignored', async () => {
  const world = await renderView()
  const signals: AbortSignal[] = []
  world.login.social = (_, { signal }) => {
    signals.push(signal)
    return new Promise(() => {})
  }
  await world.screen.getByRole('button', { name: 'Continue with Google' }).click()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([false])
  await world.screen.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a view that was opened without a click waits for one', async () => {
  const world = await renderView({ view: 'ConnectingSocial', params: { provider: 'apple' } })
  const begin = world.screen.getByRole('button', { name: 'Continue with Apple' })
  await expect.element(begin).toBeVisible()
  expect(world.login.calls).toEqual([])
  await begin.click()
  expect(world.login.calls).toEqual(['social apple'])
})

test('nothing can be selected before the box is ticked', async () => {
  const legal = { termsUrl: 'https://app.invalid/terms' }
  const { screen } = await renderView(
    { view: 'ConnectSocials', params: {} },
    { legal, features: { legalCheckbox: true } },
  )
  await expect.element(screen.getByRole('checkbox')).toBeVisible()
  const row = modalRoot().querySelector('.row')
  expect(row?.closest('[inert]')).not.toBeNull()
  await screen.getByRole('checkbox').click()
  expect(row?.closest('[inert]')).toBeNull()
})

test('a wallet screen does not abort the login, and the outcome is shown after it', async () => {
  const world = await renderView(undefined, { wallet: { neverResponds: true } })
  await world.screen.getByRole('button', { name: 'Continue with Google' }).click()
  await expect.element(world.screen.getByText('Connect in the provider window')).toBeVisible()
  world.login.approve()
  await expect.element(world.screen.getByText('Opening your wallet')).toBeVisible()
  // Any other view represents the wallet's own.
  pushView(world.latchkey, { view: 'WhatIsAWallet', params: {} })
  await expect.element(world.screen.getByRole('heading', { level: 1, name: 'What is a wallet?' })).toBeVisible()
  expect(world.connector.connectRequests[0]?.signal.aborted).toBe(false)
  world.connector.reject()
  goBack(world.latchkey)
  await expect.element(world.screen.getByText('The wallet did not open')).toBeVisible()
})

test('Farcaster shows a QR code and its link, requests once, and opens the wallet', async () => {
  const world = await renderView({ view: 'ConnectingFarcaster', params: {} }, { isMobile: () => false })
  await expect.element(world.screen.getByRole('img', { name: 'QR code to scan with a phone' })).toBeVisible()
  await expect
    .element(world.screen.getByRole('button', { name: 'Copy link' }))
    .toHaveAttribute('aria-disabled', 'false')
  expect(world.login.calls).toEqual(['farcaster'])
  world.login.approve()
  await expect.element(world.screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  await expect.element(world.screen.getByRole('button', { name: 'ann Wallets' })).toBeVisible()
})

test('on a phone a link opens Farcaster', async () => {
  const world = await renderView({ view: 'ConnectingFarcaster', params: {} }, { isMobile: () => true })
  const link = world.screen.getByRole('link', { name: 'Open Farcaster' })
  await expect.element(link).toHaveAttribute('href', 'https://farcaster.invalid/~/sign?channel=abc')
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  expect(modalRoot().querySelector('.qr')).toBeNull()
})

test('going back from Farcaster aborts its link, and the next visit requests a new one', async () => {
  const world = await renderView()
  await world.screen.getByRole('button', { name: 'Continue with Farcaster' }).click()
  await expect
    .element(world.screen.getByRole('button', { name: 'Copy link' }))
    .toHaveAttribute('aria-disabled', 'false')
  await world.screen.getByRole('button', { name: 'Back' }).click()
  expect(modalOf(world.latchkey).farcasterUrl.getState().url).toBeUndefined()
  world.clock.advance(100)
  expect(world.connector.calls.reload).toBe(1)
})

test('a failed Farcaster link is shown, and a new one can be created', async () => {
  const world = fakeLoginWorld()
  world.login.fail('farcaster', new LatchkeyError('embedded/timeout', {}, { sentence: 'x' }))
  const screen = await renderModal(world.latchkey, { view: 'ConnectingFarcaster', params: {} })
  await expect.element(screen.getByText('Could not log in with Farcaster')).toBeVisible()
  world.login.fail('farcaster', undefined)
  await screen.getByRole('button', { name: 'Create a new link' }).click()
  await expect.element(screen.getByRole('button', { name: 'Copy link' })).toHaveAttribute('aria-disabled', 'false')
})

test('a wallet button opens the email entry or a provider', async () => {
  const world = fakeLoginWorld()
  const children = (
    <>
      <WalletButton wallet="email" />
      <WalletButton wallet="google" />
      <WalletButton wallet="farcaster" />
    </>
  )
  const screen = await renderApp(world.latchkey, { children })
  await screen.getByRole('button', { name: 'Email' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Email login' })).toBeVisible()
  await screen.getByRole('button', { name: 'Close' }).click()
  await screen.getByRole('button', { name: 'Google' }).click()
  await expect.element(screen.getByText('Connect in the provider window')).toBeVisible()
  expect(world.login.calls).toEqual(['social google'])
  await screen.getByRole('button', { name: 'Close' }).click()
  await screen.getByRole('button', { name: 'Farcaster' }).click()
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Farcaster' })).toBeVisible()
})
