import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { newAddressScreen } from './newAddressScreen.ts'

const confirmation = { email: 'ann@example.net', match: '47' }

test('the screen names the new address, shows the digits, and ends with the confirmation [C-04]', async () => {
  let confirm = (): void => {}
  const holder = { awaitNewAddress: () => new Promise<void>((resolve) => (confirm = resolve)) }
  const screen = renderScreen(newAddressScreen({ messages: englishMessages, holder, confirmation }))
  await expect.element(page.getByText('ann@example.net')).toBeVisible()
  await expect.element(page.getByText('47')).toBeVisible()
  expect(screen.choice()).toBeUndefined()
  confirm()
  await expect.poll(() => screen.choice()).toBe('confirmed')
})

test('a link that expires is explained, and the change can be left', async () => {
  const holder = { awaitNewAddress: () => Promise.reject(new ServiceRefusal(410, 'link', 'The link is over.')) }
  const screen = renderScreen(newAddressScreen({ messages: englishMessages, holder, confirmation }))
  await expect.element(page.getByText('The link is over.')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  expect(screen.choice()).toBe('cancelled')
})
