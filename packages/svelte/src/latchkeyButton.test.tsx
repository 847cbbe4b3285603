import { connect } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { latchkeyButton } from './latchkeyButton.ts'

function createNode(): HTMLElement {
  const node = document.createElement('span')
  document.body.append(node)
  onTestFinished(() => node.remove())
  return node
}

test('a changed label is shown, and one that is no longer passed returns to the default', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const { update, destroy } = latchkeyButton(createNode(), { latchkey, label: 'Sign in' })
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  update({ latchkey, label: 'Log in' })
  await expect.element(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  update({ latchkey })
  await expect.element(page.getByRole('button', { name: 'Connect' })).toBeVisible()
  destroy()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

test('another kind of button, or another instance, replaces the button', async () => {
  const [first, second] = [1, 2].map(() => fakeWorld({ connectors: [fakeConnector()] }).latchkey)
  if (first === undefined || second === undefined) return expect.fail('no instance')
  await connect(second, 'fake')
  const { update, destroy } = latchkeyButton(createNode(), { latchkey: first })
  await expect.element(page.getByRole('button', { name: 'Connect' })).toBeVisible()
  update({ latchkey: second })
  await expect.element(page.getByRole('button', { name: /0xaa/ })).toBeVisible()
  update({ latchkey: second, button: 'network' })
  await expect.element(page.getByRole('button', { name: /0xaa/ })).not.toBeInTheDocument()
  expect(page.getByRole('button').elements()).toHaveLength(1)
  destroy()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})
