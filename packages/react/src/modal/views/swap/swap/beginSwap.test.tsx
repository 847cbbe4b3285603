import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { swapState } from '@latchkey/core/money'
import { closeModal, openModal } from '@latchkey/modal'
import { expect, test } from 'vitest'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'

const entry = { view: 'Swap', params: {} } as const

async function connectedWorld(): Promise<ReturnType<typeof fakeWorld>> {
  const world = fakeWorld({ adapters: [fakeAdapter()], connectors: [fakeConnector()] })
  await connect(world.latchkey, 'fake')
  return world
}

test('a swap begins when the modal is opened again with the same entry while it closes', async () => {
  const { latchkey } = await connectedWorld()
  await renderModal(latchkey, entry)
  await expect.poll(() => swapState(latchkey).getState().status).toBe('failed')
  closeModal(latchkey)
  expect(swapState(latchkey).getState().status).toBe('closed')
  openModal(latchkey, { entry })
  await expect.poll(() => swapState(latchkey).getState().status).toBe('failed')
})

test('no swap begins without a connected wallet', async () => {
  const { latchkey } = fakeWorld({ adapters: [fakeAdapter()], connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByText('Connect a wallet to swap')).toBeVisible()
  expect(swapState(latchkey).getState().status).toBe('closed')
})

test('no swap begins if the modal closes before the code of its view is loaded', async () => {
  const { latchkey } = await connectedWorld()
  const screen = await renderModal(latchkey)
  closeModal(latchkey)
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  openModal(latchkey, { entry })
  while (modalRoot().querySelector('dialog')?.open === false) await Promise.resolve()
  closeModal(latchkey)
  // The view is rendered while the modal fades out.
  await expect.poll(() => modalRoot().querySelector('[data-view=Swap]')).not.toBeNull()
  expect(swapState(latchkey).getState().status).toBe('closed')
})
