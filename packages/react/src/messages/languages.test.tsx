import { connect } from '@latchkey/core'
import { fakeConnector, fakeLogin, fakeWorld } from '@latchkey/core/fakes'
import { expect, onTestFinished, test } from 'vitest'
import { ConnectButton } from '../button/ConnectButton.tsx'
import { buttonsTranslations } from '@latchkey/modal/messages'
import { LatchkeyProvider } from '../LatchkeyProvider.tsx'
import { renderApp, modalRoot, renderModal } from '../testing/renderModal.tsx'

function setBrowserLanguages(...languages: string[]): void {
  Object.defineProperty(navigator, 'languages', { configurable: true, get: () => languages })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'languages'))
}

test('with `auto` the browser’s language is used', async () => {
  setBrowserLanguages('tlh', 'de-AT', 'en')
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey, undefined, { locale: 'auto' })
  await expect.element(screen.getByRole('dialog', { name: 'Wallet verbinden' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Verbinden' })).toHaveAttribute('lang', 'de')
})

test('an unavailable language is English', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey, undefined, { locale: 'tlh-Latn' })
  await expect.element(screen.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible()
  expect(modalRoot().querySelector('.frame')).toHaveAttribute('lang', 'en')
})

test('the toast about a method that is not allowed is translated [R8.2.11]', async () => {
  const login = fakeLogin()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ id: 'embedded', type: 'embedded', login })] })
  const screen = await renderModal(latchkey, undefined, { locale: 'de' })
  await expect.poll(() => login.listening()).toBe(1)
  login.emit({ type: 'not-allowed', method: 'eth_sign' })
  await expect.element(screen.getByText('Aktion nicht erlaubt')).toBeVisible()
})

test('the language can change while the modal is open', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey, undefined, { locale: 'de' })
  await expect.element(screen.getByRole('dialog', { name: 'Wallet verbinden' })).toBeVisible()
  await screen.rerender(
    <LatchkeyProvider latchkey={latchkey}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await expect.element(screen.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible()
})

test('Arabic mirrors the modal in any page, and addresses keep their direction', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, undefined, { locale: 'ar-EG' })
  const root = modalRoot()
  await expect.poll(() => root.querySelector('.frame')?.getAttribute('lang')).toBe('ar')
  expect(root.host).toHaveAttribute('dir', 'rtl')
  expect(document.documentElement.dir).toBe('')
  const side = (selector: string): number => root.querySelector(selector)?.getBoundingClientRect().left ?? NaN
  await expect.poll(() => side('.row .mark') > side('.row .text')).toBe(true)
  expect(getComputedStyle(root.querySelector('.address bdi') ?? document.body).direction).toBe('ltr')
  await expect.element(screen.getByRole('button', { name: /0xaa/ }).first()).toHaveAttribute('dir', 'rtl')
})

test('an app’s button texts are used from the first render on', async () => {
  const { latchkey } = fakeWorld()
  const screen = await renderApp(latchkey, { children: <ConnectButton />, strings: buttonsTranslations.ja })
  expect(screen.getByRole('button').element()).toHaveTextContent('接続')
})

test('an app’s own text receives the same arguments', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ neverResponds: true })] })
  const strings = { connecting: { approve: ({ wallet }: { wallet: string }) => `Say yes in ${wallet}!` } }
  const entry = { view: 'ConnectingExternal', params: { connectorId: 'fake' } } as const
  const screen = await renderModal(latchkey, entry, { strings })
  await expect.element(screen.getByText('Say yes in Fake Wallet!')).toBeVisible()
})
