import { getAccount, localSignIn, memoryStorage, type AccountType, type SignIn } from '@latchkey/core'
import { fakeConnector, fakeWorld, type FakeConnector, type FakeWorld } from '@latchkey/core/fakes'
import { modalOf } from '@latchkey/modal'
import { LatchkeyError, requestError } from '@latchkey/protocol'
import { userEvent } from 'vitest/browser'
import { expect, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'

type SignInWorld = FakeWorld & { screen: RenderResult; wallet: FakeConnector; policy: SignIn }

/** An app whose user has just connected, and is asked to sign in. */
async function openSignIn(overrides: Partial<SignIn> = {}, locale?: string, type?: AccountType): Promise<SignInWorld> {
  const wallet = fakeConnector({ details: () => (type === undefined ? undefined : { type }) })
  const policy = { ...localSignIn({ storage: memoryStorage() }), ...overrides }
  const world = fakeWorld({ connectors: [wallet], siwx: policy })
  const screen = await renderModal(world.latchkey, undefined, { locale })
  await screen.getByRole('button', { name: /Fake Wallet/ }).click()
  await expect.element(screen.getByRole('button', { name: locale === 'de' ? 'Signieren' : 'Sign' })).toBeVisible()
  return { ...world, screen, wallet, policy }
}

/** A signature that waits to be given, or refused. */
function createPendingSignature(): { signMessage: () => Promise<string>; refuse: () => void } {
  let refuse = (): void => {}
  const response = new Promise<string>((_, reject) => {
    refuse = () => reject(requestError('request/rejected', { method: 'personal_sign' }))
  })
  // It may be refused before a caller waits for it.
  response.catch(() => {})
  return { signMessage: () => response, refuse: () => refuse() }
}

test('the sign-in names site and wallet, and signing completes it [R2.2.8] [R4.3.1]', async () => {
  const { latchkey, screen, wallet } = await openSignIn()
  await expect.element(screen.getByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
  await expect.element(screen.getByText(`${location.host} asks you to sign in`)).toBeVisible()
  await expect
    .element(screen.getByText(/Sign a message in Fake Wallet .* If you don’t sign in, you are disconnected/))
    .toBeVisible()
  await expect.element(screen.getByText('0xaa…aafa4e · Network 1')).toBeVisible()
  await screen.getByRole('button', { name: 'Sign' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(latchkey.signIn.getState().status).toBe('signed')
  expect(wallet.requests.map(({ method }) => method)).toEqual(['signMessage'])
})

test('a pending signature is shown, with help after eight seconds and a single request per click', async () => {
  const { clock, screen } = await openSignIn({ signMessage: createPendingSignature().signMessage })
  await screen.getByRole('button', { name: 'Sign' }).click()
  await expect.element(screen.getByText('Approve in Fake Wallet')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Signing…' })).toHaveAttribute('aria-disabled', 'true')
  clock.advance(8_000)
  await expect.element(screen.getByText(/No request\? Open Fake Wallet/)).toBeVisible()
})

test('a rejected signature keeps the modal open and can be retried [R4.3.2] [R8.2.12]', async () => {
  const { signMessage, refuse } = createPendingSignature()
  const { screen, latchkey } = await openSignIn({ signMessage })
  await screen.getByRole('button', { name: 'Sign' }).click()
  refuse()
  await expect.element(screen.getByText('Signature declined').first()).toBeVisible()
  await expect.element(screen.getByText('Signature declined').last()).toBeVisible()
  await expect.element(screen.getByText(/You are not signed in\. Sign again/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Sign' })).toHaveAttribute('aria-disabled', 'false')
  expect(modalOf(latchkey).toast.getState()).toMatchObject({
    open: true,
    message: 'Signature declined',
    variant: 'error',
  })
})

test('a failure of the app is explained', async () => {
  const { screen } = await openSignIn({ addSession: () => Promise.reject(new Error('no')) })
  await screen.getByRole('button', { name: 'Sign' }).click()
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Could not sign in')
})

test.each(['smartAccount', 'eoa'] as const)(
  'a site that refuses the signature of an account of kind %s may not know smart accounts [R8.2.9]',
  async (type) => {
    const refused = new LatchkeyError('sign-in/refused', { reason: 'no' }, { sentence: 'no' })
    const { screen } = await openSignIn({ addSession: () => Promise.reject(refused) }, undefined, type)
    await screen.getByRole('button', { name: 'Sign' }).click()
    const alert = screen.getByRole('alert').last()
    await expect.element(alert).toHaveTextContent('The app did not accept the signature. Sign again.')
    const isWarned = alert.element().textContent?.includes('This application might not support Smart Accounts.')
    expect(isWarned).toBe(type === 'smartAccount')
  },
)

test('a required sign-in cannot be closed, and cancelling disconnects [R2.2.6] [R2.2.8]', async () => {
  const { latchkey, screen } = await openSignIn()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => modalRoot().querySelector('[data-shaking]')).not.toBeNull()
  await screen.getByRole('button', { name: 'Close' }).click()
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(getAccount(latchkey).status).toBe('disconnected')
})

test('an optional sign-in can be closed, and the wallet stays connected [R2.2.6] [R2.2.8]', async () => {
  const { latchkey, screen } = await openSignIn({ getRequired: () => false })
  await expect.element(screen.getByText(/You can skip this/)).toBeVisible()
  await screen.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(getAccount(latchkey).status).toBe('connected')
})

test('a sign-in that cannot start disconnects and shows a notice on the connect view [R4.3.3] [R8.2.12]', async () => {
  const wallet = fakeConnector()
  const broken = { ...localSignIn({ storage: memoryStorage() }), getSessions: () => Promise.reject(new Error('no')) }
  const { latchkey } = fakeWorld({ connectors: [wallet], siwx: broken })
  const screen = await renderModal(latchkey)
  await screen.getByRole('button', { name: /Fake Wallet/ }).click()
  await expect.element(screen.getByText('A problem occurred while trying initialize authentication')).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
  expect(getAccount(latchkey).status).toBe('disconnected')
})

test('the view uses the user’s language, including notices', async () => {
  const { signMessage, refuse } = createPendingSignature()
  const { screen } = await openSignIn({ signMessage }, 'de')
  await expect.element(screen.getByText(`${location.host} bittet dich, dich anzumelden`)).toBeVisible()
  await screen.getByRole('button', { name: 'Signieren' }).click()
  refuse()
  await expect.element(screen.getByText('Signatur abgelehnt').first()).toBeVisible()
})

test('without a wallet the sign-in offers to connect one', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()], siwx: localSignIn({ storage: memoryStorage() }) })
  const screen = await renderModal(latchkey, { view: 'ConnectingSiwe', params: {} })
  await screen.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Connect wallet' })).toBeVisible()
})
