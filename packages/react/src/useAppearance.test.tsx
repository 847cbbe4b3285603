import { fakeConnector, fakeLogin, fakeWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { LatchkeyProvider } from './index.ts'
import { emulatePreferences } from './testing/emulatePreferences.ts'
import { renderApp } from './testing/renderModal.tsx'

const preferScheme = (value: string) => emulatePreferences({ name: 'prefers-color-scheme', value })

test('a wallet with its own screens receives theme and language, and their changes', async () => {
  const login = fakeLogin()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ type: 'embedded', login })] })
  await preferScheme('dark')
  const screen = await renderApp(latchkey)
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'dark', language: 'en' })
  await preferScheme('light')
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'light', language: 'en' })
  await screen.rerender(<LatchkeyProvider latchkey={latchkey} theme="dark" locale="de" />)
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'dark', language: 'de' })
})
