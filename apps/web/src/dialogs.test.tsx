import { createLatchkey, start } from '@latchkey/core'
import { fakeAdapter, fakeConnector } from '@latchkey/core/fakes'
import { closeModal, openModal } from '@latchkey/modal'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import MuiDialog from '@mui/material/Dialog'
import * as RadixDialog from '@radix-ui/react-dialog'
import { useState, type ReactElement, type ReactNode } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'

type Frame = (props: { children: ReactNode }) => ReactElement

/** An open dialog of the page that reports whether it is still open. */
const dialogs: Readonly<Record<string, Frame>> = {
  'a native dialog': ({ children }) => (
    <dialog ref={(element) => void (element?.open === false && element.showModal())} aria-label="Page dialog">
      {children}
    </dialog>
  ),
  'a Radix dialog': function Radix({ children }) {
    const [open, setOpen] = useState(true)
    return (
      <RadixDialog.Root open={open} onOpenChange={setOpen}>
        <RadixDialog.Portal>
          <RadixDialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0008', zIndex: 2_147_483_646 }} />
          <RadixDialog.Content style={{ position: 'fixed', inset: '10%', background: '#fff', zIndex: 2_147_483_647 }}>
            <RadixDialog.Title>Page dialog</RadixDialog.Title>
            <RadixDialog.Description>Everything about it is the page's own.</RadixDialog.Description>
            {children}
          </RadixDialog.Content>
        </RadixDialog.Portal>
      </RadixDialog.Root>
    )
  },
  'an MUI dialog': function Mui({ children }) {
    const [open, setOpen] = useState(true)
    return (
      <MuiDialog open={open} onClose={() => setOpen(false)} aria-label="Page dialog" transitionDuration={0}>
        {children}
      </MuiDialog>
    )
  },
}

/** Renders an app whose own dialog opens after its modal was open. */
async function setUp(Frame: Frame): Promise<void> {
  const latchkey = createLatchkey({
    adapters: [fakeAdapter()],
    connectors: ['Alpha', 'Beta'].map((name) => fakeConnector({ id: name, name, neverResponds: true })),
  })
  onTestFinished(start(latchkey))
  const screen = await render(<LatchkeyProvider latchkey={latchkey}>{undefined}</LatchkeyProvider>)
  openModal(latchkey)
  await expect.element(page.getByRole('button', { name: 'Alpha' })).toBeVisible()
  closeModal(latchkey)
  await screen.rerender(
    <LatchkeyProvider latchkey={latchkey}>
      <Frame>
        <ConnectButton />
      </Frame>
    </LatchkeyProvider>,
  )
}

test.each(Object.keys(dialogs))('modal above %s is usable and restores focus', async (name) => {
  const Frame = dialogs[name]
  if (Frame === undefined) throw new Error('There is no such dialog.')
  await setUp(Frame)
  const button = page.getByRole('button', { name: 'Connect' })
  const pageDialog = page.getByLabelText('Page dialog')
  await button.click()
  const modal = page.getByRole('dialog', { name: 'Connect wallet' })
  await expect.element(modal).toBeVisible()
  // The modal handles the click, and the page's dialog below stays open.
  await modal.getByRole('button', { name: 'Alpha' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement?.tagName).toBe('LATCHKEY-MODAL')
  expect(pageDialog.query()).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.element(modal).not.toBeInTheDocument()
  await expect.element(pageDialog).toBeVisible()
  await expect.element(button).toHaveFocus()
})
