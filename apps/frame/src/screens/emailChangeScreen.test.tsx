import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { emailChangeScreen } from './emailChangeScreen.ts'

const facts = { origin: 'https://app.example.org', email: 'ann@example.org', newEmail: 'mallory@example.net' }

test('the change of address names the page and both addresses [C-01]', () => {
  const { root } = renderScreen(emailChangeScreen(englishMessages, facts))
  expect(root.querySelector('h1')).toHaveTextContent('Change your email address?')
  expect(root.querySelector('.origin')).toHaveTextContent('https://app.example.org')
  expect([...root.querySelectorAll('dd bdi')].map(({ textContent }) => textContent)).toEqual([
    'ann@example.org',
    'mallory@example.net',
  ])
})

test('the confirmation of a change of address is guarded, and Cancel has the focus [C-01] [I-09]', () => {
  const screen = emailChangeScreen(englishMessages, facts)
  expect(screen.guarded).toBe(true)
  expect(screen.window).toEqual({ drawing: 'emailChange', facts })
  const { root } = renderScreen(screen)
  expect(root.querySelector('[data-guarded]')).toHaveTextContent('Change address')
  expect(document.activeElement).toHaveTextContent('Cancel')
})

test.each([
  ['ann@ехample.org', 'ann@xn--'],
  ['ann\u202E@example.org', 'annU+202E@example.org'],
])('a disguised address %j is shown as %s [C-01] [G-05]', (newEmail, visible) => {
  const { root } = renderScreen(emailChangeScreen(englishMessages, { ...facts, newEmail }))
  expect(root).toHaveTextContent(visible)
})

test.each([
  ['Change address', 'confirmed'],
  ['Cancel', 'refused'],
] as const)('%s returns %s', async (name, result) => {
  const screen = renderScreen(emailChangeScreen(englishMessages, facts))
  await page.getByRole('button', { name }).click()
  expect(screen.choice()).toBe(result)
})
