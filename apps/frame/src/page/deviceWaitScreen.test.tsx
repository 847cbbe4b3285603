import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeHolder } from '../testing/fakeHolder.ts'
import { shown } from '../testing/shown.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { ServiceRefusal } from '../services/serviceRequest.ts'
import type { LoginResult } from '../worker/keyHolder.ts'
import { deviceWaitScreen } from './deviceWaitScreen.ts'

const user = { id: 'ann', accounts: [] }
const wait = { match: '42', opensAt: 1_780_086_400_000 }

function show(approval: Promise<LoginResult>) {
  const holder = fakeHolder({ awaitApproval: () => approval })
  return shown(deviceWaitScreen({ messages: englishMessages, holder, wait }))
}

test('a new device shows its two digits until a known one has approved it [A-09]', async () => {
  let approve: (result: LoginResult) => void = () => undefined
  const { root, choice } = show(new Promise((resolve) => (approve = resolve)))
  expect(root.querySelector('.match')).toHaveTextContent('42')
  expect(choice()).toBeUndefined()
  approve({ user })
  await expect.poll(choice).toEqual({ user })
})

test('a refused device says so', async () => {
  const { root } = show(Promise.reject(new ServiceRefusal(403, 'stopped', 'One of your devices refused this one.')))
  await expect.poll(() => root).toHaveTextContent('One of your devices refused this one.')
  await page.getByRole('button', { name: 'Back' }).click()
})
