import type { BridgePage, BridgeTarget } from '@latchkey/testkit/playwright'
import { Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { expect } from '@playwright/test'

/** An element by its role and accessible name, in the document and in its shadow roots. */
export type ElementQuery = { role: 'button' | 'link' | 'textbox' | 'dialog'; name: RegExp }

/** A page in WebKit, with the actions that the tests need. */
export type WebKitPage = BridgePage &
  BridgeTarget & {
    goto(url: string): Promise<void>
    reload(): Promise<void>
    /** Waits for an element and clicks it. */
    click(wanted: ElementQuery): Promise<void>
    /** Clicks an element until a text appears. A click misses an element that moves. */
    clickUntil(wanted: ElementQuery, text: RegExp): Promise<void>
    /** Clicks a guarded button until its window closes: clicks right after it appeared don't count. */
    clickUntilClosed(wanted: ElementQuery): Promise<void>
    /** Waits for a field, replaces its text, and presses a key. */
    type(wanted: ElementQuery, text: string, key?: string): Promise<void>
    /** Waits until the page contains a text. @returns the text that was found */
    waitForText(text: RegExp): Promise<string>
    /** Waits until no element is found. */
    waitUntilGone(wanted: ElementQuery): Promise<void>
    /** Runs actions in a frame of the page. */
    inFrame<result>(selector: string, act: () => Promise<result>): Promise<result>
    /** Runs actions in another window. */
    inNewWindow<result>(url: string, act: () => Promise<result>): Promise<result>
    /** Runs actions in the window that the page opens. */
    inWindow<result>(open: () => Promise<void>, act: () => Promise<result>): Promise<result>
    /** Sets the size of the window, in CSS pixels. */
    resize(width: number, height: number): Promise<void>
    /** Presses keys on the element that has the focus. */
    press(...keys: readonly string[]): Promise<void>
    /** Runs a function in the page and returns its result, as JSON. */
    read<result>(run: () => result): Promise<result>
    /** Stops responding to the page, until it navigates. */
    pause(): Promise<void>
  }

type PageCall = { name: string; id: number; message: string }

const timeout = 60_000
/** An element that has the same position after this time does not move. */
const stillMs = 300

/** Creates the page of a driver. */
export function createWebKitPage(driver: WebDriver): WebKitPage {
  const bridge = createBridge(driver)
  return {
    ...bridge,
    ...createInput(driver),
    ...createReading(driver),
    ...createWindows(driver),
    async goto(url) {
      await bridge.pause()
      await driver.get(url)
      await bridge.install()
    },
    async reload() {
      await bridge.pause()
      await driver.navigate().refresh()
      await bridge.install()
    },
    async resize(width, height) {
      await driver.manage().window().setRect({ width, height })
    },
    async press(...keys) {
      await driver
        .actions()
        .sendKeys(...keys)
        .perform()
    },
    read: (run) => driver.executeScript(run),
  }
}

/** Creates the actions of a visitor with a mouse and a keyboard. */
function createInput(driver: WebDriver): Pick<WebKitPage, 'click' | 'clickUntil' | 'clickUntilClosed' | 'type'> {
  return {
    async click(wanted) {
      // An element that moves or is replaced by the next render can be missed.
      await expect(async () => (await locateElement(driver, wanted)).click()).toPass({ timeout })
    },
    async clickUntil(wanted, text) {
      await expect(async () => {
        if (!text.test(await driver.executeScript<string>(readText)))
          await (await locateElement(driver, wanted)).click()
        await expect.poll(() => driver.executeScript<string>(readText), { timeout: 3_000 }).toMatch(text)
      }).toPass({ timeout })
    },
    async clickUntilClosed(wanted) {
      const own = await driver.getWindowHandle()
      const isOpen = async (): Promise<boolean> => (await driver.getAllWindowHandles()).includes(own)
      await expect(async () => {
        if (await isOpen()) await (await locateElement(driver, wanted)).click()
        await expect.poll(isOpen, { timeout: 3_000 }).toBe(false)
      }).toPass({ timeout })
    },
    async type(wanted, text, key = '') {
      const field = await locateElement(driver, wanted)
      await field.clear()
      await field.sendKeys(text, key)
    },
  }
}

/** Creates the functions that wait for the content of the page. */
function createReading(driver: WebDriver): Pick<WebKitPage, 'waitForText' | 'waitUntilGone'> {
  return {
    async waitForText(text) {
      let found = ''
      const read = async (): Promise<string> => {
        ;[found = ''] = text.exec(await driver.executeScript<string>(readText)) ?? []
        return found
      }
      await expect.poll(read, { message: String(text), timeout }).not.toBe('')
      return found
    },
    async waitUntilGone({ role, name }) {
      await expect.poll(() => driver.executeScript(findInPage, role, name.source, name.flags), { timeout }).toBeNull()
    },
  }
}

/** Creates the functions that act in frames and other windows. */
function createWindows(driver: WebDriver): Pick<WebKitPage, 'inFrame' | 'inNewWindow' | 'inWindow'> {
  return {
    async inFrame(selector, act) {
      await waitUntilStill(driver, selector)
      await driver.switchTo().frame(await driver.findElement({ css: selector }))
      try {
        return await act()
      } finally {
        await driver.switchTo().defaultContent()
      }
    },
    async inNewWindow(url, act) {
      const own = await driver.getWindowHandle()
      await driver.switchTo().newWindow('window')
      await driver.get(url)
      try {
        return await act()
      } finally {
        await driver.close()
        await driver.switchTo().window(own)
      }
    },
    async inWindow(open, act) {
      const own = await driver.getWindowHandle()
      const before = new Set(await driver.getAllWindowHandles())
      const findNew = async (): Promise<string | undefined> =>
        (await driver.getAllWindowHandles()).find((handle) => !before.has(handle))
      // A click misses a frame that moves.
      await expect(async () => {
        await open()
        await expect.poll(findNew, { timeout: 5_000 }).toBeDefined()
      }).toPass({ timeout })
      await driver.switchTo().window((await findNew()) ?? own)
      try {
        return await act()
      } finally {
        await driver.switchTo().window(own)
      }
    },
  }
}

async function locateElement(driver: WebDriver, wanted: ElementQuery): Promise<WebElement> {
  let found: WebElement | undefined
  await expect
    .poll(
      async () => {
        const { role, name } = wanted
        found = (await driver.executeScript<WebElement | null>(findInPage, role, name.source, name.flags)) ?? undefined
        return found !== undefined
      },
      { message: `${wanted.role} ${String(wanted.name)}`, timeout },
    )
    .toBe(true)
  if (found === undefined) throw new Error('It disappeared.')
  await waitUntilStill(driver, found)
  return found
}

/** A click on a moving element would hit what is behind it. */
async function waitUntilStill(driver: WebDriver, target: WebElement | string): Promise<void> {
  let last: unknown
  const isStill = async (): Promise<boolean> => {
    const box = await driver.executeScript(readBox, target)
    const before = last
    last = box
    return box !== null && box === before
  }
  await expect.poll(isStill, { message: 'position of an element', timeout, intervals: [stillMs] }).toBe(true)
}

/** Presses Enter after a text. */
export const enter = Key.ENTER

/**
 * Connects functions of the test to the page. WebDriver has no bindings, so the page queues the calls, and the test reads
 * the queue.
 */
function createBridge(
  driver: WebDriver,
): BridgePage & BridgeTarget & { install(): Promise<void>; pause(): Promise<void> } {
  const functions = new Map<string, (message: string) => unknown>()
  const scripts: string[] = []
  let timer: NodeJS.Timeout | undefined
  let responding: Promise<void> | undefined

  async function respond(): Promise<void> {
    const calls = await driver.executeScript<PageCall[]>('return globalThis.latchkeyCalls?.splice(0) ?? []')
    for (const { name, id, message } of calls) {
      const result = await functions.get(name)?.(message)
      await driver.executeScript('globalThis.latchkeyResults?.get(arguments[0])?.(arguments[1])', id, result)
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      responding = respond().then(schedule, schedule)
    }, 50)
  }

  /** A script that starts during a navigation may never end. */
  async function pause(): Promise<void> {
    clearTimeout(timer)
    await responding
    clearTimeout(timer)
  }

  return {
    async exposeFunction(name, callback) {
      functions.set(name, callback)
    },
    async addInitScript({ content }) {
      scripts.push(content)
    },
    async evaluate(run, argument) {
      await driver.executeScript(run, argument)
    },
    async install() {
      if (functions.size === 0) return
      await driver.executeScript(exposeInPage, [...functions.keys()])
      for (const script of scripts) await driver.executeScript(script)
      schedule()
    },
    pause,
  }
}

