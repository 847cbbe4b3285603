import { createLatchkey, start, type Latchkey } from '@latchkey/core'
import { fakeAdapter, fakeConnector } from '@latchkey/core/fakes'
import { openModal } from '@latchkey/modal'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'

/** Page styles that apply to every element, including the modal's host element. */
const sheets: Readonly<Record<string, string>> = {
  'takes all styles away': '* { all: unset !important }',
  'changes every letter and turns everything round': `
    * { font: italic 900 60px/3 cursive !important; letter-spacing: 9px !important; text-transform: uppercase !important;
        text-indent: 40px !important; word-spacing: 20px !important; text-align: right !important; color: red !important;
        transform: rotate(20deg) scale(2) !important; filter: invert(1) !important; opacity: 0.4 !important;
        pointer-events: none !important; user-select: none !important; cursor: none !important }`,
  'wants to be in front': `
    * { z-index: 2147483647 !important; position: relative !important; overflow: hidden !important; contain: strict !important;
        visibility: hidden !important; white-space: nowrap !important; color-scheme: dark !important; }
    body::after { content: ''; position: fixed !important; inset: 0; background: lime }`,
}

/** Makes the page behind the modal one color, so that only the modal is compared. */
const neutral = `
  html:root, html body { all: initial !important; display: block !important; background: #777 !important }
  html body > :not(latchkey-modal), html head, html body::after { display: none !important }`

beforeEach(() => page.viewport(1024, 768))
afterEach(() => {
  document.adoptedStyleSheets = []
})

function adopt(...texts: readonly string[]): void {
  document.adoptedStyleSheets = texts.map((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
}

async function openTestModal(): Promise<Latchkey> {
  const latchkey = createLatchkey({
    adapters: [fakeAdapter()],
    connectors: ['Alpha', 'Beta'].map((name) => fakeConnector({ id: name, name })),
  })
  onTestFinished(start(latchkey))
  await render(
    <LatchkeyProvider latchkey={latchkey} theme="light">
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(latchkey)
  await expect.poll(() => findCard()?.textContent).toContain('Beta')
  return latchkey
}

function findCard(): HTMLElement | undefined {
  return document.querySelector('latchkey-modal')?.shadowRoot?.querySelector<HTMLElement>('.card') ?? undefined
}

/** Takes a screenshot of the modal once all motion ends. */
async function takeScreenshot(): Promise<string> {
  const motions = document.querySelector('latchkey-modal')?.shadowRoot?.getAnimations() ?? []
  await Promise.allSettled(motions.map(({ finished }) => finished))
  const drawn = findCard()
  if (drawn === undefined) throw new Error('No modal is drawn.')
  return page.elementLocator(drawn).screenshot({ save: false })
}

test.each(Object.entries(sheets))('modal is pixel-identical on a page that %s', async (_, text) => {
  await openTestModal()
  adopt(neutral)
  const before = await takeScreenshot()
  adopt(text, neutral)
  const after = await takeScreenshot()
  expect(after === before).toBe(true)
})
