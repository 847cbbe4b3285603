import { fakeAdapter, fakeConnector } from '@latchkey/core/testing'
import { memoryStorage } from '@latchkey/core'
import { closeModal, modalOf } from '@latchkey/modal'
import { mainnet } from 'viem/chains'
import { afterEach, expect, test } from 'vitest'
import type { AppKit } from '../instance/appKit.ts'
import { createAppKit } from '../instance/createAppKit.ts'
import { currentAppKit } from '../instance/currentAppKit.ts'
import { createAppKitWalletButton } from './createAppKitWalletButton.ts'

afterEach(() => currentAppKit.getState().appKit?.destroy())

function create(): AppKit {
  const appKit = createAppKit({
    adapters: [{ namespace: 'eip155', createAdapter: () => fakeAdapter() }],
    networks: [mainnet],
    projectId: 'ab'.repeat(16),
    latchkey: { server: false, relayUrl: false, storage: memoryStorage() },
  })
  appKit.latchkey.connectors.setState([fakeConnector()], true)
  return appKit
}

test('a wallet of the page connects at once', async () => {
  create()
  const { caipAddress, address } = await createAppKitWalletButton().connect('fake')
  expect(caipAddress).toBe(`eip155:1:${address}`)
})

test('a wallet that is not in the page opens the modal, and closing it rejects', async () => {
  const { latchkey } = create()
  const attempt = createAppKitWalletButton().connect('metamask')
  await expect.poll(() => modalOf(latchkey).state.getState().open).toBe(true)
  closeModal(latchkey)
  await expect(attempt).rejects.toMatchObject({ code: 'connection/aborted' })
})

test('a button is ready once createAppKit was called', async () => {
  const button = createAppKitWalletButton()
  expect(button.isReady()).toBe(false)
  await expect(button.connect('fake')).rejects.toMatchObject({ code: 'appkit/missing' })
  const states: boolean[] = []
  button.subscribeIsReady(({ isReady }) => void states.push(isReady))
  create()
  expect(button.isReady()).toBe(true)
  expect(states).toEqual([true])
})
