import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { consentScreen } from './consentScreen.ts'

const facts = { origin: 'https://app.example.org:8443', account: 'ann@example.org' }

test('the consent shows the real origin with its owner emphasised, and the login', () => {
  const { root } = renderScreen(consentScreen(englishMessages, facts))
  expect(root.querySelector('.origin')).toHaveTextContent('https://app.example.org:8443')
  expect(root.querySelector('.origin strong')).toHaveTextContent(/^example\.org$/)
  expect(root).toHaveTextContent('ann@example.org')
})

test('a look-alike origin is shown in ASCII', () => {
  const { origin } = new URL('https://раураl.example')
  const { root } = renderScreen(consentScreen(englishMessages, { ...facts, origin }))
  expect(root).toHaveTextContent('https://xn--')
})

test('the consent is guarded, and its button is aria-disabled', () => {
  const screen = consentScreen(englishMessages, facts)
  expect(screen.guarded).toBe(true)
  const { root } = renderScreen(screen)
  expect([...root.querySelectorAll('[data-guarded]')].map(({ textContent }) => textContent)).toEqual(['Connect'])
})

test.each([
  ['Connect', 'allowed'],
  ['Reject', 'refused'],
] as const)('%s returns %s', async (name, result) => {
  const screen = renderScreen(consentScreen(englishMessages, facts))
  await page.getByRole('button', { name }).click()
  expect(screen.choice()).toBe(result)
})

test('the title has the focus, and Enter has no effect before the user moves on', async () => {
  const screen = renderScreen(consentScreen(englishMessages, facts))
  expect(document.activeElement).toBe(screen.root.querySelector('h1'))
  await userEvent.keyboard('{Enter}')
  expect(screen.choice()).toBeUndefined()
  await userEvent.keyboard('{Tab}{Tab}{Enter}')
  expect(screen.choice()).toBe('refused')
})
