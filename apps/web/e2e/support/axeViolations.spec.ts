import { expect, test, type Page } from '@playwright/test'
import { axeViolations } from './axeViolations.ts'

/** Shows a paragraph in a shadow root, as the modal does. */
async function showParagraph(page: Page, style: string): Promise<void> {
  await page.setContent(
    '<html lang="en"><head><title>Test</title></head><body><main><h1>Test</h1><x-card></x-card></main></body></html>',
  )
  await page.evaluate((css) => {
    const root = document.querySelector('x-card')?.attachShadow({ mode: 'open' })
    if (root === undefined) return
    root.innerHTML = `<style>
      @keyframes appear { from { opacity: 0.2 } to { opacity: 1 } }
      @keyframes turn { to { rotate: 1turn } }
      p { background: #fff; ${css} }
      i { position: absolute; top: 400px; width: 9px; height: 9px; animation: turn 1s infinite }
    </style><p>0.987 ETH</p><i></i>`
  }, style)
}

/** Ends an animation as soon as it is awaited, so that the test neither lasts an hour nor depends on the machine. */
async function finishAwaitedAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    const finished = Object.getOwnPropertyDescriptor(Animation.prototype, 'finished')
    Object.defineProperty(Animation.prototype, 'finished', {
      get(this: Animation): unknown {
        this.finish()
        return finished?.get?.call(this)
      },
    })
  })
}

test('text that fades in is checked when it is opaque', async ({ page }) => {
  await showParagraph(page, 'color: #333; animation: appear 3600s both')
  await finishAwaitedAnimations(page)
  expect(await axeViolations(page, 'x-card')).toEqual([])
})

test('text with too little contrast is reported with its element and reason', async ({ page }) => {
  await showParagraph(page, 'color: #ccc; animation: appear 0.1s both')
  expect(await axeViolations(page, 'x-card')).toEqual([
    expect.stringMatching(/^color-contrast\n<p>0\.987 ETH<\/p>[^]*insufficient color contrast/),
  ])
})
