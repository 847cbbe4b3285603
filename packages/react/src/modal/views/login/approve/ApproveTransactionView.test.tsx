import { fakeConnector, fakeLogin, fakeWorld, type FakeLogin } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'

const entry = { view: 'ApproveTransaction', params: {} } as const

async function openApproval(): Promise<{ login: FakeLogin; screen: Awaited<ReturnType<typeof renderModal>> }> {
  const login = fakeLogin()
  const { latchkey } = fakeWorld({ connectors: [fakeConnector({ type: 'embedded', login })] })
  login.set({ screen: { height: 400 } })
  return { login, screen: await renderModal(latchkey, entry) }
}

function getFrameArea(): HTMLElement {
  const found = modalRoot().querySelector<HTMLElement>('.approve')
  if (found === null) throw new Error('There is no room for the wallet.')
  return found
}

test('the wallet gets the requested space and covers it', async () => {
  const { login, screen } = await openApproval()
  await expect.element(screen.getByRole('heading', { name: 'Approve transaction' })).toBeInTheDocument()
  await expect.poll(() => login.placed).toBe(getFrameArea())
  expect(getFrameArea().offsetHeight).toBe(400)
  login.set({ screen: { height: 300 } })
  await expect.poll(() => getFrameArea().offsetHeight).toBe(300)
  expect(login.placed).toBe(getFrameArea())
})

test('the wallet’s screen leaves with the view, and closing the modal rejects its request [R2.2.7]', async () => {
  const { login, screen } = await openApproval()
  await expect.poll(() => login.placed).toBe(getFrameArea())
  await screen.getByRole('button', { name: 'Close' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(login.calls).toContain('rejectAll')
  await expect.poll(() => login.placed).toBeUndefined()
})
