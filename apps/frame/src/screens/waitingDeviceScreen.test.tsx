import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import { waitingDeviceScreen } from './waitingDeviceScreen.ts'

const device = {
  id: 'one',
  browser: 'Firefox on Linux',
  place: 'DE/Berlin',
  at: 1_780_000_000_000,
  opensAt: 1_780_086_400_000,
}

function renderWaitingDeviceScreen() {
  const requested: unknown[] = []
  const holder = fakeHolder({
    async approveWaitingDevice(id, match) {
      requested.push([id, match])
      if (match !== '42') throw new ServiceRefusal(401, 'match', 'These are not the digits.')
    },
    stopWaitingDevice: async (id) => void requested.push(id),
  })
  return { ...renderScreen(waitingDeviceScreen({ messages: englishMessages, holder, device })), requested }
}

test('a new device is approved with its two digits; wrong ones are refused [A-09]', async () => {
  const { root, choice, requested } = renderWaitingDeviceScreen()
  expect(root).toHaveTextContent('Firefox on Linux')
  expect(root).toHaveTextContent('Approximate location: Berlin, Germany')
  await page.getByRole('button', { name: 'Approve device' }).click()
  await expect.poll(() => root).toHaveTextContent('Enter the two digits that the new device shows.')
  expect(requested).toEqual([])
  for (const match of ['41', '42']) {
    await page.getByLabelText('Two digits from the new device').fill(match)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => requested.at(-1)).toEqual(['one', match])
    if (match === '41') await expect.element(page.getByLabelText('Two digits from the new device')).toHaveValue('')
  }
  await expect.poll(choice).toBe('approved')
})

test('a new device is refused, or decided on later', async () => {
  const { choice, requested } = renderWaitingDeviceScreen()
  await page.getByRole('button', { name: 'Reject device' }).click()
  await expect.poll(choice).toBe('refused')
  expect(requested).toEqual(['one'])
})

test('a decision can wait', async () => {
  const { choice, requested } = renderWaitingDeviceScreen()
  await page.getByRole('button', { name: 'Decide later' }).click()
  await expect.poll(choice).toBe('later')
  expect(requested).toEqual([])
})
