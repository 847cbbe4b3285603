import { connect } from '@latchkey/core'
import { fakeConnector, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { goBack, modalOf, pushView } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ConnectButton, LatchkeyProvider, useTheme, type Theme } from './index.ts'
import { emulatePreferences } from './testing/emulatePreferences.ts'
import { waitForAnimations, renderApp, modalRoot, renderModal } from './testing/renderModal.tsx'

function styleOf(selector: string): CSSStyleDeclaration {
  const element = modalRoot().querySelector(selector)
  if (element === null) throw new Error(`Nothing is ${selector}.`)
  return getComputedStyle(element)
}

function isDark(): boolean {
  const [lightness] = styleOf('.card').backgroundColor.match(/[\d.]+/) ?? []
  return Number(lightness) < 0.5
}

test('the theme can change between light, dark and system while the modal is open [R3.16] [R9.3.5]', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await emulatePreferences({ name: 'prefers-color-scheme', value: 'light' })
  const screen = await renderModal(latchkey)
  const show = (theme?: Theme): Promise<void> =>
    screen.rerender(
      <LatchkeyProvider latchkey={latchkey} theme={theme}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
  expect(isDark()).toBe(false)
  await emulatePreferences({ name: 'prefers-color-scheme', value: 'dark' })
  expect(isDark()).toBe(true)
  await show('light')
  modalOf(latchkey).state.setState(modalOf(latchkey).state.getState())
  await expect.poll(isDark).toBe(false)
  await show('dark')
  await expect.poll(isDark).toBe(true)
})

function Choice(): ReactElement {
  const { theme, setTheme } = useTheme()
  return (
    <button type="button" onClick={() => setTheme('light')}>
      {theme}
    </button>
  )
}

test('the chosen theme is stored under the key theme, and other values are ignored [R3.16]', async () => {
  const storage = fakeStorage({ values: { theme: '{"not":"ours"}' } })
  const screen = await renderApp(fakeWorld({ storage }).latchkey, { children: <Choice /> })
  await screen.getByRole('button', { name: 'system' }).click()
  await expect.element(screen.getByRole('button', { name: 'light' })).toBeVisible()
  expect(storage.values.get('theme')).toBe('light')
  const again = await renderApp(fakeWorld({ storage }).latchkey, { children: <ConnectButton label="Again" /> })
  await expect.element(again.getByRole('button', { name: 'Again' })).toHaveAttribute('data-theme', 'light')
})

test('an app’s tokens apply to the button and the modal', async () => {
  await page.viewport(1024, 768)
  const root = document.documentElement.style
  root.setProperty('--latchkey-accent', 'rgb(1, 2, 3)')
  root.setProperty('--latchkey-width', '340px')
  root.setProperty('--latchkey-text', 'rgb(4, 5, 6)')
  try {
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await renderModal(latchkey)
    await waitForAnimations()
    expect(getComputedStyle(document.querySelector('.latchkey-button') ?? document.body).backgroundColor).toBe(
      'rgb(1, 2, 3)',
    )
    expect([styleOf('.card').inlineSize, styleOf('.name').color]).toEqual(['340px', 'rgb(4, 5, 6)'])
  } finally {
    root.removeProperty('--latchkey-accent')
    root.removeProperty('--latchkey-width')
    root.removeProperty('--latchkey-text')
  }
})

test('with more contrast all texts have the colour of text', async () => {
  await emulatePreferences({ name: 'prefers-contrast', value: 'more' })
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()], unsupportedNetworks: 'ignore' })
  await connect(latchkey, 'fake')
  await renderModal(latchkey, { view: 'ProfileWallets', params: {} })
  expect(styleOf('.sub').color).toBe(styleOf('.name').color)
})

test('with forced colours every control has a border', async () => {
  await emulatePreferences({ name: 'forced-colors', value: 'active' })
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  const screen = await renderModal(latchkey)
  expect([styleOf('.card').borderTopWidth, styleOf('.row').borderTopWidth]).toEqual(['1px', '1px'])
  expect(getComputedStyle(screen.getByRole('button', { name: 'Connect' }).element()).borderTopWidth).not.toBe('0px')
})

test('with reduced motion elements fade and do not move', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await renderModal(latchkey)
  const { transitionProperty } = styleOf('.pane')
  expect(transitionProperty.split(', ').filter((property) => /translate|scale/.test(property))).toEqual([])
  expect(styleOf('.card').scale).toBe('none')
})

test('with reduced motion opening, views, waiting and shaking animate nothing but opacity', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await renderModal(latchkey)
  const moved = new Set<string>()
  const watch = async (frames: number): Promise<void> => {
    for (let frame = 0; frame < frames; frame += 1) {
      for (const { effect } of modalRoot().getAnimations()) {
        const keyframes = effect instanceof KeyframeEffect ? effect.getKeyframes() : []
        for (const name of keyframes.flatMap((keyframe) => Object.keys(keyframe))) moved.add(name)
      }
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }
  await watch(4)
  pushView(latchkey, { view: 'WhatIsAWallet', params: {} })
  await watch(12)
  goBack(latchkey)
  await watch(12)
  modalRoot().querySelector('.card')?.toggleAttribute('data-shaking', true)
  await watch(4)
  const still = ['offset', 'easing', 'composite', 'computedOffset', 'opacity', 'overlay', 'display']
  expect([...moved].filter((name) => !still.includes(name))).toEqual([])
})
