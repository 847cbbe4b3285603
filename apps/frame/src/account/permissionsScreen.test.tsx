import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { OwnPermission } from '../smart/permissions/listOwnPermissions.ts'
import { renderScreen } from '../testing/renderScreen.ts'
import { englishMessages } from '../messages/loadFrameMessages.ts'
import { permissionsScreen } from './permissionsScreen.ts'

const first: OwnPermission = {
  origin: 'https://app.example.org',
  network: {
    chainId: 'eip155:1',
    name: 'Ethereum',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  },
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  delegate: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  context: '0x01',
  expiry: 1_780_000_000,
}
const second: OwnPermission = {
  ...first,
  origin: undefined,
  delegate: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  context: '0x02',
}

const renderPermissionsScreen = (list: () => Promise<readonly OwnPermission[]>, done?: string) =>
  renderScreen(permissionsScreen({ messages: englishMessages, list, done }))

test('permissions are listed with account, network and end, and one can be chosen', async () => {
  const { root, choice } = renderPermissionsScreen(async () => [first, second], 'Revoked.')
  await expect.poll(() => page.getByRole('listitem').elements()).toHaveLength(2)
  expect(root.querySelector('[role=status]')).toHaveTextContent('Revoked.')
  expect(root.querySelector('li')).toHaveTextContent(first.delegate)
  expect(root.querySelector('li')).toHaveTextContent('Ethereum')
  expect(root.querySelectorAll('li')[0]).toHaveTextContent('https://app.example.org')
  expect(root.querySelectorAll('li')[1]).toHaveTextContent('Unknown app')
  await page.getByRole('button', { name: `Revoke: ${second.delegate}` }).click()
  expect(choice()).toEqual(second)
})

test('a user without permissions reads that no site has one', async () => {
  const { root, choice } = renderPermissionsScreen(async () => [])
  await expect.poll(() => root.textContent).toContain('No app has permissions.')
  await page.getByRole('button', { name: 'Done' }).click()
  expect(choice()).toBe('done')
})

test('an unreachable registry is reported, and the list can be loaded again', async () => {
  let isAway = true
  const { root } = renderPermissionsScreen(async () => {
    if (isAway) throw new Error('away')
    return [first]
  })
  await expect.poll(() => root.querySelector('[role=alert]')).not.toBeNull()
  isAway = false
  await page.getByRole('button', { name: englishMessages.common.retry }).click()
  await expect.poll(() => page.getByRole('listitem').elements()).toHaveLength(1)
})
