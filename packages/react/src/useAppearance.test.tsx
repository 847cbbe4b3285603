import { fakeConnector, fakeLogin, fakeWorld } from '@latchkey/core/fakes'
import { afterEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { LatchkeyProvider } from './index.ts'
import { drawn } from './testing/drawn.tsx'

const prefer = (value: string): Promise<unknown> =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] })

afterEach(() => prefer(''))

test('a wallet with its own screens receives theme and language, and their changes', async () => {
  const login = fakeLogin()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ type: 'embedded', login })] })
  await prefer('dark')
  const screen = await drawn(latchkey)
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'dark', language: 'en' })
  await prefer('light')
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'light', language: 'en' })
  await screen.rerender(<LatchkeyProvider latchkey={latchkey} theme="dark" locale="de" />)
  await expect.poll(() => login.looks.at(-1)).toEqual({ themeMode: 'dark', language: 'de' })
})
