import { fakeConnector, fakeLogin, fakeWorld } from '@latchkey/core/fakes'
import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { LatchkeyProvider } from './index.ts'
import { renderApp } from './testing/renderModal.tsx'

const emulatePreference = (value: string): Promise<unknown> =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })

afterEach(() => emulatePreference(''))

test('a wallet with its own screens receives theme and language, and their changes', async () => {
  const login = fakeLogin()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ type: 'embedded', login })] })
  await emulatePreference('dark')
  const screen = await renderApp(latchkey)
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'dark', language: 'en' })
  await emulatePreference('light')
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'light', language: 'en' })
  await screen.rerender(<LatchkeyProvider latchkey={latchkey} theme="dark" locale="de" />)
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'dark', language: 'de' })
})
