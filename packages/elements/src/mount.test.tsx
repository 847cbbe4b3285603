import { getAccount, type Latchkey } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { defineElements, mount, mountModal, openModal, type MountOptions } from './index.ts'

const buttonNamed = (name: string) => page.getByRole('button', { name })

function appendElement(tag: string): HTMLElement {
  const element = document.createElement(tag)
  document.body.append(element)
  onTestFinished(() => element.remove())
  return element
}

function mountIn(latchkey: Latchkey, options?: MountOptions) {
  const mounted = mount(latchkey, appendElement('div'), options)
  onTestFinished(mounted.unmount)
  return mounted
}

test('mount renders a button, update changes it, and unmount removes it with the modal', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const mounted = mountIn(latchkey, { label: 'One', theme: 'dark' })
  await expect.element(buttonNamed('One')).toHaveAttribute('data-theme', 'dark')
  mounted.update({ label: 'Two', theme: 'light' })
  await expect.element(buttonNamed('Two')).toHaveAttribute('data-theme', 'light')
  await buttonNamed('Two').click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  mounted.unmount()
  mounted.unmount()
  await expect.poll(() => document.querySelectorAll('latchkey-modal, [data-latchkey], .latchkey-button').length).toBe(0)
})

test('a button can be unmounted before its code has arrived', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  mountIn(latchkey, { label: 'Gone' }).unmount()
  mountIn(latchkey, { label: 'Here' })
  await expect.element(buttonNamed('Here')).toBeVisible()
  expect(buttonNamed('Gone').elements()).toHaveLength(0)
})

test('two instances have their own buttons and modals on one page', async () => {
  const first = fakeWorld({ connectors: [fakeConnector({ id: 'fox', name: 'Fox' })] }).latchkey
  const second = fakeWorld({ connectors: [fakeConnector({ id: 'owl', name: 'Owl' })] }).latchkey
  mountIn(first, { label: 'First' })
  mountIn(second, { label: 'Second' })
  await buttonNamed('Second').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Owl' }).click()
  await expect.poll(() => getAccount(second).status).toBe('connected')
  expect(getAccount(first).status).toBe('disconnected')
  await expect.element(buttonNamed('First')).toBeVisible()
})

test('mountModal opens the modal without a button', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  onTestFinished(mountModal(latchkey))
  openModal(latchkey)
  await expect.element(page.getByRole('dialog')).toBeVisible()
})

test('elements show their attributes, and a second call moves them to the new instance', async () => {
  const first = fakeWorld({ connectors: [fakeConnector()] }).latchkey
  const element = appendElement('latchkey-button')
  element.setAttribute('label', 'Sign in')
  defineElements(first)
  await expect.element(buttonNamed('Sign in')).toBeVisible()
  element.setAttribute('label', 'Log in')
  element.setAttribute('disabled', '')
  await expect.element(buttonNamed('Log in')).toBeDisabled()
  element.removeAttribute('disabled')
  const second = fakeWorld({ connectors: [fakeConnector({ id: 'owl', name: 'Owl' })] }).latchkey
  defineElements(second, { theme: 'dark' })
  await expect.element(buttonNamed('Log in')).toHaveAttribute('data-theme', 'dark')
  await buttonNamed('Log in').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Owl' }).click()
  await expect.poll(() => getAccount(second).status).toBe('connected')
  const other = appendElement('div')
  other.append(element)
  await expect.element(page.getByRole('button', { name: /…|0x/ }).first()).toBeVisible()
})