/** Defines the test's functions. Runs in the page. */
function exposeInPage(names: readonly string[]): void {
  const calls: PageCall[] = []
  const results = new Map<number, (result: string) => void>()
  let lastId = 0
  Object.assign(globalThis, { latchkeyCalls: calls, latchkeyResults: results })
  for (const name of names) {
    Reflect.set(globalThis, name, (message: string) => {
      const id = (lastId += 1)
      calls.push({ name, id, message })
      return new Promise<string>((resolve) => results.set(id, resolve))
    })
  }
}

/** Finds a visible, enabled element. Runs in the page. */
function findInPage(role: string, source: string, flags: string): Element | null {
  const name = new RegExp(source, flags)
  const selectors: Record<string, string> = {
    button: 'button, [role=button], input[type=submit]',
    textbox: 'input:not([type=checkbox]), textarea',
    link: 'a[href]',
    dialog: 'dialog[open], [role=dialog]',
  }
  const nameOf = (element: Element): string => {
    const labelled = element.getAttribute('aria-labelledby')
    const root = element.getRootNode() as Document | ShadowRoot
    const labels = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null
    return (
      element.getAttribute('aria-label') ??
      (labelled === null ? undefined : root.getElementById(labelled)?.textContent) ??
      labels?.[0]?.textContent ??
      element.textContent ??
      ''
    ).trim()
  }
  const find = (root: ParentNode): Element | null => {
    for (const element of root.querySelectorAll(selectors[role] ?? role)) {
      const isUsable = !element.matches(':disabled, [aria-disabled=true]') && element.getClientRects().length > 0
      if (isUsable && name.test(nameOf(element))) return element
    }
    for (const host of root.querySelectorAll('*')) {
      const found = host.shadowRoot === null ? null : find(host.shadowRoot)
      if (found !== null) return found
    }
    return null
  }
  // A modal dialog makes the rest of the page inert.
  return find(document)
}

/** Reads the position and the size of an element. Runs in the page. */
function readBox(target: Element | string): string | null {
  const element = typeof target === 'string' ? document.querySelector(target) : target
  const box = element?.getBoundingClientRect()
  return box === undefined || box.height === 0 ? null : JSON.stringify(box)
}

/** Reads the visible text of the document and of its shadow roots. Runs in the page. */
function readText(): string {
  const texts = [document.body.innerText]
  const visit = (root: ParentNode): void => {
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      if (shadowRoot === null) continue
      for (const child of shadowRoot.children) if (child instanceof HTMLElement) texts.push(child.innerText)
      visit(shadowRoot)
    }
  }
  visit(document)
  return texts.join('\n')
}
