import { getAccount } from '@latchkey/core'
import { fakeLoginWorld } from '@latchkey/core/fakes'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { modalRoot, opened } from '../../../testing/drawn.tsx'

test('a new visitor approves the link, compares two digits, enters the code, and sees his account [R4.3.4]', async () => {
  const { latchkey, login } = fakeLoginWorld()
  const screen = await opened(latchkey)
  await userEvent.fill(screen.getByRole('textbox', { name: 'Email address' }), 'ann@mail.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByRole('heading', { name: 'Register Device' })).toBeVisible()
  await expect.element(screen.getByText('Approve the login link we sent to')).toHaveTextContent('ann@mail.example')
  expect(modalRoot().querySelector('.match')).toHaveTextContent('42')
  login.approveDevice()
  await expect.element(screen.getByRole('heading', { name: 'Confirm Email' })).toBeVisible()
  await userEvent.fill(screen.getByRole('textbox', { name: 'Six-digit code' }), '123456')
  await expect.element(screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  expect(login.asked).toEqual(['email ann@mail.example', 'device', 'code 123456'])
  const states = ['eip155', 'solana'] as const
  expect(states.map((namespace) => getAccount(latchkey, namespace).status)).toEqual(['connected', 'connected'])
})
