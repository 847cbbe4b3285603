import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { closeModal, modalOf, openModal } from '@latchkey/modal'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { modalRoot, renderModal } from '../../../testing/renderModal.tsx'

/** Touches an element of the modal, or moves or lifts the finger. */
function touch(type: 'pointerdown' | 'pointermove' | 'pointerup', selector: string, clientY: number): void {
  const init = { pointerId: 1, pointerType: 'touch', isPrimary: true, bubbles: true, composed: true, clientY }
  modalRoot().querySelector(selector)?.dispatchEvent(new PointerEvent(type, init))
}

test('a drag that was cut off by the end of the modal does not continue in the next one', async () => {
  await page.viewport(390, 844)
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey)
  touch('pointerdown', '.header', 400)
  closeModal(latchkey)
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  openModal(latchkey)
  await expect.element(screen.getByRole('dialog')).toBeVisible()
  // The browser knows no pointer of a test.
  Object.assign(modalRoot().querySelector('dialog') ?? {}, { setPointerCapture: () => {} })
  touch('pointerdown', '.pane', 600)
  touch('pointermove', '.pane', 610)
  expect(modalRoot().querySelector<HTMLElement>('.card')?.style.translate).toBe('')
  touch('pointerup', '.pane', 610)
  expect(modalOf(latchkey).state.getState()).toMatchObject({ open: true })
})
