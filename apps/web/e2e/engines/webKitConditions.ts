import { expect } from '@playwright/test'
import { Key } from 'selenium-webdriver'
import { connectExtension, queryButton, shortAddress, test } from './webKitTest.ts'

/** Runs in the page. Returns the text of the element that has the focus. */
function readFocusedText(): string {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused instanceof HTMLElement ? (focused.ariaLabel ?? focused.innerText).trim() : ''
}

/** Runs in the page. */
function isModalOpen(): boolean {
  return document.querySelector('latchkey-modal')?.shadowRoot?.querySelector('dialog[open]') instanceof HTMLElement
}

/** Runs in the page. Lists the size of the page, and what is wider than its place. */
function measureOverflow(): { readonly width: number; readonly wide: readonly string[] } {
  const root = document.querySelector('latchkey-modal')?.shadowRoot
  const panes = root?.querySelectorAll('dialog[open] .pane:not([data-leaving])') ?? []
  const wide = [document.documentElement, ...panes].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  return { width: innerWidth, wide: wide.map(({ tagName, className }) => `${tagName} ${className}`) }
}

test('rejections of a connection and of a signature show errors, and retries succeed in WebKit [R4.4] [R8.3.7]', async ({
  webKit,
  urls,
  extension,
}) => {
  await webKit.goto(`${urls.web}/account`)
  extension.rejectNext()
  await webKit.click(queryButton(/^Connect$/))
  await webKit.click(queryButton(/Test Extension/))
  await webKit.waitForText(/rejected/i)
  await webKit.click(queryButton(/^Try again$/))
  await webKit.waitForText(shortAddress)
  await webKit.waitUntilGone({ role: 'dialog', name: /./ })
  extension.rejectNext()
  await webKit.click(queryButton(/^Sign$/))
  await webKit.waitForText(/rejected/i)
  await webKit.click(queryButton(/^Sign$/))
  await webKit.waitForText(/The signature verifies\./)
})

test('modal works with the keyboard alone and restores focus in WebKit', async ({ webKit, urls, extension }) => {
  void extension
  const tabTo = async (text: RegExp): Promise<void> => {
    for (let step = 0; step < 40 && !text.test(await webKit.read(readFocusedText)); step += 1)
      await webKit.press(Key.TAB)
    expect(await webKit.read(readFocusedText)).toMatch(text)
  }
  await webKit.goto(`${urls.web}/account`)
  await tabTo(/^Connect$/)
  // The button does nothing before the page is hydrated.
  await expect(async () => {
    if (!(await webKit.read(isModalOpen))) await webKit.press(Key.ENTER)
    await expect.poll(() => webKit.read(isModalOpen), { timeout: 3_000 }).toBe(true)
  }).toPass()
  await webKit.press(Key.ESCAPE)
  await webKit.waitUntilGone({ role: 'dialog', name: /./ })
  await expect.poll(() => webKit.read(readFocusedText)).toBe('Connect')
  await webKit.press(Key.ENTER)
  await webKit.waitForText(/Connect wallet/)
  await tabTo(/Test Extension/)
  await webKit.press(Key.ENTER)
  await webKit.waitForText(shortAddress)
})

/** Runs in the page. Chooses Arabic in the playground, as a user does. */
function chooseArabic(): void {
  const options = [...document.querySelectorAll('option')]
  const select = options.find(({ value }) => value === 'ar')?.closest('select')
  if (!select) throw new Error('The playground offers no Arabic.')
  select.value = 'ar'
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

// A window of 1280 pixels at 200 % zoom has 640 CSS pixels. [WCAG 2.2, 1.4.4]
test('connect and account views have no horizontal overflow in Arabic at 200 % zoom in WebKit', async ({
  webKit,
  urls,
  extension,
}) => {
  void extension
  await webKit.resize(640, 480)
  await webKit.goto(`${urls.web}/playground`)
  await webKit.waitForText(/Language/)
  // The page ignores a choice before it is hydrated.
  await expect(async () => {
    await webKit.read(chooseArabic)
    expect(await webKit.read(() => document.body.innerText)).toContain('اتصال')
  }).toPass()
  await webKit.click({ role: 'link', name: /^Account$/ })
  await webKit.click(queryButton(/^اتصال$/))
  await webKit.waitForText(/Test Extension/)
  expect(await webKit.read(measureOverflow)).toEqual({ width: 640, wide: [] })
  await webKit.click(queryButton(/Test Extension/))
  await webKit.waitForText(shortAddress)
  expect(await webKit.read(measureOverflow)).toEqual({ width: 640, wide: [] })
})

/** Runs in the page. */
function hasStorage(): boolean {
  try {
    return Boolean(localStorage)
  } catch {
    return false
  }
}

test.describe('without storage', () => {
  test.use({ settings: ['--enable-html5-local-storage=false'] })

  test('denied storage shows in WebKit that the connection ends when the page is closed [R3.17]', async ({
    webKit,
    urls,
    extension,
  }) => {
    void extension
    await connectExtension(webKit, urls)
    expect(await webKit.read(hasStorage)).toBe(false)
    await webKit.click(queryButton(shortAddress))
    await webKit.waitForText(/ends when you close the page/)
  })
})
