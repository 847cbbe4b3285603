import { expect, test } from './support/fixtures.ts'
import { moreViews, views } from './support/views.ts'

// The system replaces all colors of the page. Chromium emulates it. Firefox is started with a preference, see its project.
test.use({ contextOptions: { forcedColors: 'active' } })

/**
 * Runs in the page. Lists what a user cannot recognise without the colors of the page: boxes without a border, selected
 * elements that look like the others next to them, and a focused element without an outline.
 */
function findUnrecognisable(): readonly string[] {
  if (!matchMedia('(forced-colors: active)').matches) return ['The colors are not forced.']
  const root = document.querySelector('latchkey-modal')?.shadowRoot ?? document
  const dialog = root.querySelector('dialog[open]')
  if (dialog === null) return ['There is no open dialog.']
  const list = (selector: string): Element[] =>
    [...dialog.querySelectorAll(selector)].filter((element) => element.checkVisibility())
  const describe = (element: Element): string => `${element.className} ${element.textContent}`
  const markOf = (element: Element): string => {
    const { border, outlineStyle, outlineWidth, outlineColor, backgroundColor } = getComputedStyle(element)
    return `${border} ${outlineStyle === 'none' ? '' : `${outlineWidth} ${outlineColor}`} ${backgroundColor}`
  }
  const bare = list('.card, .row, .button, .field, .money-box, .token-button, .small-button').filter((element) => {
    const { borderTopStyle, borderTopWidth } = getComputedStyle(element)
    return borderTopStyle === 'none' || borderTopWidth === '0px'
  })
  const unmarked = list('[aria-selected=true], [aria-pressed=true]').filter((element) => {
    const others = [...(element.parentElement?.children ?? [])].filter(
      (other) => other !== element && other.tagName === element.tagName && !other.matches('[aria-disabled=true]'),
    )
    return others.some((other) => markOf(other) === markOf(element))
  })
  return [
    ...bare.map((element) => `without a border: ${describe(element)}`),
    ...unmarked.map((element) => `not marked as selected: ${describe(element)}`),
  ]
}

/** Runs in the page, after a key. Lists the controls that have no outline while they have the focus, alone or with their box. */
function findUnmarkedFocus(): readonly string[] {
  const dialog = document.querySelector('latchkey-modal')?.shadowRoot?.querySelector('dialog[open]')
  const controls = [...(dialog?.querySelectorAll<HTMLElement>('button, a[href], input, textarea, select') ?? [])]
  const hasOutline = (element: Element | null): boolean => {
    if (element === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  }
  return controls
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && control.closest('[inert]') === null)
    .filter((control) => {
      control.focus()
      return !hasOutline(control) && !hasOutline(control.closest('label, .field, .money-box'))
    })
    .map((control) => `${control.tagName} ${control.className} ${control.textContent}`)
}

for (const view of [...views, ...moreViews]) {
  test(
    `${view.name} can be recognised with forced colors`,
    { tag: '@forced-colors' },
    async ({ page, urls, extension }) => {
      await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
      await view.show({ page, urls, extension })
      await expect.poll(() => page.evaluate(findUnrecognisable)).toEqual([])
      await expect(async () => {
        await page.keyboard.press('Tab')
        // After the last control, the focus leaves the page. It shows none then.
        expect(await page.evaluate(() => document.hasFocus())).toBe(true)
      }).toPass()
      expect(await page.evaluate(findUnmarkedFocus)).toEqual([])
    },
  )
}
