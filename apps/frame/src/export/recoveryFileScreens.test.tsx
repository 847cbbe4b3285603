import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { filePasswordScreen } from './filePasswordScreen.ts'
import { fileScreen } from './fileScreen.ts'
import { exportIntroScreen } from './secretsScreen.ts'

async function enterPasswords(first: string, second = first): Promise<void> {
  await page.getByLabelText('New password').fill(first)
  await page.getByLabelText('Repeat the password').fill(second)
  await page.getByRole('button', { name: 'Create file' }).click()
}

test('the export page offers a recovery file', async () => {
  const { choice } = renderScreen(exportIntroScreen(englishMessages))
  await page.getByRole('button', { name: 'Create a recovery file' }).click()
  expect(choice()).toBe('file')
})

test('a password that is easy to guess is refused, because no service limits guesses at a file [S-12]', async () => {
  const { root, choice } = renderScreen(filePasswordScreen(englishMessages))
  for (const [first, second, sentence] of [
    ['short', 'short', 'Use at least 10 characters.'],
    ['password123', 'password123', 'This password is easy to guess.'],
    ['four calm herons', 'four calm heron', 'The passwords don’t match.'],
  ] as const) {
    await enterPasswords(first, second)
    expect(root.querySelector('[role=alert]')).toHaveTextContent(sentence)
    expect(choice()).toBeUndefined()
  }
  await enterPasswords('four calm herons')
  expect(choice()).toEqual({ password: 'four calm herons' })
})

test('the file and the offline page are downloads, and the file is gone with its screen [S-12]', async () => {
  const { root, leave } = renderScreen(fileScreen(englishMessages, '{"sealed":"…"}'))
  const [file, tool] = [...root.querySelectorAll('a')].map(({ href, download }) => ({ href, download }))
  expect(file?.download).toBe('latchkey-recovery.json')
  expect(await (await fetch(file?.href ?? '')).text()).toBe('{"sealed":"…"}')
  expect(tool).toEqual({ href: `${location.origin}/offline/recover.html`, download: 'latchkey-recover.html' })
  expect(root.innerHTML).not.toContain('sealed')
  leave()
  await expect(fetch(file?.href ?? '')).rejects.toThrow('Failed to fetch')
})
