import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import type { SecretClipboard } from './secretClipboard.ts'
import { exportIntroScreen, secretsScreen } from './secretsScreen.ts'

const secrets = { phrase: 'legal winner thank year wave', evm: '0xdeadbeef', solana: '4uQeVj5tqViQh7yWWGStvkEG1Zmh' }

function renderSecretsScreen() {
  const copied: string[] = []
  const due: { act(): void; milliseconds: number }[] = []
  let cleared = 0
  const clipboard: SecretClipboard = {
    copy: async (secret) => copied.push(secret) > 0,
    clear: async () => void cleared++,
  }
  const later = (act: () => void, milliseconds: number) => {
    const timer = { act, milliseconds }
    due.push(timer)
    return () => void due.splice(due.indexOf(timer), 1)
  }
  const screen = renderScreen(secretsScreen({ messages: englishMessages, secrets, notice: '', clipboard, later }))
  return { ...screen, copied, due, cleared: () => cleared }
}

const hold = () => page.getByRole('button', { name: 'Press and hold to see: Recovery phrase' })
const isThere = (root: HTMLElement) => root.textContent?.includes(secrets.phrase) === true

test('the export starts after its explanation', async () => {
  const { root, choice } = renderScreen(exportIntroScreen(englishMessages))
  expect(root).toHaveTextContent('Anyone who sees them owns your wallet')
  await page.getByRole('button', { name: 'Show my keys' }).click()
  expect(choice()).toBe('begin')
})

test('secrets are not in the page before they are requested', () => {
  const { root } = renderSecretsScreen()
  for (const secret of Object.values(secrets)) expect(root.innerHTML).not.toContain(secret)
})

test('a secret is shown only while the pointer is held', () => {
  const { root } = renderSecretsScreen()
  const button = hold().element()
  for (const end of ['pointerup', 'pointerleave', 'pointercancel']) {
    button.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, bubbles: true }))
    expect(isThere(root)).toBe(true)
    expect(root.innerHTML).not.toContain(secrets.evm)
    button.dispatchEvent(new PointerEvent(end, { bubbles: true }))
    expect(isThere(root)).toBe(false)
  }
})

test('a secret is shown only while a key is held, and losing the focus hides it', async () => {
  const { root } = renderSecretsScreen()
  hold().element().focus()
  for (const key of [' ', 'Enter']) {
    await userEvent.keyboard(`{${key === ' ' ? 'Space' : key}>}`)
    expect(isThere(root)).toBe(true)
    await userEvent.keyboard(`{/${key === ' ' ? 'Space' : key}}`)
    expect(isThere(root)).toBe(false)
  }
  await userEvent.keyboard('{Enter>}')
  hold().element().blur()
  expect(isThere(root)).toBe(false)
  await userEvent.keyboard('{/Enter}')
})

test('leaving the window hides the secret', () => {
  const { root } = renderSecretsScreen()
  hold()
    .element()
    .dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true }))
  window.dispatchEvent(new Event('blur'))
  expect(isThere(root)).toBe(false)
})

test('each secret is copied separately, and the screen states for how long', async () => {
  const { root, copied } = renderSecretsScreen()
  for (const name of ['Recovery phrase', 'Key for Ethereum and other EVM networks', 'Key for Solana']) {
    await page.getByRole('button', { name: `Copy: ${name}` }).click()
  }
  expect(copied).toEqual(Object.values(secrets))
  expect(root.querySelector('[role=status]')).toHaveTextContent('The clipboard is overwritten in a minute')
})

test('the secrets and the clipboard are cleared after five minutes', () => {
  const { choice, due, leave, cleared } = renderSecretsScreen()
  expect(due.map(({ milliseconds }) => milliseconds)).toEqual([300_000])
  due[0]?.act()
  expect(choice()).toBe('done')
  leave()
  expect(due).toEqual([])
  expect(cleared()).toBe(1)
})

test('an embedded export page shows a link to the top-level page only', async () => {
  const { openTopLevelPage } = await import('../account/topLevelPage.ts')
  const frame = document.createElement('iframe')
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  const inner = frame.contentWindow
  if (inner === null) throw new Error('a frame without a window')
  const stage = inner.document.createElement('main')
  stage.id = 'stage'
  inner.document.body.append(stage)
  let started = 0
  const config = { auth: '', shares: '', server: '', origin: '', networks: [], allowedOrigins: [] }
  const startHolder = (): never => {
    started++
    throw new Error('no worker here')
  }
  expect(await openTopLevelPage({ window: inner as unknown as Window, config, startHolder })).toBeUndefined()
  expect(started).toBe(0)
  expect(stage.querySelector('a')?.target).toBe('_blank')
})
