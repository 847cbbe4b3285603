import { fakeLoginWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderModal } from '../../../testing/renderModal.tsx'

const email = 'ann@mail.example'

/** True if the file of a view was requested. Each test file has a page of its own, so no other test requested it. */
function isRequested(view: string): boolean {
  return performance.getEntriesByType('resource').some(({ name }) => name.includes(`/${view}View.tsx`))
}

test('the view of the code loads while the mail is sent, and the account while the user opens the mail', async () => {
  const { latchkey, login } = fakeLoginWorld({ login: { known: [email] } })
  const screen = await renderModal(latchkey)
  let deliver = (): void => {}
  const delivered = new Promise<void>((resolve) => (deliver = resolve))
  const send = login.email
  Object.assign(login, { email: async (address: string) => (await delivered, send(address)) })
  // The imports of this file fill the buffer.
  performance.clearResourceTimings()
  await userEvent.fill(screen.getByRole('textbox', { name: 'Email address' }), email)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => isRequested('EmailVerifyOtp')).toBe(true)
  expect(isRequested('Account')).toBe(false)
  deliver()
  await expect.element(screen.getByRole('heading', { name: 'Confirm email' })).toBeVisible()
  await expect.poll(() => isRequested('Account')).toBe(true)
})
