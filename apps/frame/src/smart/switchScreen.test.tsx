import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { switchScreen } from './switchScreen.ts'

const facts = {
  origin: 'https://app.example.org',
  type: 'eoa',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
} as const

test('the switch screen shows the page and the full address', () => {
  const { root } = renderScreen(switchScreen(englishMessages, facts))
  expect(root.querySelector('.origin strong')).toHaveTextContent(/^example\.org$/)
  expect(root).toHaveTextContent(facts.address)
  expect(root).toHaveTextContent('Use your standard account?')
  expect(renderScreen(switchScreen(englishMessages, { ...facts, type: 'smartAccount' })).root).toHaveTextContent(
    'smart account?',
  )
})

test('the switch screen guards its primary button, and a window can draw it', () => {
  const screen = switchScreen(englishMessages, facts)
  expect(screen).toMatchObject({ guarded: true, window: { drawing: 'switch', facts } })
  const { root } = renderScreen(screen)
  expect([...root.querySelectorAll('[data-guarded]')].map(({ textContent }) => textContent)).toEqual(['Switch'])
})

test.each([
  ['Switch', 'switched'],
  ['Don’t switch', 'kept'],
] as const)('%s returns %s', async (name, response) => {
  const screen = renderScreen(switchScreen(englishMessages, facts))
  await page.getByRole('button', { name, exact: true }).click()
  expect(screen.choice()).toBe(response)
})
